"""Routers on suites: the predictions that every comparison is made from.

Shape letters: B e-mails, R routes.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt
from torch import nn

from routing.corpus.pairs import is_pairs_file, pair_emails, read_pairs
from routing.corpus.sources import read_labelled
from routing.corpus.suites import make_suite, read_cards
from routing.errors import CorpusError
from routing.evaluation.comparison import OUT_OF_SCOPE, Comparison, compare
from routing.evaluation.predictions import DECIMALS, Evidence, Facts, Prediction, Trial
from routing.records import Decision, Email, LabelledEmail, Pair
from routing.router import Router
from routing.settings import Settings
from routing.text.tokens import is_word, token_texts
from routing.training.disorders import Disorder, out_of_scope, shuffle_words

Floats = npt.NDArray[np.float64]

SHUFFLE: Mapping[str, Disorder] = {"shuffled": shuffle_words}
"""The one disorder of a plain comparison."""


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


def enter_router(router: Router, facts: Facts) -> Contestant:
    """Return a router as a contestant."""
    return Contestant(facts, router.routes, router.probabilities, router.decide)


def predict(router: Router, emails: Sequence[LabelledEmail]) -> list[Prediction]:
    """Return what a router says of labelled e-mails, in their order."""
    contestant = enter_router(router, Facts("", 0, kind="neural"))
    return list(run_trial(contestant, Suite("", emails)).predictions)


def standard_suites(*, pairs: int | None = None) -> list[Suite]:
    """Return the standard suites, at most ``pairs`` pairs each (None: as on their cards)."""
    return [pair_suite(name, make_suite(name, count=pairs)) for name in read_cards()]


def probe_suite() -> Suite:
    """Return the out-of-scope mail as a suite."""
    return Suite(OUT_OF_SCOPE, out_of_scope())


def pair_suite(name: str, pairs: Sequence[Pair]) -> Suite:
    """Return minimal pairs as a suite."""
    distances = {pair.id: pair.distance for pair in pairs if pair.distance is not None}
    return Suite(name, pair_emails(pairs), distances)


def read_suite(source: Path | str, settings: Settings) -> Suite:
    """Return the suite of a file of pairs, or of anything that ``data.train`` can name.

    ``settings`` name the columns. E-mails without a route, or that cannot be read, are left out.
    Raises CorpusError when none is left, and what reading labelled e-mails raises.
    """
    name = Path(source).stem
    if is_pairs_file(source):
        return pair_suite(name, read_pairs(source))
    emails = [
        item
        for item in read_labelled(str(source), settings)
        if item.route and item.email.error is None
    ]
    if not emails:
        raise CorpusError(f"{source} holds no e-mail with a route: give pairs or labelled e-mails")
    return Suite(name, emails)


def check_routes(known: Mapping[str, Sequence[str]], suites: Sequence[Suite]) -> list[str]:
    """Return notes on routes that some routers, given by name with those they know, do not know.

    Raises CorpusError when a router knows none of a suite's routes.
    """
    notes = []
    for suite in suites:
        routes = {item.route for item in suite.emails if item.route}
        for name, own in known.items():
            strange = sorted(routes - {*own})
            if routes and len(strange) == len(routes):
                raise CorpusError(
                    f"{name} knows none of the routes of {suite.name} ({', '.join(strange)}); it "
                    f"knows {', '.join(own)}: compare routers trained for these, or "
                    "try other e-mails"
                )
            if strange:
                notes.append(f"On {suite.name}, {name} does not know {', '.join(strange)}.")
    return list(dict.fromkeys(notes))


def check_seen(suites: Sequence[Suite], trained_on: frozenset[tuple[str, str]]) -> list[str]:
    """Return a note on each suite that holds e-mails learned from (given as subject and text)."""
    notes = []
    for suite in suites:
        seen = sum((item.email.subject, item.email.text) in trained_on for item in suite.emails)
        if seen:
            notes.append(
                f"{seen:,} of the {len(suite.emails):,} e-mails of {suite.name} are among those "
                "that routers learned from: there they show memory, not skill."
            )
    return notes


def run_trial(
    contestant: Contestant, suite: Suite, *, disorders: Mapping[str, Disorder] | None = None
) -> Trial:
    """Return one contestant's predictions on a suite, and on its e-mails changed by disorders."""
    emails = [item.email for item in suite.emails]
    found = contestant.probabilities(emails)
    decisions = contestant.decide(emails) if contestant.decide else None
    changed = [_disturb(contestant, emails, name, each) for name, each in (disorders or {}).items()]
    predictions = tuple(
        Prediction(
            id=item.email.id,
            route=item.route,
            probabilities=_named(contestant.routes, found[place]),
            pair=item.pair,
            phenomenon=item.phenomenon,
            distance=suite.distances.get(item.pair),
            bag=bag_digest(item.email),
            decision=_what_happens(decisions[place]) if decisions else "",
            changed={name: said[place] for name, said in changed if place in said},
        )
        for place, item in enumerate(suite.emails)
    )
    return Trial(contestant.facts.router, contestant.facts.seed, suite.name, predictions)


def _disturb(
    contestant: Contestant, emails: Sequence[Email], name: str, disorder: Disorder
) -> tuple[str, dict[int, dict[str, float]]]:
    """Return the probabilities of each e-mail that the disorder changes, by its place."""
    changed = {place: disorder(email) for place, email in enumerate(emails)}
    places = [place for place, email in changed.items() if _words(email) != _words(emails[place])]
    if not places:
        return name, {}
    found = contestant.probabilities([changed[place] for place in places])
    named = [_named(contestant.routes, row) for row in found]
    return name, dict(zip(places, named, strict=True))


def _words(email: Email) -> tuple[list[str], list[str]]:
    return email.subject.split(), email.text.split()


def run_trials(
    contestants: Sequence[Contestant],
    suites: Sequence[Suite],
    *,
    disorders: Mapping[str, Disorder] = SHUFFLE,
) -> Iterator[Trial]:
    """Yield the trial of every contestant on every suite, suite by suite."""
    for suite in suites:
        for contestant in contestants:
            wanted = {} if suite.name == OUT_OF_SCOPE else disorders
            yield run_trial(contestant, suite, disorders=wanted)


def measure_speed(contestant: Contestant, suite: Suite, *, emails: int = 500) -> Facts:
    """Return the contestant's facts with the e-mails of the suite that it decides in a second."""
    chosen = [item.email for item in suite.emails[:emails]]
    contestant.probabilities(chosen[:16])
    start = time.perf_counter()
    contestant.probabilities(chosen)
    speed = len(chosen) / (time.perf_counter() - start)
    return replace(contestant.facts, emails_per_second=round(speed, 1))


def compare_routers(routers: Mapping[str, Router], suites: Sequence[Suite]) -> Comparison:
    """Return the comparison of routers, given by name, on the same suites."""
    contestants = [
        enter_router(router, Facts(name, 0, kind=kind_of(router)))
        for name, router in routers.items()
    ]
    trials = tuple(run_trials(contestants, suites, disorders={}))
    return compare(Evidence(trials, tuple(contestant.facts for contestant in contestants)))


def bag_digest(email: Email) -> str:
    """Return a digest of the e-mail's words in sorted order, as a counter of words sees them."""
    words = sorted(text for text in token_texts(email) if is_word(text))
    return hashlib.blake2b("\n".join(words).encode("utf-8", "replace"), digest_size=6).hexdigest()


def kind_of(router: Router) -> Literal["neural", "counting"]:
    """Return whether the router reads words in their order or counts them."""
    return "neural" if isinstance(router.model, nn.Module) else "counting"


def _what_happens(decision: Decision) -> str:
    return "review" if decision.auto_reply else decision.decision


def _named(routes: Sequence[str], probabilities: Floats) -> dict[str, float]:
    return {
        route: round(float(value), DECIMALS)
        for route, value in zip(routes, probabilities, strict=True)
    }
