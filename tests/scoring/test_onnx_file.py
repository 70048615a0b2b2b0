from pathlib import Path

import pytest
import torch

from routing.errors import RunError, ScoringError
from routing.scoring.onnx_file import OnnxModel, example_inputs, export_onnx, largest_difference
from tests.scoring.runs import make_router

pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")


@pytest.mark.parametrize("kind", ["recurrent", "transformer"])
def test_the_graph_takes_any_number_of_e_mails_and_tokens(tmp_path: Path, kind: str) -> None:
    router = make_router(kind)
    export_onnx(router, tmp_path / "model.onnx")
    model = OnnxModel(tmp_path / "model.onnx", threads=1)
    for emails, tokens in [(1, 1), (1, 9), (5, 2), (3, 7), (11, 40)]:
        inputs = example_inputs(emails=emails, tokens=tokens, seed=tokens, words=15, pieces=51)
        with torch.inference_mode():
            assert torch.allclose(model(*inputs), router.model(*inputs), atol=1e-5)
    assert largest_difference(router, tmp_path / "model.onnx") < 1e-5


@pytest.mark.parametrize("limit", [1e-6, 100.0])
def test_the_graph_looks_twice_at_none_or_all_of_a_batch(tmp_path: Path, limit: float) -> None:
    router = make_router()
    router.model.second_look = limit
    export_onnx(router, tmp_path / "model.onnx")
    assert largest_difference(router, tmp_path / "model.onnx") < 1e-5


def test_another_models_graph_is_found_out(tmp_path: Path) -> None:
    router = make_router()
    export_onnx(router, tmp_path / "model.onnx")
    with torch.no_grad():
        router.model.head.bias[0] += 1
    with pytest.raises(ScoringError, match=r"probabilities differ by .* more than 1e-04"):
        largest_difference(router, tmp_path / "model.onnx")


def test_naive_bayes_has_no_graph(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="'bayes' has no ONNX form here"):
        export_onnx(make_router("bayes"), tmp_path / "model.onnx")


def test_a_graph_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(ScoringError, match="cannot write"):
        export_onnx(make_router(), tmp_path / "no" / "folder" / "model.onnx")
