"""What the numbers of a comparison say, in words."""

from collections.abc import Sequence

from routing.evaluation.comparison import Comparison, Disturbed, Result, SuiteResult
from routing.evaluation.fewshot import FewShot
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
    head = f"{result.router} is right on {_whole(accuracy)} of {suite.name}"
    kept = f"{_whole(shuffled.survival.value)} of its decisions survive a shuffle of the words"
    if lost.value != lost.value:
        return f"{head}, no better than always naming the commonest route; {kept}."
    if lost.low != lost.low:
        return f"{head}; {_whole(lost.value)} of its skill needs order; {kept}."
    return (
        f"{head}; {_whole(lost.value)} of its skill needs order "
        f"(95\u00a0% interval {_whole(lost.low)} to {_whole(lost.high)}); {kept}."
    )


def _whole(value: float) -> str:
    """Return a share, kept within 0 and 1, as whole per cent."""
    return f"{100 * min(1.0, max(0.0, value)):.0f}\u00a0%"


def _find(disturbed: Sequence[Disturbed], name: str) -> Disturbed | None:
    return next((found for found in disturbed if found.disorder == name), None)


def size_of(suite: SuiteResult | FewShot) -> str:
    """Return how many e-mails, and pairs, a suite has, e.g. ``600 e-mails in 300 pairs``."""
    return f"{suite.emails:,} e-mails" + (f" in {suite.pairs:,} pairs" if suite.pairs else "")


def question(comparison: Comparison) -> str:
    """Return what the comparison is about."""
    if comparison.few_shot and not comparison.suites:
        return "How much mail it takes"
    return "Who reads order, who only counts"


def headline(comparison: Comparison) -> str:
    """Return who reads order and who only counts, in one or two sentences."""
    if comparison.few_shot and not comparison.suites:
        return " ".join(map(_few_shot, comparison.few_shot))
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
    where = suites[0].name if len(suites) == 1 else f"the mean of {len(suites)} suites"
    shares = {name: f"{name} {share(value)}\u00a0%" for name, value in means.items()}
    text = f"Pairs with both members right, {where}."
    if readers:
        text += f" Reading words in order: {', '.join(shares[name] for name in readers)}."
    if counters:
        text += f" Counting words and runs of words: {', '.join(shares[n] for n in counters)}."
    return f"{text} No counter of single words can pass {share(ceiling)}\u00a0%."


def _few_shot(found: FewShot) -> str:
    """Return what each config reaches with the fewest and with the most e-mails."""
    ends = slice(None, None, max(1, len(found.sizes) - 1))
    texts = []
    for curve in found.curves:
        means = [point.measures[found.measure].mean for point in curve.points[ends]]
        values = " and ".join(f"{share(mean)}\u00a0%" for mean in means)
        texts.append(f"{curve.router} {values}")
    measure = found.measure.replace("_", " ")
    sizes = " and after ".join(map(str, found.sizes[ends]))
    return f"On {found.name}, {measure} after {sizes} e-mails of each route: {', '.join(texts)}."
