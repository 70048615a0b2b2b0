"""Trials of several routers on the same suites -> one comparison that a report can print.

Everything here is a function of the predictions and nothing else.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from routing.evaluation.columns import (
    Cluster,
    find_clusters,
    find_disorders,
    find_phenomena,
    make_columns,
    make_measures,
)
from routing.evaluation.curves import Curves, draw_curves
from routing.evaluation.fewshot import FewShot, measure_few_shot
from routing.evaluation.intervals import Estimate, Interval, Resampling, holm, mcnemar
from routing.evaluation.metrics import Floats, RouteScore, confusion, route_scores
from routing.evaluation.order import Ceiling, bag_ceiling
from routing.evaluation.predictions import Evidence, Facts, Prediction, Trial, check_same_emails

OUT_OF_SCOPE = "out_of_scope"
"""The suite of probes, which belong to no route; it is compared on its own."""


@dataclass(frozen=True, slots=True)
class Disturbed:
    """What is left of a router when e-mails are put in disorder.

    Attributes:
        disorder: ``shuffled``, ``sentences``, ``nouns`` or ``negation``.
        emails: how many e-mails of the suite it changes; all else is over those.
        survival: share of the decisions that stay the same.
        before: accuracy on them as they were.
        after: accuracy once changed.
    """

    disorder: str
    emails: int
    survival: Interval
    before: Interval
    after: Interval


@dataclass(frozen=True, slots=True)
class Result:
    """One router on one suite, over all its seeds.

    Attributes:
        router: its name.
        seeds: number of trainings.
        measures: name -> value with interval; nan where a measure is not defined.
        phenomena: phenomenon -> pair consistency with interval.
        disturbed: what is left of it when the order of the e-mails is disturbed.
        routes: precision, recall and F1 of each route, from the e-mails of all seeds.
        confusion: right route down, predicted across: mean e-mails over seeds.
        curves: risk and coverage, reliability, distance.
    """

    router: str
    seeds: int
    measures: Mapping[str, Interval]
    phenomena: Mapping[str, Interval]
    disturbed: tuple[Disturbed, ...]
    routes: tuple[RouteScore, ...]
    confusion: tuple[tuple[float, ...], ...]
    curves: Curves


@dataclass(frozen=True, slots=True)
class Contest:
    """Two routers on the same e-mails.

    Attributes:
        first: name of one router.
        second: name of the other.
        unit: ``pair`` (right when both members are) or ``email``.
        difference: first minus second, in shares of units, paired bootstrap over units and seeds.
        only_first: units that only the first got right (first seed of each).
        only_second: units that only the second got right.
        p_value: exact McNemar, adjusted by Holm over all contests of the suite.
    """

    first: str
    second: str
    unit: str
    difference: Interval
    only_first: int
    only_second: int
    p_value: float


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """All routers on one suite.

    Attributes:
        name: name of the suite.
        emails: how many.
        pairs: how many; 0 for a suite of single e-mails.
        routes: the routes, sorted: the order of every confusion table.
        ceiling: the best that any counter of words can do.
        results: one for each router, in the order given.
        contests: every two routers.
    """

    name: str
    emails: int
    pairs: int
    routes: tuple[str, ...]
    ceiling: Ceiling
    results: tuple[Result, ...]
    contests: tuple[Contest, ...]

    @property
    def measure(self) -> str:
        """The measure that decides: pair consistency where there are pairs, else accuracy."""
        return "pair_consistency" if self.pairs else "accuracy"


@dataclass(frozen=True, slots=True)
class Probe:
    """What a router does with mail of one out-of-scope kind.

    Attributes:
        router: its name.
        kind: ``empty``, ``gibberish`` ….
        emails: how many, over all seeds.
        held: share handed to a person or marked as automatic mail; nan for controls.
        confidence: mean probability of the best route.
    """

    router: str
    kind: str
    emails: int
    held: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Routers side by side.

    Attributes:
        routers: facts on every training of every router.
        suites: results on each suite.
        few_shot: what routers reach with few e-mails, and with more, on each suite.
        probes: what is done with out-of-scope mail.
        warnings: what a reader must know before believing the rest, in words.
        notes: how it came about, in words.
    """

    routers: tuple[Facts, ...]
    suites: tuple[SuiteResult, ...]
    few_shot: tuple[FewShot, ...]
    probes: tuple[Probe, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]


def compare(evidence: Evidence) -> Comparison:
    """Return the comparison of routers; the same for the same evidence, bit for bit.

    Raises CorpusError when a suite has no e-mails, or routers saw different e-mails.
    """
    by_suite: dict[str, list[Trial]] = defaultdict(list)
    few = [trial for trial in evidence.trials if trial.per_route is not None]
    for trial in evidence.trials:
        if trial.per_route is None:
            by_suite[trial.suite].append(trial)
    probes = by_suite.pop(OUT_OF_SCOPE, [])
    suites = tuple(_compare_suite(name, found) for name, found in by_suite.items())
    return Comparison(
        routers=evidence.routers,
        suites=suites,
        few_shot=measure_few_shot(few),
        probes=tuple(_probe(probes)),
        warnings=tuple(find_warnings(suites, evidence.routers)),
        notes=evidence.notes,
    )


def _compare_suite(name: str, trials: Sequence[Trial]) -> SuiteResult:
    check_same_emails(name, trials)
    emails = trials[0].predictions
    routes = sorted(
        {route for t in trials for p in t.predictions for route in (p.route, *p.probabilities)}
    )
    phenomena, disorders = find_phenomena(emails), find_disorders(emails)
    groups: dict[str, list[list[Cluster]]] = defaultdict(list)
    for trial in trials:
        groups[trial.router].append(find_clusters(trial.predictions))
    clusters = groups[trials[0].router][0]
    resampling, measures = Resampling(len(clusters)), make_measures(phenomena, disorders)
    estimates = {
        router: resampling.estimates(
            [
                make_columns(each, routes=routes, phenomena=phenomena, disorders=disorders)
                for each in found
            ],
            measures,
            name=router,
        )
        for router, found in groups.items()
    }
    pairs = sum(bool(members[0].pair) for members in clusters)
    return SuiteResult(
        name=name,
        emails=len(emails),
        pairs=pairs,
        routes=tuple(routes),
        ceiling=bag_ceiling(emails),
        results=tuple(
            _result(router, found, estimates[router], routes) for router, found in groups.items()
        ),
        contests=tuple(_contests(groups, estimates, pairs > 0)),
    )


def _result(
    router: str,
    trainings: Sequence[Sequence[Cluster]],
    estimates: Mapping[str, Estimate],
    routes: Sequence[str],
) -> Result:
    emails = [[item for members in each for item in members] for each in trainings]
    index = {route: place for place, route in enumerate(routes)}
    table = np.mean([_confusion(each, index) for each in emails], axis=0)
    intervals = {name: estimate.interval() for name, estimate in estimates.items()}
    return Result(
        router=router,
        seeds=len(trainings),
        measures={name: found for name, found in intervals.items() if "/" not in name},
        phenomena=_named(intervals, "pair_consistency/"),
        disturbed=tuple(_disturbed(emails[0], intervals)),
        routes=tuple(route_scores(table, routes)),
        confusion=tuple(tuple(map(float, row)) for row in table),
        curves=draw_curves(trainings),
    )


def _named(intervals: Mapping[str, Interval], start: str) -> dict[str, Interval]:
    return {
        name.removeprefix(start): interval
        for name, interval in intervals.items()
        if name.startswith(start)
    }


def _disturbed(
    emails: Sequence[Prediction], intervals: Mapping[str, Interval]
) -> Iterator[Disturbed]:
    for name in find_disorders(emails):
        found = (intervals[f"{kind}/{name}"] for kind in ("survival", "before", "after"))
        yield Disturbed(name, sum(name in item.changed for item in emails), *found)


def _confusion(emails: Sequence[Prediction], index: Mapping[str, int]) -> Floats:
    right = [index[item.route] for item in emails]
    return confusion(right, [index[item.predicted] for item in emails], routes=len(index))


def _contests(
    groups: Mapping[str, Sequence[Sequence[Cluster]]],
    estimates: Mapping[str, Mapping[str, Estimate]],
    paired: bool,
) -> list[Contest]:
    measure = "pair_consistency" if paired else "accuracy"
    found = []
    for first, second in combinations(groups, 2):
        one, other = (_units(groups[name][0], paired) for name in (first, second))
        only = [
            sum(a and not b for a, b in zip(x, y, strict=True))
            for x, y in ((one, other), (other, one))
        ]
        difference = estimates[first][measure].minus(estimates[second][measure])
        found.append((first, second, difference, only, mcnemar(*only)))
    adjusted = holm([row[-1] for row in found])
    unit = "pair" if paired else "email"
    return [
        Contest(first, second, unit, difference, only[0], only[1], p_value)
        for (first, second, difference, only, _), p_value in zip(found, adjusted, strict=True)
    ]


def _only(units: Sequence[bool], others: Sequence[bool]) -> int:
    return sum(one and not other for one, other in zip(units, others, strict=True))


def _units(clusters: Sequence[Cluster], paired: bool) -> list[bool]:
    if paired:
        return [all(item.right for item in members) for members in clusters if members[0].pair]
    return [item.right for members in clusters for item in members]


def _probe(trials: Sequence[Trial]) -> list[Probe]:
    groups: dict[tuple[str, str], list[Prediction]] = defaultdict(list)
    for trial in trials:
        for item in trial.predictions:
            groups[trial.router, item.phenomenon].append(item)
    return [
        Probe(
            router=router,
            kind=kind,
            emails=len(found),
            held=float(np.mean([p.decision == "review" if p.decision else np.nan for p in found])),
            confidence=float(np.mean([max(p.probabilities.values()) for p in found])),
        )
        for (router, kind), found in groups.items()
    ]


def find_warnings(suites: Sequence[SuiteResult], facts: Sequence[Facts]) -> list[str]:
    """Return a sentence for each neural router that does not surely beat the best counter."""
    kinds = {fact.router: fact.kind for fact in facts}
    counters = [name for name, kind in kinds.items() if kind != "neural"]
    warnings = []
    for name in (name for name, kind in kinds.items() if kind == "neural"):
        found = [_shortfall(suite, name, counters) for suite in suites]
        if short := [text for text in found if text]:
            warnings.append(
                f"Do not take {name} for a reader of order on {len(short)} of {len(suites)} "
                "suites: it does not surely beat what only counts words and runs of words. "
                f"Lead in points, with its 95 % interval: {'; '.join(short)}."
            )
    return warnings


def _shortfall(suite: SuiteResult, name: str, counters: Sequence[str]) -> str:
    """Return by how much the best counter is not surely beaten, "" where it is."""
    values = {result.router: result.measures[suite.measure].value for result in suite.results}
    known = [other for other in counters if other in values]
    if name not in values or not known:
        return ""
    best = max(known, key=lambda other: values[other])
    lead = _lead(suite, name, best)
    if lead.low > 0:
        return ""
    low, high = f"{100 * lead.low:+z.1f}", f"{100 * lead.high:+z.1f}"
    return f"{suite.name} {100 * lead.value:+z.1f} ({low} to {high}) over {best}"


def _lead(suite: SuiteResult, name: str, other: str) -> Interval:
    for contest in suite.contests:
        gap = contest.difference
        if (contest.first, contest.second) == (name, other):
            return gap
        if (contest.first, contest.second) == (other, name):
            return Interval(-gap.value, -gap.high, -gap.low)
    raise AssertionError("every two routers of a suite have a contest")
