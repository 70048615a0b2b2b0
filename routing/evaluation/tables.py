"""A comparison -> sheets: titled tables of words, the same in the terminal, Markdown and HTML."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from routing.evaluation.comparison import Comparison, Contest, Result, SuiteResult
from routing.evaluation.fewshot import FewShot, Spread
from routing.evaluation.intervals import Interval
from routing.evaluation.predictions import Evidence, Facts

MOST_ROUTES = 30
"""Routes listed one by one; of more, those with the most e-mails."""

MISTAKES = 5
"""Surest mistakes listed of each router."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of words.

    Attributes:
        title: what it shows.
        columns: headings; the first heads the names of the rows.
        rows: cells, as many as columns.
        note: how to read it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def percent(interval: Interval) -> str:
    """Return e.g. ``93.1 (91.0–95.2)``, ``–`` where it is not defined."""
    if interval.value != interval.value or interval.low != interval.low:
        return share(interval.value)
    return f"{share(interval.value)} ({share(interval.low)}–{share(interval.high)})"


def share(value: float) -> str:
    """Return a share as per cent without the sign, ``–`` where it is not defined."""
    return "–" if value != value else f"{100 * value:z.1f}"


def spread(value: Spread) -> str:
    """Return e.g. ``93.1 ± 2.0``, without the second number when there is one seed."""
    if value.deviation != value.deviation:
        return share(value.mean)
    return f"{share(value.mean)} ± {share(value.deviation)}"


def router_names(comparison: Comparison) -> list[str]:
    """Return the names of the routers, in the order given."""
    return list(dict.fromkeys(fact.router for fact in comparison.routers))


def ceiling_value(suite: SuiteResult) -> float:
    """Return the bag-of-words ceiling of the measure that decides the suite."""
    return suite.ceiling.pair_consistency if suite.pairs else suite.ceiling.accuracy


def main_sheet(comparison: Comparison) -> Sheet:
    """Return what decides each suite: routers down, suites across."""
    suites = comparison.suites
    rows = []
    for name in router_names(comparison):
        found = [find_result(suite, name) for suite in suites]
        cells = zip(suites, found, strict=True)
        rows.append((name, *(percent(r.measures[s.measure]) if r else "–" for s, r in cells)))
    rows.append(("any bag of words, at most", *(share(ceiling_value(suite)) for suite in suites)))
    return Sheet(
        "Pair consistency (accuracy where there are no pairs), %",
        ("router", *(suite.name for suite in suites)),
        tuple(rows),
        "A pair is consistent when both of its members get their route. In brackets: 95 % "
        "intervals, by bootstrap over pairs and seeds. The last row is the best that any "
        "function of the words alone could do: two e-mails of the same words are one to it.",
    )


def find_result(suite: SuiteResult, router: str) -> Result | None:
    """Return the result of a router on a suite, None where it did not take part."""
    return next((result for result in suite.results if result.router == router), None)


def measures_sheet(suite: SuiteResult) -> Sheet:
    """Return every measure of every router on a suite."""
    columns = {
        "accuracy": "accuracy",
        "macro_f1": "macro-F1",
        "pair_consistency": "pair consistency",
        "margin": "margin",
        "calibration_error": "ECE",
        "automatic": "automatic",
        "misrouted": "of these misrouted",
    }
    if not suite.pairs:
        del columns["pair_consistency"], columns["margin"]
    rows = [
        (
            result.router,
            *(percent(result.measures[name]) for name in columns),
            *(share(found) for _, found in result.curves.coverage_at),
        )
        for result in suite.results
    ]
    risks = [f"coverage at {100 * risk:g} %" for risk, _ in suite.results[0].curves.coverage_at]
    return Sheet(
        "Measures, %",
        ("router", *columns.values(), *risks),
        tuple(rows),
        "Margin: how far apart the probabilities hold the two members of a pair (100: sure of "
        "both and right; 0: it cannot tell them apart). ECE: expected calibration error. "
        "Coverage at x %: the most e-mails that could be decided with x % of them misrouted, "
        "were the threshold known; automatic: what the router's own thresholds decide.",
    )


def order_sheet(suite: SuiteResult) -> Sheet:
    """Return what is left of each router when the order of the e-mails is disturbed."""
    rows = []
    for result in suite.results:
        for found in result.disturbed:
            lost = result.measures["order_share"]
            rows.append(
                (
                    result.router,
                    _DISORDERS.get(found.disorder, found.disorder),
                    str(found.emails),
                    *map(percent, (found.survival, found.before, found.after)),
                    percent(lost) if found.disorder == "shuffled" else "",
                )
            )
    columns = ("router", "disorder", "e-mails changed", "decisions that survive")
    return Sheet(
        "Order disturbed, %",
        (*columns, "accuracy before", "accuracy after", "skill that needs order"),
        tuple(rows),
        "Accuracies are over the e-mails that the disorder changes, against their route as it "
        "was. Skill is accuracy above always naming the commonest route; the part that needs "
        "order is what a shuffle of the words takes away (above 100 where it leaves less than "
        "the commonest route would give).",
    )


_DISORDERS = {
    "shuffled": "words shuffled",
    "sentences": "sentences shuffled",
    "nouns": "two things swapped",
    "negation": "negation moved",
}


def phenomena_sheet(suite: SuiteResult) -> Sheet:
    """Return pair consistency by phenomenon."""
    names = list(suite.results[0].phenomena)
    rows = [
        (name, *(percent(result.phenomena[name]) for result in suite.results)) for name in names
    ]
    columns = ("phenomenon", *(result.router for result in suite.results))
    return Sheet("Pair consistency by phenomenon, %", columns, tuple(rows))


def distance_sheet(suite: SuiteResult) -> Sheet:
    """Return pair consistency by the distance of the deciding words; no rows without any."""
    first = suite.results[0].curves.distance
    rows = [
        (
            bin_.name,
            str(bin_.pairs),
            *(percent(result.curves.distance[place].consistency) for result in suite.results),
        )
        for place, bin_ in enumerate(first)
    ]
    columns = ("tokens between", "pairs", *(result.router for result in suite.results))
    return Sheet("Pair consistency by distance of the deciding words, %", columns, tuple(rows))


def routes_sheet(suite: SuiteResult) -> Sheet:
    """Return precision, recall and F1 of each route, routers across."""
    order = sorted(
        range(len(suite.routes)), key=lambda place: -suite.results[0].routes[place].emails
    )
    rows = []
    for place in sorted(order[:MOST_ROUTES]):
        scores = [result.routes[place] for result in suite.results]
        cells = (" / ".join(map(share, (s.precision, s.recall, s.f1))) for s in scores)
        rows.append((suite.routes[place], f"{scores[0].emails:.0f}", *cells))
    note = "" if len(order) <= MOST_ROUTES else f"The {MOST_ROUTES} commonest of {len(order)}."
    columns = ("route", "e-mails", *(result.router for result in suite.results))
    return Sheet("Precision / recall / F1 by route, %", columns, tuple(rows), note)


def contests_sheet(suite: SuiteResult) -> Sheet:
    """Return every two routers on the same e-mails."""
    rows = [_contest(contest) for contest in suite.contests]
    unit = "pairs" if suite.pairs else "e-mails"
    return Sheet(
        "Two by two",
        (
            "routers",
            "difference, points",
            f"{unit} only the first got right",
            "only the second",
            "p",
        ),
        tuple(rows),
        f"Difference of {suite.measure.replace('_', ' ')} with its 95 % interval, by paired "
        "bootstrap over pairs and seeds. p: exact McNemar test on the first seeds, adjusted "
        "by Holm over the rows of this table.",
    )


def _contest(contest: Contest) -> tuple[str, ...]:
    gap = contest.difference
    return (
        f"{contest.first} – {contest.second}",
        f"{100 * gap.value:+z.1f} ({100 * gap.low:+z.1f} to {100 * gap.high:+z.1f})",
        str(contest.only_first),
        str(contest.only_second),
        "< 0.001" if contest.p_value < 0.001 else f"{contest.p_value:.3f}",
    )


def mistakes_sheet(evidence: Evidence, suite: SuiteResult) -> Sheet:
    """Return the surest mistakes of each router (first seed) on a suite."""
    rows = []
    for trial in evidence.trials:
        if trial.suite != suite.name or trial.seed != 0 or trial.per_route is not None:
            continue
        wrong = [item for item in trial.predictions if not item.right]
        wrong.sort(key=lambda item: (-max(item.probabilities.values()), item.id))
        for item in wrong[:MISTAKES]:
            surest = f"{max(item.probabilities.values()):.3f}"
            rows.append((trial.router, item.id, item.route, item.predicted, surest))
    columns = ("router", "e-mail", "right route", "decided", "probability")
    return Sheet("Surest mistakes", columns, tuple(rows), "E-mails are named, not shown.")


_MEASURES = {
    "accuracy": "Accuracy",
    "macro_f1": "Macro-F1",
    "pair_consistency": "Pair consistency",
}


def few_shot_sheets(found: FewShot) -> list[Sheet]:
    """Return a sheet for each measure, the one that decides first: routers down, sizes across."""
    measures = found.curves[0].points[0].measures
    order = sorted(measures, key=lambda name: name != found.measure)
    return [_few_shot_sheet(found, name) for name in order]


def _few_shot_sheet(found: FewShot, measure: str) -> Sheet:
    rows = []
    for curve in found.curves:
        cells = {point.per_route: spread(point.measures[measure]) for point in curve.points}
        rows.append((curve.router, *(cells.get(size, "–") for size in found.sizes)))
    return Sheet(
        f"{_MEASURES[measure]} by e-mails of each route learned from, %",
        ("router", *map(str, found.sizes)),
        tuple(rows),
        "Mean over seeds ± standard deviation; each seed is another draw of e-mails and another "
        "training. Validation has at most as many e-mails again, to stop and to calibrate by.",
    )


def probes_sheet(comparison: Comparison) -> Sheet:
    """Return what each router does with mail that belongs to no route."""
    kinds = list(dict.fromkeys(probe.kind for probe in comparison.probes))
    found: Mapping[tuple[str, str], str] = {
        (probe.router, probe.kind): f"{share(probe.held)} / {share(probe.confidence)}"
        for probe in comparison.probes
    }
    names = dict.fromkeys(probe.router for probe in comparison.probes)
    rows = tuple((name, *(found[name, kind] for kind in kinds)) for name in names)
    return Sheet(
        "Mail that belongs to no route, %",
        ("router", *kinds),
        rows,
        "Held back for a person (or known as automatic mail) / mean probability of the best "
        "route. Controls hold nothing back.",
    )


def routers_sheet(comparison: Comparison) -> Sheet:
    """Return what each router is: kind, size, training time, speed (means over seeds)."""
    groups: dict[str, list[Facts]] = {}
    for fact in comparison.routers:
        groups.setdefault(fact.router, []).append(fact)
    rows = tuple(
        (
            name,
            _KINDS[facts[0].kind],
            str(len(facts)),
            f"{facts[0].parameters:,}",
            f"{facts[0].size_bytes / 1e6:.1f}",
            _mean([fact.training_emails for fact in facts], ",.0f"),
            _mean([fact.training_seconds for fact in facts], ",.0f"),
            _mean([fact.emails_per_second for fact in facts], ",.0f"),
        )
        for name, facts in groups.items()
    )
    columns = ("router", "kind", "seeds", "numbers learned", "MB", "e-mails learned from")
    return Sheet(
        "Routers",
        (*columns, "training, s", "e-mails/s"),
        rows,
        "Times were measured where each was trained and where this comparison was made.",
    )


_KINDS = {
    "neural": "reads words in order",
    "counting": "counts words",
    "control": "control: counts runs of 1–3 words",
}


def _mean(values: Sequence[float | None], form: str) -> str:
    known = [value for value in values if value is not None]
    return format(sum(known) / len(known), form) if known else "–"


def suite_sheets(suite: SuiteResult, evidence: Evidence) -> Iterator[Sheet]:
    """Yield every sheet of a suite that has rows."""
    sheets = [measures_sheet(suite), order_sheet(suite), contests_sheet(suite)]
    if suite.pairs:
        sheets += [phenomena_sheet(suite), distance_sheet(suite)]
    sheets += [routes_sheet(suite), mistakes_sheet(evidence, suite)]
    yield from (sheet for sheet in sheets if sheet.rows)
