"""Integrated gradients of the logit difference, through captum.

The path from the baseline to the e-mail is cut into segments. What the values of a segment should
add up to is known, the logit difference between its two ends, and so is how far they are from it.
Segments with a large gap are cut again: a trained network may jump by most of its difference
within a thousandth of the path, which hundreds of evenly laid points do not see.
Shape letters: S segments, P pieces (tokens but for word pieces), E embedding.
"""

from dataclasses import dataclass

import numpy as np
import torch
from captum.attr import IntegratedGradients
from torch import Tensor

from routing.explanation.attention import embed_email, embed_texts, network
from routing.explanation.records import Attribution, Completeness
from routing.explanation.variants import UNKNOWN_WORD, Asked, Floats, Places
from routing.models.second_look import doubtful_swap, read_twice_with

TOLERANCE = 0.01
"""Largest completeness gap, as a share of the logit difference to be explained."""

MOST_STEPS = 1024
"""Points on the path at which gradients are taken of one e-mail, at most."""

_FIRST_SEGMENTS = 4
_PARTS = 3
"""Segments into which a segment is cut."""

_POINTS = 6
"""Points of the Gauss-Legendre rule in each segment."""

_BATCH_TOKENS = 8192


@dataclass(frozen=True, slots=True)
class _Segments:
    """Segments of the path.

    Attributes:
        ends: where each begins and ends (S, 2); 0 is the baseline, 1 the e-mail.
        rises: logit difference at its end minus that at its beginning (S,).
        values: its integrated gradients, summed over E (S, P).
    """

    ends: Floats
    rises: Floats
    values: Floats

    def gaps(self) -> Floats:
        """Return how far the values of each are from adding up (S,)."""
        return np.asarray(np.abs(self.values.sum(axis=1) - self.rises))

    def replace(self, places: Places, others: "_Segments") -> "_Segments":
        """Return these without those at ``places``, and ``others``."""
        return _Segments(
            np.concatenate([np.delete(self.ends, places, axis=0), others.ends]),
            np.concatenate([np.delete(self.rises, places), others.rises]),
            np.concatenate([np.delete(self.values, places, axis=0), others.values]),
        )


def integrated_gradients(
    asked: Asked, *, against: int, tolerance: float = TOLERANCE, most_steps: int = MOST_STEPS
) -> tuple[Attribution, Completeness]:
    """Return each token's share of the logit difference and how well the shares add up.

    Sundararajan et al. 2017, section 3, along the straight path from the e-mail in which every
    token is the unknown word. Segments of the path are cut until their gaps together are under
    ``tolerance`` or ``most_steps`` gradients are taken. The gradients of recurrent networks are
    taken without cuDNN, which gives none outside training.
    """
    path = _Path(asked, against=against)
    found = path.measure(np.array([[0.0, 1.0]]), parts=_FIRST_SEGMENTS)
    steps = _FIRST_SEGMENTS * _POINTS
    difference = float(found.rises.sum())
    while True:
        most = (most_steps - steps) // (_PARTS * _POINTS)
        steep = _steep(found.gaps(), allowed=tolerance * abs(difference))[:most]  # (S,)
        if not len(steep):
            break
        found = found.replace(steep, path.measure(found.ends[steep], parts=_PARTS))
        steps += len(steep) * _PARTS * _POINTS
    values = found.values.sum(axis=0)  # (P,)
    gap = abs(float(values.sum()) - difference)
    completeness = Completeness(difference=difference, gap=gap, steps=steps, tolerance=tolerance)
    return _attribution(asked.by_token(values)), completeness


def _steep(gaps: Floats, *, allowed: float) -> Places:
    """Return the places of the largest gaps, largest first; none when all are ``allowed``.

    The gaps of the others add up to half of ``allowed`` at most: the rest is for the new ones.
    """
    if gaps.sum() <= allowed:
        return np.zeros(0, np.int64)
    order = np.argsort(gaps)
    small = np.cumsum(gaps[order]) <= allowed / 2
    return np.asarray(order[~small][::-1])


def _attribution(values: Floats) -> Attribution:
    return Attribution(
        method="integrated_gradients",
        values=tuple(map(float, values)),
        signed=True,
        note="share of the logit difference, against the same e-mail of unknown words",
    )


class _Path:
    """The straight path from the e-mail of unknown words to the e-mail.

    A point is given by how far each piece has come (P,), from 0 to 1, all equally far: the
    gradient by that number, times its way, is the piece's integrated gradient summed over E. It
    is a float64 on the CPU, so that the shortest segments keep their length on every device.
    """

    def __init__(self, asked: Asked, *, against: int) -> None:
        vectors, self._lengths = embed_email(asked)  # (1, P, E), (1,)
        start, _ = embed_texts(asked, [UNKNOWN_WORD] * len(asked.piece_texts))  # (1, P, E)
        self._like = vectors
        self._start = start.double().cpu()
        self._way = vectors.double().cpu() - self._start  # (1, P, E)
        self._model, self._route, self._against = network(asked), asked.route, against
        with torch.no_grad():
            self._swap = doubtful_swap(self._model, vectors, self._lengths)  # (4,)
        self._method = IntegratedGradients(self._difference)

    def _difference(self, far: Tensor) -> Tensor:
        """Return the logit difference (N,) at points (N, P)."""
        vectors = (self._start + far[:, :, None] * self._way).to(self._like)  # (N, P, E)
        lengths = self._lengths.expand(len(vectors))  # (N,)
        if self._swap is None:
            logits = self._model.read(vectors, lengths)[0]  # (N, R)
        else:
            logits = read_twice_with(self._model, vectors, lengths, self._swap)
        return logits[:, self._route] - logits[:, self._against]

    def measure(self, ends: Floats, *, parts: int) -> _Segments:
        """Return segments (S * parts,), those with ``ends`` (S, 2) cut into ``parts``."""
        edges = np.linspace(ends[:, 0], ends[:, 1], parts + 1, axis=1)  # (S, parts + 1)
        with torch.no_grad():
            logits = [self._difference(far) for far in self._batches(edges.ravel(), each=1)]
        heights = torch.cat(logits).double().cpu().numpy().reshape(edges.shape)
        begins, finishes = edges[:, :-1].ravel(), edges[:, 1:].ravel()
        both = zip(
            self._batches(begins, each=_POINTS), self._batches(finishes, each=_POINTS), strict=True
        )
        with torch.backends.cudnn.flags(enabled=False):
            values = [self._method.attribute(b, baselines=a, n_steps=_POINTS) for a, b in both]
        return _Segments(
            ends=np.stack([begins, finishes], axis=1),
            rises=np.diff(heights, axis=1).ravel(),
            values=torch.cat(values).detach().numpy(),
        )

    def _batches(self, far: Floats, *, each: int) -> tuple[Tensor, ...]:
        """Return points (N,) as batches (n, P), every one of which takes ``each`` readings."""
        pieces = self._way.shape[1]
        rows = torch.from_numpy(far)[:, None].expand(-1, pieces)  # (N, P)
        return torch.split(rows, max(1, _BATCH_TOKENS // (each * pieces)))
