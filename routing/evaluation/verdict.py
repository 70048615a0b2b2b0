"""What the numbers of a comparison say, in words."""

from collections.abc import Sequence

from routing.evaluation.comparison import Comparison, Disturbed, Result, SuiteResult
from routing.evaluation.tables import ceiling_value, share


def audit_sentences(suite: SuiteResult) -> list[str]:
    """Return a sentence on each router: how much of its skill on a suite needs order."""
    found = [_audit(result, suite) for result in suite.results]
    return [sentence for sentence in found if sentence]


def _audit(result: Result, suite: SuiteResult) -> str:
    shuffled = _find(result.disturbed, "shuffled")
    if shuffled is None:
        return ""
    accuracy, lost = result.measures["accuracy"].value, result.measures["order_share"]
    head = f"{result.router} is right on {accuracy:.0%} of {suite.name}"
    kept = f"{shuffled.survival.value:.0%} of its decisions survive a shuffle of the words"
    if lost.value != lost.value:
        return f"{head}, no better than always naming the commonest route; {kept}."
    if lost.low != lost.low:
        return f"{head}; {lost.value:.0%} of its skill needs order; {kept}."
    return (
        f"{head}; {max(0.0, lost.value):.0%} of its skill needs order "
        f"(95 % interval {max(0.0, lost.low):.0%} to {max(0.0, lost.high):.0%}); {kept}."
    )


def _find(disturbed: Sequence[Disturbed], name: str) -> Disturbed | None:
    return next((found for found in disturbed if found.disorder == name), None)


def headline(comparison: Comparison) -> str:
    """Return who reads order and who only counts, in one or two sentences."""
    suites = [suite for suite in comparison.suites if suite.pairs]
    if not suites:
        return "No minimal pairs here: these e-mails cannot show alone who reads order."
    kinds = {fact.router: fact.kind for fact in comparison.routers}
    values = {
        name: [
            result.measures["pair_consistency"].value
            for suite in suites
            for result in suite.results
            if result.router == name
        ]
        for name in kinds
    }
    means = {name: sum(found) / len(found) for name, found in values.items() if found}
    readers = sorted((n for n in means if kinds[n] == "neural"), key=lambda n: -means[n])
    counters = sorted((n for n in means if kinds[n] != "neural"), key=lambda n: -means[n])
    ceiling = sum(map(ceiling_value, suites)) / len(suites)
    parts = [f"{name} {share(means[name])} %" for name in readers]
    text = f"Both members of a pair right, mean of {len(suites)} suites"
    text = text.replace("mean of 1 suites", suites[0].name)
    counted = ", ".join(f"{name} {share(means[name])} %" for name in counters)
    counting = f" Those that count: {counted}." if counters else ""
    reading = f" Those that read in order: {', '.join(parts)}." if parts else ""
    return f"{text}.{reading}{counting} A perfect counter of words: {share(ceiling)} %."
