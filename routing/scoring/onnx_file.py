"""A neural model as an ONNX file, with any number of e-mails and tokens, and back as a model.

Shape letters: B e-mails, T tokens, U distinct words of a batch, P pieces of a word, E embedding,
R routes.
"""

import contextlib
import io
import warnings
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from routing.errors import MissingExtraError, RunError, ScoringError
from routing.models.pretrained import PretrainedModel
from routing.models.second_look import ReadingModel, read_twice
from routing.models.words import WordVectors
from routing.router import Router, softmax

INPUTS = ("token_ids", "lengths", "word_ids", "piece_ids")
TOLERANCE = 1e-4
"""Largest difference of a probability that an export may bring."""

_AXES = {
    "token_ids": {0: "B", 1: "T"},
    "lengths": {0: "B"},
    "word_ids": {0: "U"},
    "piece_ids": {0: "U", 1: "P"},
    "logits": {0: "B"},
}


def export_onnx(router: Router, file: Path | str) -> None:
    """Write the router's model as ONNX: int64 ``token_ids lengths word_ids piece_ids`` to logits.

    The graph takes any B, T, U and P; logits are (B, R), not yet calibrated.

    Raises MissingExtraError without the extra ``onnx``, RunError for a model that has no graph of
    this kind, ScoringError when the file cannot be written.
    """
    try:
        import onnx  # noqa: F401
    except ImportError:
        raise MissingExtraError("onnx", "ONNX files") from None
    if not isinstance(router.model, nn.Module) or isinstance(router.model, PretrainedModel):
        raise RunError(
            f"model.kind {router.settings.model.kind!r} has no ONNX form here; "
            "give a recurrent or transformer run"
        )
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            # Tracing keeps the LSTM one operator; the newer exporter takes it apart.
            torch.onnx.export(
                Graph(router.model).eval(),
                example_inputs(emails=3, tokens=7, seed=0, words=2, pieces=1),
                str(file),
                input_names=list(INPUTS),
                output_names=["logits"],
                dynamic_axes=_AXES,
                opset_version=17,
                dynamo=False,
            )
    except OSError as problem:
        raise ScoringError(f"cannot write {file}: {problem.strerror or problem}") from problem


def largest_difference(router: Router, file: Path | str, *, batches: int = 8) -> float:
    """Return by how much probabilities of the ONNX file differ at most, over mixed batches.

    Raises ScoringError when it is more than TOLERANCE.
    """
    assert isinstance(router.model, nn.Module)
    model = OnnxModel(file)
    vectors = router.model.vectors
    assert isinstance(vectors, WordVectors)
    words = vectors.words.num_embeddings
    pieces = vectors.pieces.num_embeddings if vectors.pieces is not None else 1
    found = 0.0
    for seed in range(batches):
        inputs = example_inputs(
            emails=1 + 5 * seed, tokens=1 + 17 * seed, seed=seed, words=words, pieces=pieces
        )
        with torch.inference_mode():
            here, there = (m(*inputs).double().numpy() for m in (router.model, model))
        temperature = router.calibration.temperature
        gap = np.abs(softmax(here / temperature) - softmax(there / temperature)).max()
        found = max(found, float(gap))
    if not found <= TOLERANCE:
        raise ScoringError(
            f"{file}: probabilities differ by {found:.1e}, more than {TOLERANCE:.0e}; "
            "score with --runtime torch"
        )
    return found


def example_inputs(
    *, emails: int, tokens: int, seed: int, words: int, pieces: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return a batch of random e-mails of 1 to ``tokens`` tokens.

    ``words`` and ``pieces`` are the rows of the model's tables.
    """
    random = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, tokens + 1, (emails,), generator=random)
    lengths[0] = tokens
    mask = torch.arange(tokens)[None, :] < lengths[:, None]  # (B, T)
    table = tokens + 2
    token_ids = torch.randint(1, table, (emails, tokens), generator=random) * mask  # (B, T)
    word_ids = torch.randint(1, max(2, words), (table,), generator=random)  # (U,)
    piece_ids = torch.randint(0, max(1, pieces), (table, 6), generator=random)  # (U, P)
    word_ids[0], piece_ids[0] = 0, 0
    return token_ids, lengths, word_ids, piece_ids


class Graph(nn.Module):
    """A model in operators that ONNX has: the mean of word pieces written out."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, token_ids: Tensor, lengths: Tensor, word_ids: Tensor, piece_ids: Tensor
    ) -> Tensor:
        """Return the logits (B, R) of a batch (see ``routing.corpus.batches.Batch``)."""
        vectors = self.model.vectors
        assert isinstance(vectors, WordVectors)
        table = functional.embedding(word_ids, vectors.words.weight)  # (U, E)
        if vectors.pieces is not None:
            real = piece_ids != 0  # (U, P)
            pieces = functional.embedding(piece_ids, vectors.pieces.weight)  # (U, P, E)
            count = real.sum(dim=1, keepdim=True).clamp(min=1)  # (U, 1)
            table = table + (pieces * real[:, :, None]).sum(dim=1) / count
        return read_twice(
            cast(ReadingModel, self.model), functional.embedding(token_ids, table), lengths
        )


class OnnxModel(nn.Module):
    """An ONNX file as a model that is called like the one it was made of, on the processor.

    Args:
        file: what ``export_onnx`` wrote.
        threads: of one call; 0: as many as there are processors.

    Raises MissingExtraError without the extra ``onnx``.
    """

    def __init__(self, file: Path | str, *, threads: int = 0) -> None:
        super().__init__()
        try:
            import onnxruntime
        except ImportError:
            raise MissingExtraError("onnx", "ONNX files") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self._session: Any = onnxruntime.InferenceSession(
            str(file), options, providers=["CPUExecutionProvider"]
        )
        self._needed = {given.name for given in self._session.get_inputs()}
        self._device = nn.Parameter(torch.zeros(()), requires_grad=False)

    def forward(
        self, token_ids: Tensor, lengths: Tensor, word_ids: Tensor, piece_ids: Tensor
    ) -> Tensor:
        """Return the logits (B, R) of a batch (see ``routing.corpus.batches.Batch``)."""
        given = zip(INPUTS, (token_ids, lengths, word_ids, piece_ids), strict=True)
        inputs = {name: x.numpy() for name, x in given if name in self._needed}
        (logits,) = self._session.run(None, inputs)
        return torch.from_numpy(logits)
