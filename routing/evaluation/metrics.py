"""Right and predicted routes -> accuracy, F1, calibration, risk and coverage.

Shape letters: B e-mails, R routes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

BINS = 15
"""Bins of equal width over the best route's probability."""


def accuracy(right: Sequence[int], predicted: Sequence[int]) -> float:
    """Return the share in [0, 1] of e-mails whose predicted route is right."""
    return float(np.mean(np.asarray(right) == np.asarray(predicted)))


def macro_f1(right: Sequence[int], predicted: Sequence[int], *, routes: int) -> float:
    """Return the mean F1 in [0, 1] over the routes that occur in either list."""
    table = confusion(right, predicted, routes=routes)
    hits, totals = table.diagonal(), table.sum(0) + table.sum(1)
    return float(np.mean(2 * hits[totals > 0] / totals[totals > 0]))


def confusion(right: Sequence[int], predicted: Sequence[int], *, routes: int) -> Floats:
    """Return (R, R) numbers of e-mails: right route down, predicted route across."""
    table = np.zeros((routes, routes))
    np.add.at(table, (np.asarray(right, int), np.asarray(predicted, int)), 1)
    return table


@dataclass(frozen=True, slots=True)
class RouteScore:
    """One route: shares in [0, 1], nan where undefined, and how many e-mails are its own."""

    route: str
    precision: float
    recall: float
    f1: float
    emails: float


def route_scores(table: Floats, routes: Sequence[str]) -> list[RouteScore]:
    """Return precision, recall and F1 of each route of a confusion table (R, R)."""
    hits, actual, predicted = table.diagonal(), table.sum(axis=1), table.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        columns = hits / predicted, hits / actual, 2 * hits / (actual + predicted), actual
    rows = zip(routes, *(map(float, column) for column in columns), strict=True)
    return [RouteScore(*row) for row in rows]


def calibration_error(probabilities: Floats, right: Sequence[int], *, bins: int = BINS) -> float:
    """Return the expected calibration error in [0, 1] (Guo et al. 2017, eq. 5).

    ``probabilities`` (B, R); ``bins`` of equal width over the best route's probability.
    """
    best = probabilities.max(axis=1)
    hits = probabilities.argmax(axis=1) == np.asarray(right)
    table = reliability(best, hits, bins=bins)
    return float(np.abs(table[:, 1] - table[:, 2]).sum() / max(1, len(best)))


def reliability(best: Floats, hits: Bools, *, bins: int = BINS) -> Floats:
    """Return (bins, 3) for each bin of probability: e-mails, hits, sum of probabilities."""
    places = confidence_bin(best, bins=bins)
    columns = (np.ones(len(best)), hits.astype(float), best)
    return np.stack([np.bincount(places, weights=c, minlength=bins) for c in columns], axis=1)


def confidence_bin(best: Floats, *, bins: int = BINS) -> npt.NDArray[np.int64]:
    """Return the bin (B,) of each best probability (B,)."""
    return np.minimum((best * bins).astype(np.int64), bins - 1)


def risk_coverage(best: Floats, hits: Bools) -> Floats:
    """Return (B, 2) coverage and risk when the k surest e-mails are decided, k = 1 … B.

    Risk is the share of those that is misrouted (Geifman & El-Yaniv 2017, section 2). E-mails of
    one probability count as one step: each gets the risk of all of them.
    """
    order = np.argsort(-best, kind="stable")
    wrong = np.cumsum(~hits[order])
    taken = np.arange(1, len(best) + 1)
    last = np.searchsorted(-best[order], -best[order], side="right") - 1
    return np.stack([taken / max(1, len(best)), wrong[last] / taken[last]], axis=1)


def coverage_at(best: Floats, hits: Bools, risk: float) -> float:
    """Return the largest share of e-mails that can be decided with at most ``risk`` misrouted."""
    order = np.argsort(-best, kind="stable")
    misrouted = np.cumsum(~hits[order]) / np.arange(1, len(best) + 1)
    whole = np.append(np.diff(best[order]) != 0, True)[: len(best)]
    good = np.nonzero(whole & (misrouted <= risk))[0]
    return float((good[-1] + 1) / len(best)) if len(good) else 0.0
