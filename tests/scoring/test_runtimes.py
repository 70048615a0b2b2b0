from pathlib import Path

import pytest
import torch

from routing.mail import read_emails
from routing.scoring.records import Wishes
from routing.scoring.runtimes import HalfModel, prepare_model
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
