import json
from pathlib import Path

import numpy as np
import pytest

from routing.export import main
from routing.flags import load_settings
from routing.text.vocabulary import read_vectors
from routing.training.run import fit_run
from tests.scoring.runs import make_run


@pytest.fixture(scope="module")
def pretrained(tiny_encoder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the run of a tiny encoder, fitted on four pairs of 14 words."""
    folder = tmp_path_factory.mktemp("pretrained")
    with (folder / "pairs.jsonl").open("w", encoding="utf-8") as stream:
        for thing in ("lamp", "mug", "tent", "vase"):
            refunds, delivery = f"the box came but no {thing} !", f"the {thing} came but no box !"
            texts = {"refunds": refunds, "delivery": delivery}
            stream.write(json.dumps({"id": thing, "phenomenon": "owed", **texts}) + "\n")
    flags = {
        "model": {"kind": "pretrained", "name": str(tiny_encoder), "window_tokens": 16},
        "data": {"train": str(folder / "pairs.jsonl"), "validation_share": 0.2, "test_share": 0},
        "train": {"epochs": 1},
        "trainer": {"accelerator": "cpu"},
    }
    fit_run(load_settings(None, flags), folder=folder / "run", progress=False)
    return folder / "run"


def test_a_run_becomes_an_onnx_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
    run, file = make_run(tmp_path / "run"), tmp_path / "model.onnx"
    assert main([str(run), "--onnx", str(file)]) == 0
    assert "probabilities differ by at most" in capsys.readouterr().out
    assert file.stat().st_size > 1000


def test_a_folder_that_is_no_run_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path), "--onnx", str(tmp_path / "model.onnx")]) == 2
    assert "is no run folder" in capsys.readouterr().err


def test_an_encoders_vectors_of_its_training_words_become_a_file(
    pretrained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "words.txt"
    assert main([str(pretrained), "--vectors", str(file), "--width", "3"]) == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    words = {line.split(" ")[0] for line in lines}
    assert {"the", "box", "came", "but", "no", "!"} < words
    assert len(words) == len(lines) == 6 + 3  # one pair of four is validated on
    assert f"{file}: 9 words of 3 numbers each" in capsys.readouterr().out.replace("\n", "")
    assert np.isfinite(read_vectors(file, ("box", "came"))).all()


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ([], "nothing to write: give --onnx FILE, --vectors FILE or both"),
        (["--vectors", "words.txt", "--width", "2"], "--width 2: give a number of 3 or more"),
    ],
)
def test_flags_that_write_nothing_are_refused(
    flags: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["runs/minilm", *flags])
    assert stop.value.code == 2
    assert words in capsys.readouterr().err
