"""Predictions -> columns that are summed over clusters, and the measures made of the sums.

A cluster is a minimal pair (or a group of e-mails of one bag of words), or one e-mail alone.
Shape letters: C clusters, K columns of one name, R routes, P phenomena.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from routing.evaluation.intervals import Measure, Sums
from routing.evaluation.metrics import BINS, Floats
from routing.evaluation.order import pair_gap
from routing.evaluation.predictions import Prediction, best_route

Cluster = tuple[Prediction, ...]

SHUFFLED = "shuffled"
"""Name of the disorder whose survival every comparison reports."""


def find_clusters(predictions: Sequence[Prediction]) -> list[Cluster]:
    """Return e-mails by pair, each without a pair alone, in the order of their first member."""
    found: dict[str, list[Prediction]] = {}
    for place, item in enumerate(predictions):
        found.setdefault(item.pair or f"\0{place}", []).append(item)
    return [tuple(members) for members in found.values()]


def find_phenomena(predictions: Sequence[Prediction]) -> list[str]:
    """Return the phenomena of the pairs, sorted."""
    return sorted({item.phenomenon for item in predictions if item.pair and item.phenomenon})


def find_disorders(predictions: Sequence[Prediction]) -> list[str]:
    """Return the disorders that changed any e-mail, in their order."""
    return list(dict.fromkeys(name for item in predictions for name in item.changed))


def make_columns(
    clusters: Sequence[Cluster],
    *,
    routes: Sequence[str],
    phenomena: Sequence[str],
    disorders: Sequence[str],
) -> dict[str, Floats]:
    """Return the columns (C, K) by name that all measures are made of."""
    index = {route: place for place, route in enumerate(routes)}
    count = len(clusters)
    columns = {
        name: np.zeros((count, width))
        for name, width in {
            "emails": 1, "hits": 1, "pairs": 1, "both": 1, "gap": 1,
            "auto": 1, "auto_hits": 1, "shuffled_hits": 1,
            "actual": len(routes), "predicted": len(routes), "route_hits": len(routes),
            "bin_emails": BINS, "bin_hits": BINS, "bin_sums": BINS,
            "phenomenon_pairs": len(phenomena), "phenomenon_both": len(phenomena),
            "touched": len(disorders), "survived": len(disorders),
            "hits_before": len(disorders), "hits_after": len(disorders),
        }.items()
    }  # fmt: skip
    for row, members in enumerate(clusters):
        for item in members:
            _add_email(columns, row, item, index)
            _add_disorders(columns, row, item, disorders)
        if members[0].pair:
            _add_pair(columns, row, members, phenomena)
    return columns


def _add_email(
    columns: dict[str, Floats], row: int, item: Prediction, index: dict[str, int]
) -> None:
    predicted, best = item.predicted, max(item.probabilities.values())
    hit = float(predicted == item.route)
    columns["emails"][row] += 1
    columns["hits"][row] += hit
    columns["actual"][row, index[item.route]] += 1
    columns["predicted"][row, index[predicted]] += 1
    columns["route_hits"][row, index[item.route]] += hit
    place = min(int(best * BINS), BINS - 1)
    columns["bin_emails"][row, place] += 1
    columns["bin_hits"][row, place] += hit
    columns["bin_sums"][row, place] += best
    if item.decision == "auto":
        columns["auto"][row] += 1
        columns["auto_hits"][row] += hit
    after = best_route(item.changed.get(SHUFFLED, item.probabilities))
    columns["shuffled_hits"][row] += after == item.route


def _add_disorders(
    columns: dict[str, Floats], row: int, item: Prediction, disorders: Sequence[str]
) -> None:
    for place, name in enumerate(disorders):
        if name in item.changed:
            after = best_route(item.changed[name])
            columns["touched"][row, place] += 1
            columns["survived"][row, place] += after == item.predicted
            columns["hits_before"][row, place] += item.right
            columns["hits_after"][row, place] += after == item.route


def _add_pair(
    columns: dict[str, Floats], row: int, members: Cluster, phenomena: Sequence[str]
) -> None:
    both = float(all(item.right for item in members))
    gaps = [pair_gap(a, b) for a, b in combinations(members, 2) if a.route != b.route]
    columns["pairs"][row] = 1
    columns["both"][row] = both
    columns["gap"][row] = sum(gaps) / max(1, len(gaps))
    if members[0].phenomenon in phenomena:
        place = phenomena.index(members[0].phenomenon)
        columns["phenomenon_pairs"][row, place] = 1
        columns["phenomenon_both"][row, place] = both


def make_measures(phenomena: Sequence[str], disorders: Sequence[str]) -> dict[str, Measure]:
    """Return every measure by name; ``pair_consistency/<phenomenon>`` and, of the e-mails that a
    disorder changes, ``survival/``, ``before/`` and ``after/<disorder>`` (accuracy) among them.
    """
    measures = {
        "accuracy": _share("hits", "emails"),
        "macro_f1": Measure(_macro_f1),
        "pair_consistency": _share("both", "pairs"),
        "margin": Measure(partial(_ratio, above="gap", below="pairs")),
        "calibration_error": Measure(_calibration_error),
        "automatic": _share("auto", "emails"),
        "misrouted": Measure(_misrouted),
        "order_share": Measure(_order_share),
    }
    for place, name in enumerate(phenomena):
        found = _share("phenomenon_both", "phenomenon_pairs", place)
        measures[f"pair_consistency/{name}"] = found
    for place, name in enumerate(disorders):
        measures[f"survival/{name}"] = _share("survived", "touched", place)
        measures[f"before/{name}"] = _share("hits_before", "touched", place)
        measures[f"after/{name}"] = _share("hits_after", "touched", place)
    return measures


def _share(above: str, below: str, place: int = 0) -> Measure:
    return Measure(
        partial(_ratio, above=above, below=below, place=place),
        units=lambda sums: sums[below][..., place],
    )


def _ratio(sums: Sums, *, above: str, below: str, place: int = 0) -> Floats:
    result: Floats = sums[above][..., place] / sums[below][..., place]
    return result


def _misrouted(sums: Sums) -> Floats:
    """Return the share of the automatic decisions that is wrong."""
    return 1 - _ratio(sums, above="auto_hits", below="auto")


def _order_share(sums: Sums) -> Floats:
    """Return the share of the skill that is lost when the words are shuffled.

    Skill is accuracy above that of always naming the commonest route; nan without any.
    """
    skill = sums["hits"][..., 0] - sums["actual"].max(axis=-1)
    lost = sums["hits"][..., 0] - sums["shuffled_hits"][..., 0]
    return np.where(skill > 0, lost / np.where(skill > 0, skill, 1), np.nan)


def _macro_f1(sums: Mapping[str, Floats]) -> Floats:
    """Return the mean F1 over the routes that occur, right or predicted."""
    totals = sums["actual"] + sums["predicted"]
    scores = np.where(totals > 0, 2 * sums["route_hits"] / np.maximum(totals, 1), np.nan)
    result: Floats = np.nanmean(scores, axis=-1)
    return result


def _calibration_error(sums: Mapping[str, Floats]) -> Floats:
    gaps = np.abs(sums["bin_hits"] - sums["bin_sums"]).sum(axis=-1)
    result: Floats = gaps / sums["bin_emails"].sum(axis=-1)
    return result
