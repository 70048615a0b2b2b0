"""The smallest change of order that sends the e-mail elsewhere.

Words change places, none comes or goes, and the router is asked again. Tried first is the swap that
the model itself has learned to find, if it has learned one. Then come swaps of what stands in like
places (the same word before, or after, both), since they read like a message: two words, then two
short stretches of words, the shorter first. Then come swaps of any two words, and moves of one
stretch. In each kind the words that matter most go first.
Shape letters: K orders, T tokens, R routes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, islice
from typing import Literal

import numpy as np

from routing.explanation.pieces import changed_pieces
from routing.explanation.records import BaselineView, OrderChange, OrderSearch
from routing.explanation.second_look import Stretch, learned_swap
from routing.explanation.variants import Asked, Floats, Places
from routing.models.bayes import BayesModel
from routing.records import Email, Token
from routing.router import Router, softmax
from routing.text.tokens import is_word

BUDGET = 2000
"""Orders tried of one e-mail."""

_AT_ONCE = 200
_LONGEST = 5
"""Words in the longest stretch that is moved."""
_STRETCHES = 80
"""Stretches that are swapped with one another: those that matter most."""

Swap = tuple[Stretch, Stretch]


@dataclass(frozen=True, slots=True)
class _Edit:
    kind: Literal["swap", "move"]
    order: Places
    moved: tuple[Stretch, ...]


def counts_words(router: Router) -> bool:
    """Return True for naive Bayes of single words, to which every order is the same."""
    return isinstance(router.model, BayesModel) and router.model.ngrams == 1


def search_order(
    asked: Asked,
    email: Email,
    *,
    weights: Sequence[float],
    budget: int = BUDGET,
    baseline: Router | None = None,
) -> OrderSearch:
    """Return the first change of order found that changes the route, in ``budget`` tries at most.

    ``weights`` (T,) say how much each token matters; signs are ignored. Of the changes tried
    together that change the route, the surest is taken. ``baseline``, a naive Bayes router, is
    asked about both versions.
    """
    if counts_words(asked.router):
        note = "No order of these words changes the route: naive Bayes only counts them."
        return OrderSearch(change=None, tried=0, budget=budget, note=note)
    tried = 0
    learned = learned_swap(asked)
    known = list(_swaps([learned] if learned else [], len(asked)))
    others = _batches(asked.tokens, np.abs(np.array(weights)), budget=budget - len(known))
    for edits in chain([known] if known else [], others):
        tried += len(edits)
        found = asked.probabilities([edit.order for edit in edits])  # (K, R)
        flipped = np.flatnonzero(found.argmax(axis=1) != asked.route)
        if len(flipped):
            best = flipped[found[flipped].max(axis=1).argmax()]
            change = _change(asked, email, edits[best], found[best], baseline=baseline)
            return OrderSearch(change, tried=tried, budget=budget, note=_describe(change))
    note = f"None of {tried:,} orders tried changes the route."
    return OrderSearch(change=None, tried=tried, budget=budget, note=note)


def _batches(tokens: Sequence[Token], weights: Floats, *, budget: int) -> Iterator[list[_Edit]]:
    """Yield the edits to try, some at once, each kind within its share of the budget."""
    words = [i for i, t in enumerate(tokens) if is_word(t.text) and t.start < t.end]
    stretches = _stretches(tokens, words)
    singles = [stretch for stretch in stretches if stretch[1] - stretch[0] == 1]
    weighty = sorted(stretches, key=lambda stretch: -_mean(weights, stretch))[:_STRETCHES]
    pairs = _ranked(_pairs(singles, tokens), weights)
    longer = _ranked((p for p in _pairs(weighty, tokens) if _size(p) > 2), weights)
    kinds = (
        (_swaps([p for p in pairs if _alike(tokens, *p)], len(tokens)), 0.3),
        (_swaps([p for p in longer if _alike(tokens, *p)], len(tokens)), 0.3),
        (_swaps([p for p in pairs if not _alike(tokens, *p)], len(tokens)), 0.2),
        (_moves(weighty, tokens), 0.2),
    )
    left = 0
    for edits, share in kinds:
        left += int(budget * share)
        while now := list(islice(edits, min(_AT_ONCE, left))):
            left -= len(now)
            yield now


def _stretches(tokens: Sequence[Token], words: Sequence[int]) -> list[Stretch]:
    """Return every run of up to five words with nothing but words in it."""
    is_a_word = set(words)
    found = []
    for start in words:
        for end in range(start + 1, start + _LONGEST + 1):
            if end - 1 not in is_a_word or tokens[end - 1].part != tokens[start].part:
                break
            found.append((start, end))
    return found


def _pairs(stretches: Iterable[Stretch], tokens: Sequence[Token]) -> Iterator[Swap]:
    """Yield every two stretches of one part, of other words, that do not overlap, in order."""
    texts = [token.text for token in tokens]
    for one, two in combinations(sorted(stretches), 2):
        same_part = tokens[one[0]].part == tokens[two[0]].part
        if one[1] <= two[0] and same_part and texts[slice(*one)] != texts[slice(*two)]:
            yield one, two


def _ranked(pairs: Iterable[Swap], weights: Floats) -> list[Swap]:
    """Return pairs, those of few words first, then those of words that matter."""
    return sorted(pairs, key=lambda pair: (_size(pair), -sum(_mean(weights, s) for s in pair)))


def _size(pair: Swap) -> int:
    return sum(end - start for start, end in pair)


def _swaps(pairs: Iterable[Swap], tokens: int) -> Iterator[_Edit]:
    for one, two in pairs:
        yield _Edit("swap", _exchange(tokens, one, two), (one, two))


def _moves(stretches: Iterable[Stretch], tokens: Sequence[Token]) -> Iterator[_Edit]:
    """Yield moves of each stretch to every other place of its part, by stretch."""
    for stretch in stretches:
        for place in range(len(tokens)):
            near = stretch[0] - 1 <= place <= stretch[1]
            if not near and tokens[place].part == tokens[stretch[0]].part:
                gap = (place, place) if place < stretch[0] else (place + 1, place + 1)
                edges = sorted((stretch, gap))
                yield _Edit("move", _exchange(len(tokens), *edges), (stretch,))


def _exchange(tokens: int, one: Stretch, two: Stretch) -> Places:
    """Return the order (T,) in which two stretches, ``one`` before ``two``, have changed places."""
    bounds = ((0, one[0]), two, (one[1], two[0]), one, (two[1], tokens))
    return np.fromiter(chain.from_iterable(range(*bound) for bound in bounds), np.int64, tokens)


def _alike(tokens: Sequence[Token], one: Stretch, two: Stretch) -> bool:
    """Return True when the same word stands before both stretches, or after both."""

    def text(place: int) -> str:
        return tokens[place].text if 0 <= place < len(tokens) else ""

    return text(one[0] - 1) == text(two[0] - 1) or text(one[1]) == text(two[1])


def _mean(weights: Floats, stretch: Stretch) -> float:
    return float(weights[stretch[0] : stretch[1]].mean())


def _change(
    asked: Asked, email: Email, edit: _Edit, found: Floats, *, baseline: Router | None
) -> OrderChange:
    moved = {place for stretch in edit.moved for place in range(*stretch)}
    order = tuple(map(int, edit.order))
    plain = tuple(range(len(asked)))
    before = changed_pieces(email, asked.tokens, order=plain, moved=moved)
    after = changed_pieces(email, asked.tokens, order=order, moved=moved)
    whole = softmax(asked.logits / asked.router.calibration.temperature)
    return OrderChange(
        kind=edit.kind,
        moved=tuple(" ".join(t.text for t in asked.tokens[a:b]) for a, b in edit.moved),
        order=order,
        before=before,
        after=after,
        route=asked.router.routes[int(found.argmax())],
        probability=float(found.max()),
        probability_before=float(whole[asked.route]),
        baseline=_ask_baseline(baseline, asked.tokens, order) if baseline else None,
    )


def _ask_baseline(
    baseline: Router, tokens: Sequence[Token], order: Sequence[int]
) -> BaselineView | None:
    """Return what a naive Bayes router says of both versions, None of another kind of router."""
    if not isinstance(baseline.model, BayesModel):
        return None
    both = [[tokens[i].text for i in places] for places in (range(len(tokens)), order)]
    logits = baseline.model.logits([[t for t in texts if is_word(t)] for texts in both])  # (2, R)
    before, after = softmax(logits / baseline.calibration.temperature)
    return BaselineView(
        route_before=baseline.routes[int(before.argmax())],
        route_after=baseline.routes[int(after.argmax())],
        probability_before=float(before.max()),
        probability_after=float(after.max()),
        same=bool(np.allclose(logits[0], logits[1], rtol=0, atol=1e-9)),
    )


def _describe(change: OrderChange) -> str:
    if change.kind == "swap":
        what = "“{}” and “{}” change places".format(*change.moved)
    else:
        what = f"“{change.moved[0]}” stands elsewhere"
    return f"If {what}, the e-mail goes to {change.route} ({change.probability:.1%})."
