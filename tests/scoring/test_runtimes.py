from pathlib import Path

import pytest
import torch

from routing.corpus.pieces import PieceReader
from routing.flags import load_settings
from routing.mail import read_emails
from routing.router import build_model
from routing.scoring.records import Wishes
from routing.scoring.runtimes import CHECKED, HalfModel, make_rough, prepare_model
from tests.scoring.runs import make_router, write_rows


@pytest.mark.parametrize("wishes", [{"runtime": "onnx"}, {"precision": "bfloat16"}])
@pytest.mark.parametrize("kind", ["recurrent", "transformer"])
def test_other_runtimes_give_nearly_the_same_probabilities(
    tmp_path: Path, kind: str, wishes: dict[str, str]
) -> None:
    emails = list(read_emails(write_rows(tmp_path / "mail.jsonl", 30)))
    router = make_router(kind)
    expected = router.probabilities(emails)
    prepare_model(router, Wishes(run="", **wishes))
    router.probabilities(emails[:3])
    found = router.probabilities(emails)
    assert abs(found - expected).max() < (1e-4 if "runtime" in wishes else 1e-2)


def test_float32_is_taken_where_bfloat16_errs() -> None:
    class Steep(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.tensor(1000.1))

        def forward(self, *inputs: torch.Tensor) -> torch.Tensor:
            return torch.stack([self.weight, torch.tensor(1000.0)])[None, :]

    steep = Steep()
    model = HalfModel(steep, temperature=1.0)
    for _ in range(2):
        assert torch.equal(model(*[torch.zeros(1)] * 4), steep())
    assert model.is_trusted is False


def test_an_encoder_multiplies_in_bfloat16_and_adds_in_float32(tiny_encoder: Path) -> None:
    model = {"kind": "pretrained", "name": str(tiny_encoder), "window_tokens": 32}
    settings = load_settings(flags={"model": model})
    reader = PieceReader.from_file(tiny_encoder / "tokenizer.json", max_tokens=64)
    model = build_model(settings.model, reader=reader, routes=2).eval()
    rough = make_rough(model)
    seen = {}
    for part in rough.model.encoder.modules():
        if isinstance(part, torch.nn.Linear | torch.nn.LayerNorm):
            part.register_forward_hook(lambda part, _, out: seen.update({part: out.dtype}))
    ids, lengths = torch.randint(5, 20, (3, 9)), torch.tensor([9, 4, 1])
    with torch.inference_mode():
        exact, near = model(ids, lengths, ids, ids), rough(ids, lengths, ids, ids)
    assert {dtype for part, dtype in seen.items() if isinstance(part, torch.nn.Linear)} == {
        torch.bfloat16
    }
    assert {dtype for part, dtype in seen.items() if isinstance(part, torch.nn.LayerNorm)} == {
        torch.float32
    }
    assert all(p.dtype == torch.float32 for p in model.parameters())
    assert not torch.equal(exact, near.float())
    assert (exact - near).abs().max() < 1e-2


def test_bfloat16_is_looked_at_again_after_some_batches() -> None:
    class Turning(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.tensor(1.0))

        def forward(self, steep: torch.Tensor, *inputs: torch.Tensor) -> torch.Tensor:
            return torch.stack([self.weight * 1000.1 * steep, torch.tensor(1000.0) * steep])[None]

    model = HalfModel(Turning(), temperature=1.0)
    flat, steep = torch.tensor(0.0), torch.tensor(1.0)
    for _ in range(CHECKED):
        model(flat, flat, flat, flat)
    assert model.is_trusted
    model(steep, flat, flat, flat)
    assert not model.is_trusted


@pytest.mark.parametrize("kind", ["recurrent", "transformer"])
def test_emails_in_doubt_are_read_in_float32(kind: str, tmp_path: Path) -> None:
    router = make_router(kind)
    emails = list(read_emails(write_rows(tmp_path / "mail.jsonl", 30)))
    batch = router.reader.batch([router.reader.rows(email) for email in emails])
    router.model.second_look = 0.0
    with torch.inference_mode():
        once = HalfModel(router.model, temperature=1.0).eval().rough(*batch.inputs()).float()
    leads = (once[:, 0] - once[:, 1]).abs()
    router.model.second_look = float(leads.median())
    half = HalfModel(router.model, temperature=1.0).eval()
    half.batches = 1  # not one that is looked at
    with torch.inference_mode():
        found, exact = half(*batch.inputs()), router.model(*batch.inputs())
    doubtful = leads < router.model.second_look
    assert 10 < doubtful.sum() < 20
    torch.testing.assert_close(found[doubtful], exact[doubtful], atol=1e-5, rtol=1e-4)
    sure = leads > router.model.second_look + 0.1
    assert torch.equal(found[sure], once[sure])
