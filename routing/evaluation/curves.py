"""The curves of one router on one suite: risk against coverage, reliability, distance."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from routing.evaluation.columns import Cluster
from routing.evaluation.intervals import Interval, wilson
from routing.evaluation.metrics import Bools, Floats, coverage_at, reliability, risk_coverage
from routing.evaluation.order import DISTANCES, distance_bin, distance_name

RISKS = (0.01, 0.02, 0.05, 0.1)
"""Shares misrouted at which coverage is reported."""

POINTS = 50
"""Points of the risk-coverage curve."""


@dataclass(frozen=True, slots=True)
class DistanceBin:
    """Pairs whose deciding words stand so many tokens apart.

    Attributes:
        name: e.g. ``5–9``.
        pairs: how many.
        consistency: pair consistency (mean over seeds) with its Wilson interval over pairs.
    """

    name: str
    pairs: int
    consistency: Interval


@dataclass(frozen=True, slots=True)
class Curves:
    """Points of the curves, shares in [0, 1], means over seeds.

    Attributes:
        risk: (coverage, share misrouted) of the surest e-mails.
        coverage_at: (share misrouted, largest coverage with at most that).
        reliability: (mean probability, share right, e-mails) of each bin that has any.
        distance: pair consistency by distance; empty where distances are not known.
    """

    risk: tuple[tuple[float, float], ...]
    coverage_at: tuple[tuple[float, float], ...]
    reliability: tuple[tuple[float, float, float], ...]
    distance: tuple[DistanceBin, ...]


def draw_curves(trainings: Sequence[Sequence[Cluster]]) -> Curves:
    """Return the curves of a router's trainings, each given as clusters of predictions."""
    found = [_surest(each) for each in trainings]
    grid = np.linspace(1 / POINTS, 1, POINTS)
    risks = np.mean([_at(grid, risk_coverage(*each)) for each in found], axis=0)
    table = np.mean([reliability(*each) for each in found], axis=0)  # (bins, 3)
    return Curves(
        risk=tuple(zip(map(float, grid), map(float, risks), strict=True)),
        coverage_at=tuple(
            (risk, float(np.mean([coverage_at(*each, risk) for each in found]))) for risk in RISKS
        ),
        reliability=tuple(
            (float(total / count), float(hits / count), float(count))
            for count, hits, total in table
            if count
        ),
        distance=_distances(trainings),
    )


def _surest(clusters: Sequence[Cluster]) -> tuple[Floats, Bools]:
    """Return the best probability and whether it is right, of every e-mail (B,)."""
    items = [item for members in clusters for item in members]
    best = np.array([max(item.probabilities.values()) for item in items])
    return best, np.array([item.right for item in items], bool)


def _at(grid: Floats, curve: Floats) -> Floats:
    places = np.ceil(grid * len(curve) - 1e-9).astype(int) - 1
    result: Floats = curve[np.maximum(places, 0), 1]
    return result


def _distances(trainings: Sequence[Sequence[Cluster]]) -> tuple[DistanceBin, ...]:
    both: dict[int, list[bool]] = {}
    for members in (members for each in trainings for members in each):
        if members[0].pair and members[0].distance is not None:
            hit = all(item.right for item in members)
            both.setdefault(distance_bin(members[0].distance), []).append(hit)
    bins = []
    for place in range(len(DISTANCES)):
        if hits := both.get(place):
            pairs = len(hits) // len(trainings)
            consistency = wilson(sum(hits) / len(trainings), pairs)
            bins.append(DistanceBin(distance_name(place), pairs, consistency))
    return tuple(bins)
