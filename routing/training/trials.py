"""Routers -> predictions on suites: what every comparison is made from.

Shape letters: B e-mails, R routes.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from routing.corpus.pairs import pair_emails
from routing.corpus.suites import make_suite, read_cards
from routing.evaluation.comparison import Comparison, compare
from routing.evaluation.predictions import DECIMALS, Facts, Prediction, Trial
from routing.records import Decision, Email, LabelledEmail, Pair
from routing.router import Router
from routing.text.tokens import is_word, token_texts

Floats = npt.NDArray[np.float64]
Disorder = Callable[[Email], Email]


@dataclass(frozen=True, slots=True)
class Suite:
    """E-mails on which routers are tried.

    Attributes:
        name: its name.
        emails: the e-mails with their right routes ("" for out-of-scope mail).
        distances: pair -> tokens between its deciding words, where known.
    """

    name: str
    emails: Sequence[LabelledEmail]
    distances: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Contestant:
    """A trained router, or a control, that takes part.

    Attributes:
        facts: name, seed, size, training time.
        routes: R names, in the order of the probabilities.
        probabilities: e-mails -> calibrated probabilities (B, R).
        decide: e-mails -> decisions, None for a control.
    """

    facts: Facts
    routes: Sequence[str]
    probabilities: Callable[[Sequence[Email]], Floats]
    decide: Callable[[Sequence[Email]], list[Decision]] | None = None


def predict(router: Router, emails: Sequence[LabelledEmail]) -> list[Prediction]:
    """Return what a router says of labelled e-mails, in their order."""
    suite = Suite("", emails)
    return list(run_trial(enter_router(router, name="", seed=0), suite).predictions)


def enter_router(router: Router, *, name: str, seed: int, facts: Facts | None = None) -> Contestant:
    """Return a router as a contestant."""
    return Contestant(
        facts=facts or Facts(name, seed, kind="neural"),
        routes=router.routes,
        probabilities=router.probabilities,
        decide=router.decide,
    )


def standard_suites(*, pairs: int | None = None) -> list[Suite]:
    """Return the standard suites, at most ``pairs`` pairs each (None: as on their cards)."""
    return [pair_suite(name, make_suite(name, count=pairs)) for name in read_cards()]


def pair_suite(name: str, pairs: Sequence[Pair]) -> Suite:
    """Return minimal pairs as a suite."""
    distances = {pair.id: pair.distance for pair in pairs if pair.distance is not None}
    return Suite(name, pair_emails(pairs), distances)


def run_trial(
    contestant: Contestant, suite: Suite, *, disorders: Mapping[str, Disorder] | None = None
) -> Trial:
    """Return one contestant's predictions on a suite, and on the e-mails changed by disorders."""
    emails = [item.email for item in suite.emails]
    found = contestant.probabilities(emails)
    decisions = contestant.decide(emails) if contestant.decide else None
    changed = {
        name: contestant.probabilities([disorder(email) for email in emails])
        for name, disorder in (disorders or {}).items()
    }
    predictions = tuple(
        Prediction(
            id=item.email.id,
            route=item.route,
            probabilities=_named(contestant.routes, found[place]),
            pair=item.pair,
            phenomenon=item.phenomenon,
            distance=suite.distances.get(item.pair),
            bag=bag_digest(item.email),
            decision=decisions[place].decision if decisions else "",
            changed={n: _named(contestant.routes, values[place]) for n, values in changed.items()},
        )
        for place, item in enumerate(suite.emails)
    )
    return Trial(contestant.facts.router, contestant.facts.seed, suite.name, predictions)


def bag_digest(email: Email) -> str:
    """Return a digest of the e-mail's words in sorted order, as a counter of words sees them."""
    words = sorted(text for text in token_texts(email) if is_word(text))
    return hashlib.blake2b("\n".join(words).encode(), digest_size=6).hexdigest()


def compare_runs(runs: Mapping[str, Path], suites: Sequence[Suite]) -> Comparison:
    """Return the comparison of run folders, given by name, on the same suites."""
    contestants = [
        enter_router(Router.load(folder), name=name, seed=0) for name, folder in runs.items()
    ]
    trials = [run_trial(contestant, suite) for suite in suites for contestant in contestants]
    return compare(trials, [contestant.facts for contestant in contestants])


def _named(routes: Sequence[str], probabilities: Floats) -> dict[str, float]:
    return {
        route: round(float(value), DECIMALS)
        for route, value in zip(routes, probabilities, strict=True)
    }
