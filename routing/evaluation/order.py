"""Does a router read order? Measures on minimal pairs, shuffles and bags of words."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from routing.evaluation.predictions import Prediction

DISTANCES = (0, 5, 10, 20, 50, 100, 200)
"""Least tokens between the deciding words, of each bin of the distance curve."""


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The best that any function of the bag of words can do on a suite; shares in [0, 1].

    Attributes:
        accuracy: each bag gets the route that most of its e-mails have.
        pair_consistency: pairs whose two members have different bags; nan without pairs.
    """

    accuracy: float
    pair_consistency: float


def bag_ceiling(predictions: Sequence[Prediction]) -> Ceiling:
    """Return the ceiling of a bag of words on the e-mails of a suite.

    Two e-mails with one bag are one and the same to it, so of an exact pair it gets at most one.
    """
    bags: dict[str, Counter[str]] = defaultdict(Counter)
    pairs: dict[str, set[str]] = defaultdict(set)
    for item in predictions:
        bags[item.bag][item.route] += 1
        if item.pair:
            pairs[item.pair].add(item.bag)
    best = sum(max(routes.values()) for routes in bags.values())
    apart = sum(len(found) > 1 for found in pairs.values())
    return Ceiling(
        accuracy=best / len(predictions) if predictions else float("nan"),
        pair_consistency=apart / len(pairs) if pairs else float("nan"),
    )


def pair_gap(first: Prediction, second: Prediction) -> float:
    """Return how far the router holds the two members of a pair apart, in [-1, 1].

    1: sure of both and right; -1: sure of both and wrong; 0: it cannot tell them apart, as no
    counter of words can on an exact pair.
    """
    lead = _chance(first, first.route) - _chance(second, first.route)
    return (lead + _chance(second, second.route) - _chance(first, second.route)) / 2


def distance_bin(distance: int) -> int:
    """Return the bin of the distance curve, counted from 0."""
    return sum(distance >= least for least in DISTANCES) - 1


def distance_name(place: int) -> str:
    """Return how a bin is called, e.g. ``5–9``."""
    if place + 1 == len(DISTANCES):
        return f"{DISTANCES[place]}+"
    return f"{DISTANCES[place]}–{DISTANCES[place + 1] - 1}"


def _chance(prediction: Prediction, route: str) -> float:
    return prediction.probabilities.get(route, 0.0)
