"""Intervals by bootstrap over pairs and seeds, and exact tests.

Every measure here is a function of sums over clusters (a cluster is a minimal pair, or one
e-mail without a pair), so that one draw of clusters serves every router: differences are paired.
Shape letters: S resamples, C clusters, K summed columns.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr

Floats = npt.NDArray[np.float64]
Sums = Mapping[str, Floats]
"""Columns by name: (C, K) before summing over clusters, (…, K) after."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure made of sums.

    Attributes:
        value: sums (…, K) -> values (…).
        units: sums (K,) -> how many things it is a share of; None when it is no share.
    """

    value: Callable[[Sums], Floats]
    units: Callable[[Sums], Floats] | None = None


RESAMPLES = 1000
COVERAGE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A value and the interval that holds it in 95 % of the resamples; nan where undefined."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure: its value over all e-mails (mean over seeds) and its resamples (S,).

    ``units`` is how many things a share is a share of, 0 for a measure that is no share.
    """

    value: float
    draws: Floats
    units: int = 0

    def interval(self) -> Interval:
        """Return the value with its percentile interval (Efron & Tibshirani 1993, chapter 13).

        A share of none or all says nothing by resampling: it gets Wilson's interval instead.
        """
        if self.units and self.value in (0.0, 1.0):
            return wilson(self.value * self.units, self.units)
        if np.isnan(self.draws).all():
            return Interval(self.value, float("nan"), float("nan"))
        tail = 50 * (1 - COVERAGE)
        low, high = np.nanpercentile(self.draws, [tail, 100 - tail])
        return Interval(self.value, float(low), float(high))

    def minus(self, other: "Estimate") -> Interval:
        """Return the paired difference to the same measure of another router."""
        return Estimate(self.value - other.value, self.draws - other.draws).interval()


class Resampling:
    """Resamples of the clusters of one suite, the same for every router.

    Args:
        clusters: C.
        resamples: S.
        seed: of the draws.
    """

    def __init__(self, clusters: int, *, resamples: int = RESAMPLES, seed: int = 0) -> None:
        self.clusters = clusters
        self.resamples = resamples
        self.seed = seed

    def estimates(
        self, trainings: Sequence[Sums], measures: Mapping[str, Measure], *, name: str = ""
    ) -> dict[str, Estimate]:
        """Return one router's measures, its trainings drawn with replacement as well.

        ``trainings`` holds the columns (C, K) of each seed; ``name`` decides the draws of seeds.
        """
        whole = [{key: column.sum(axis=0) for key, column in each.items()} for each in trainings]
        drawn = self._draw_sums(trainings)
        rng = np.random.default_rng([self.seed, *name.encode()])
        shape = (len(trainings), self.resamples)
        chosen = rng.integers(len(trainings), size=shape)
        found = {}
        for key, measure in measures.items():
            values = np.stack([_measure(measure, sums, shape[1:]) for sums in drawn])
            draws = np.take_along_axis(values, chosen, axis=0).mean(axis=0)  # (S,)
            units = int(measure.units(whole[0])) if measure.units else 0
            value = float(np.mean([_measure(measure, sums, ()) for sums in whole]))
            found[key] = Estimate(value, draws, units)
        return found

    def _draw_sums(self, trainings: Sequence[Sums]) -> list[dict[str, Floats]]:
        """Return each training's sums over every resample: (S, K) by name."""
        parts: list[dict[str, list[Floats]]] = [{key: [] for key in each} for each in trainings]
        for weights in self._weights():
            for part, columns in zip(parts, trainings, strict=True):
                for key, column in columns.items():
                    part[key].append(weights @ column)
        return [{key: np.concatenate(found) for key, found in part.items()} for part in parts]

    def _weights(self, chunk: int = 100) -> Iterator[Floats]:
        """Yield how often each cluster is drawn, some resamples at a time: (chunk, C)."""
        rng = np.random.default_rng(self.seed)
        for start in range(0, self.resamples, chunk):
            weights = np.zeros((min(chunk, self.resamples - start), self.clusters))
            for row in weights:
                drawn = rng.integers(self.clusters, size=self.clusters)
                row += np.bincount(drawn, minlength=self.clusters)
            yield weights


def _measure(measure: Measure, sums: Sums, shape: tuple[int, ...]) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.broadcast_to(np.asarray(measure.value(sums), float), shape)


def wilson(hits: float, count: int) -> Interval:
    """Return the share ``hits / count`` with its 95 % interval (Wilson 1927); nan without any."""
    if not count:
        return Interval(float("nan"), float("nan"), float("nan"))
    z, share = 1.959963984540054, hits / count
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z * sqrt(share * (1 - share) / count + z * z / (4 * count**2)) / (1 + z * z / count)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p-value (McNemar 1947) that two routers err alike.

    Args:
        only_first: e-mails (or pairs) that only the first router got right.
        only_second: those that only the second got right.
    """
    count, least = only_first + only_second, min(only_first, only_second)
    return min(1.0, 2 * float(bdtr(least, count, 0.5))) if count else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values adjusted for being several (Holm 1979), in their order."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted
