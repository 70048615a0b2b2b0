"""The three routers that a newcomer fits first, side by side."""

from collections.abc import Mapping

from routing.corpus.suites import make_suite
from routing.evaluation.comparison import Comparison
from routing.training.run import Fitted
from routing.training.trials import Suite, compare_routers, pair_suite

SUITES = ("in_distribution", "unseen_words", "unseen_constructions", "written")
SUITE_PAIRS = 500


def compare_fits(fits: Mapping[str, Fitted]) -> Comparison:
    """Return the comparison of fits, given by name, on the same e-mails.

    On the Cartwise corpus these are the main suites; on own e-mails the test split, where there
    is none the validation split.
    """
    first = next(iter(fits.values()))
    if first.router.settings.data.train is None:
        suites = [pair_suite(name, make_suite(name, count=SUITE_PAIRS)) for name in SUITES]
    elif first.splits.test:
        suites = [Suite("test", first.splits.test)]
    else:
        suites = [Suite("validation", first.splits.validation)]
    return compare_routers({name: fit.router for name, fit in fits.items()}, suites)
