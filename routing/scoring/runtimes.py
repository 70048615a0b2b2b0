"""What a neural model runs on: torch in float32 or bfloat16, or ONNX Runtime."""

import copy
import tempfile
from pathlib import Path

import torch
from torch import Tensor, nn

from routing.errors import SettingsError
from routing.models.pretrained import PretrainedModel
from routing.router import Router
from routing.scoring.records import Wishes

TOLERANCE = 1e-2
"""Largest change of a probability that bfloat16 may bring; beyond it float32 is used."""

_SLACK = 0.1
"""What rounding may take off a lead."""

CHECKED = 64
"""Every how many batches are run in float32 as well."""


class Autocast(nn.Module):
    """A model whose products are in bfloat16, what they are added to in float32.

    Args:
        model: the weights of its products may be in bfloat16 already.
    """

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(self, token_ids: Tensor, *inputs: Tensor) -> Tensor:
        """Return the model's logits (B, R)."""
        with torch.autocast(token_ids.device.type, dtype=torch.bfloat16):
            logits: Tensor = self.model(token_ids, *inputs)
            return logits


def make_rough(model: nn.Module) -> nn.Module:
    """Return a copy of a model in bfloat16.

    Of a pretrained encoder only the products: where the states between its layers are in bfloat16
    too, some probabilities move by more than TOLERANCE.
    """
    rough = copy.deepcopy(model)
    if not isinstance(rough, PretrainedModel):
        return rough.bfloat16()
    for layer in rough.encoder.modules():
        if isinstance(layer, nn.Linear):
            layer.bfloat16()
    return Autocast(rough)


class HalfModel(nn.Module):
    """A model in bfloat16 that still gives float32 logits, and float32 throughout where it errs.

    The first batch and every CHECKED-th one after it are run in both: once probabilities differ
    by more than TOLERANCE, every batch is run in float32. E-mails that are read twice are read
    in float32: which words are swapped must not hang on rounding.

    Args:
        model: in float32; it is kept.
        temperature: of the calibration.
    """

    def __init__(self, model: nn.Module, *, temperature: float) -> None:
        super().__init__()
        self.exact = model
        self.rough = make_rough(model)
        self.doubt = float(getattr(model, "second_look", 0.0))
        for part in self.rough.modules():
            if hasattr(part, "second_look"):
                part.second_look = 0.0  # type: ignore[assignment]
        self.temperature = temperature
        self.is_trusted = True
        self.batches = 0

    def forward(
        self, token_ids: Tensor, lengths: Tensor, word_ids: Tensor, piece_ids: Tensor
    ) -> Tensor:
        """Return the logits (B, R) of a batch (see ``routing.corpus.batches.Batch``)."""
        inputs = (token_ids, lengths, word_ids, piece_ids)
        check = self.batches % CHECKED == 0
        self.batches += 1
        if not self.is_trusted:
            return self._exactly(*inputs)
        logits = self._sharpen(self.rough(*inputs).float(), inputs)
        if not check:
            return logits
        true = self._exactly(*inputs)
        gap = self._probabilities(logits) - self._probabilities(true)
        self.is_trusted = bool(gap.abs().max() <= TOLERANCE)
        return true

    def _exactly(self, *inputs: Tensor) -> Tensor:
        logits: Tensor = self.exact(*inputs)
        return logits

    def _sharpen(self, logits: Tensor, inputs: tuple[Tensor, ...]) -> Tensor:
        """Return the logits (B, R), those of e-mails that may be in doubt as float32 has them."""
        if self.doubt == 0:
            return logits
        token_ids, lengths, *words = inputs
        doubtful = (logits[:, 0] - logits[:, 1]).abs() < self.doubt + _SLACK  # (B,)
        rows = doubtful.nonzero().squeeze(1)  # (D,)
        if not len(rows):
            return logits
        width = int(lengths[rows].max())
        exact = self._exactly(token_ids[rows, :width], lengths[rows], *words)
        return logits.index_copy(0, rows, exact)

    def _probabilities(self, logits: Tensor) -> Tensor:
        return (logits / self.temperature).softmax(dim=1)


def prepare_model(router: Router, wishes: Wishes) -> str:
    """Make ``router`` run as wished; return what the user should know, "" for nothing.

    Raises SettingsError when the run's model cannot run so, MissingExtraError without ONNX.
    """
    model = router.model
    if wishes.runtime == "onnx":
        router.model = _onnx(router)
    elif wishes.precision == "bfloat16":
        if not isinstance(model, nn.Module):
            kind = router.settings.model.kind
            raise SettingsError(
                f"--precision bfloat16 is not for model.kind {kind!r}: leave it out"
            )
        half = HalfModel(model, temperature=router.calibration.temperature)
        router.model = half.eval()
        if not has_fast_bfloat16(next(model.parameters()).device):
            return "this processor has no fast bfloat16: float32 would be as quick"
    return ""


def has_fast_bfloat16(device: torch.device) -> bool:
    """Return whether matrix products in bfloat16 are faster than in float32 there."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    flags = Path("/proc/cpuinfo")
    text = flags.read_text(encoding="utf-8", errors="replace") if flags.exists() else ""
    return "amx_bf16" in text or "avx512_bf16" in text


def _onnx(router: Router) -> nn.Module:
    from routing.scoring.onnx_file import OnnxModel, export_onnx

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.onnx"
        export_onnx(router, file)
        return OnnxModel(file, threads=torch.get_num_threads())
