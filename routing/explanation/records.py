"""What an explanation is made of.

All numbers per token stand in the order of ``Explanation.tokens``. "For" and "against" are meant
of ``Explanation.route``, the route the e-mail went to, beside ``Explanation.against``, the route
it is set against: a logit difference is the first one's logit minus the second one's.
Shape letters: L layers, N heads, T tokens.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from routing.records import Decision, Email, Token

Method = Literal["log_odds", "attention", "rollout", "integrated_gradients", "occlusion", "random"]
Removal = Literal["deletion", "mask"]

METHOD_NAMES: Mapping[str, str] = {
    "log_odds": "log-odds",
    "attention": "attention",
    "rollout": "attention rollout",
    "integrated_gradients": "integrated gradients",
    "occlusion": "leave-one-out",
    "random": "random",
}
"""Method -> its name in tables and pages."""


@dataclass(frozen=True, slots=True)
class Attribution:
    """One method's number for every token.

    Attributes:
        method: how the numbers were found.
        values: one a token; above 0 for the route, below 0 against it when ``signed``.
        signed: False for shares of attention: they are never negative and say nothing of for
            and against.
        note: how they were found, in words.
    """

    method: Method
    values: tuple[float, ...]
    signed: bool
    note: str


@dataclass(frozen=True, slots=True)
class Completeness:
    """How far integrated gradients are from adding up (Sundararajan et al. 2017, section 3).

    Attributes:
        difference: logit difference of the e-mail minus that of the all-unknown e-mail: what
            the values should sum to.
        gap: ``abs(sum of values - difference)``.
        steps: points on the path from the all-unknown e-mail to this one.
        tolerance: largest gap asked for, as a share of ``abs(difference)``.
    """

    difference: float
    gap: float
    steps: int
    tolerance: float

    @property
    def share(self) -> float:
        """The gap as a share of ``difference``; infinite when that is 0 and the gap is not."""
        if self.gap == 0:
            return 0.0
        return self.gap / abs(self.difference) if self.difference else float("inf")

    @property
    def within(self) -> bool:
        """True when the gap is under the tolerance."""
        return self.share <= self.tolerance


@dataclass(frozen=True, slots=True)
class Term:
    """What one term gave in naive Bayes.

    Attributes:
        text: the term, a word or a run of words.
        count: times it stands in the e-mail.
        weight: its TF-IDF weight.
        log_odds: weight x (log-probability under the route - under the other); all terms' sum
            plus the prior is the logit difference.
        tokens: places of its tokens among the e-mail's, for every time it stands there.
    """

    text: str
    count: int
    weight: float
    log_odds: float
    tokens: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GateTrack:
    """How much of its state one direction of one layer kept at every token.

    Attributes:
        layer: 0 is nearest the words.
        backwards: True for the direction that reads from the end.
        gate: ``forget`` of an LSTM, ``update`` of a GRU.
        kept: mean over the units, in [0, 1]; 1: all of the state before is kept.
    """

    layer: int
    backwards: bool
    gate: str
    kept: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured number.

    Attributes:
        value: the number.
        low: lower end of its interval; ``value`` itself where there is none.
        high: upper end.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Check:
    """How faithful one method's ranking of the tokens is, by one way of removing tokens.

    For one e-mail an interval of ``random`` holds 90 % of the random rankings, and the others
    have none. Over many e-mails intervals are 95 % of bootstrap samples of e-mails.

    Attributes:
        method: whose ranking; ``random`` for the mean of the random ones.
        removal: ``deletion``, or ``mask`` (the unknown word in its place).
        comprehensiveness: mean drop of the route's probability without its highest tokens.
        sufficiency: mean drop of it with only its highest tokens.
        tau: Kendall's tau of its values with those of leave-one-out; None for ``random``.
        flips: share of the removals of highest tokens that changed the route.
        lead_comprehensiveness: comprehensiveness above random's; None for ``random``.
        lead_sufficiency: sufficiency below random's (more is better); None for ``random``.
    """

    method: Method
    removal: Removal
    comprehensiveness: Figure
    sufficiency: Figure
    tau: Figure | None
    flips: Figure
    lead_comprehensiveness: Figure | None
    lead_sufficiency: Figure | None


@dataclass(frozen=True, slots=True)
class Faithfulness:
    """Every check, of one e-mail or over a sample.

    Attributes:
        checks: by method and removal.
        emails: number of e-mails measured.
        rankings: random rankings of each e-mail.
        shares: shares of the tokens that count as the highest.
    """

    checks: tuple[Check, ...]
    emails: int
    rankings: int
    shares: tuple[float, ...]

    def find(self, method: str, removal: str) -> Check | None:
        """Return the check of ``method`` by ``removal``, None when it was not made."""
        found = (c for c in self.checks if c.method == method and c.removal == removal)
        return next(found, None)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text shown in an order change.

    Attributes:
        text: its characters, blanks before it included.
        moved: True when it stands elsewhere in the other version.
    """

    text: str
    moved: bool


@dataclass(frozen=True, slots=True)
class BaselineView:
    """What a naive Bayes router says of both versions of an order change.

    Attributes:
        route_before: its route for the e-mail.
        route_after: its route for the changed e-mail.
        probability_before: its probability of ``route_before``.
        probability_after: its probability of ``route_after``.
        same: True when both versions have the same logits.
    """

    route_before: str
    route_after: str
    probability_before: float
    probability_after: float
    same: bool


@dataclass(frozen=True, slots=True)
class OrderChange:
    """The smallest change of order found that changes the route.

    Attributes:
        kind: ``swap`` of two stretches of words, or ``move`` of one.
        moved: the words swapped, or the words moved.
        order: the new order: places of the tokens before.
        before: the read text, in pieces.
        after: the changed text, in pieces.
        route: where the changed e-mail goes.
        probability: with which probability.
        probability_before: probability of the e-mail's own route before.
        baseline: what naive Bayes says of both versions, None when none was given.
    """

    kind: Literal["swap", "move"]
    moved: tuple[str, ...]
    order: tuple[int, ...]
    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    route: str
    probability: float
    probability_before: float
    baseline: BaselineView | None


@dataclass(frozen=True, slots=True)
class OrderSearch:
    """What came of looking for a change of order that changes the route.

    Attributes:
        change: the change, None when none was found.
        tried: orders tried.
        budget: orders that might have been tried.
        note: the outcome in words.
    """

    change: OrderChange | None
    tried: int
    budget: int
    note: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one e-mail went where it went, and what the evidence is worth.

    Attributes:
        email: the e-mail.
        decision: the router's decision.
        route: the route it went to.
        against: the route it is set against.
        logit_difference: logit of ``route`` minus that of ``against``.
        prior: part of the difference that no token gave (naive Bayes only).
        tokens: what was read.
        attributions: one for each method.
        terms: terms of naive Bayes, the weightiest first; empty for other models.
        gates: what a recurrent model kept; empty for other models.
        heads: (L, N, T, T) attention of a transformer, row: who looks, column: at whom; None
            for other models and for e-mails too long to show.
        completeness: how well integrated gradients add up; None without them.
        checks: faithfulness on this e-mail.
        model_checks: faithfulness over the sample stored in the run, None when there is none.
        order: the search for a change of order; None when it was not asked for.
        verdicts: method -> whether it may be believed, in words.
        notes: what else should be known, in words.
    """

    email: Email
    decision: Decision
    route: str
    against: str
    logit_difference: float
    prior: float
    tokens: tuple[Token, ...]
    attributions: tuple[Attribution, ...]
    terms: tuple[Term, ...]
    gates: tuple[GateTrack, ...]
    heads: npt.NDArray[np.float32] | None
    completeness: Completeness | None
    checks: Faithfulness | None
    model_checks: Faithfulness | None
    order: OrderSearch | None
    verdicts: Mapping[str, str]
    notes: tuple[str, ...]

    def find(self, method: str) -> Attribution | None:
        """Return the attribution of ``method``, None when it was not made."""
        return next((a for a in self.attributions if a.method == method), None)
