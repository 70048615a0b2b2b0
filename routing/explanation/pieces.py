"""A text before and after some of its words changed places, in pieces fit to show."""

import re
from collections.abc import Collection, Sequence

from routing.explanation.records import Piece
from routing.records import Email, Token
from routing.text.tokens import is_word

_AROUND = 12
"""Tokens shown before the first and after the last word that moved."""


def changed_pieces(
    email: Email, tokens: Sequence[Token], *, order: Sequence[int], moved: Collection[int]
) -> tuple[Piece, ...]:
    """Return the tokens of ``email`` in ``order`` as they are written, the moved ones marked.

    Only the part around the moved words is given, with ``…`` where something is left out. What
    stands before a token and is none itself, blanks and characters such as ``<``, goes with it.
    Blanks stand in front of a piece's text; the ends of lines are blanks.
    """
    part = tokens[next(iter(moved))].part
    source = email.subject if part == "subject" else email.text
    order = [i for i in order if tokens[i].part == part and _written(source, tokens[i]).strip()]
    places = sorted(order)
    before = dict(zip(places[1:], places, strict=False))
    steps = [step for step, place in enumerate(order) if place in moved]
    first, last = max(0, steps[0] - _AROUND), min(len(order), steps[-1] + _AROUND + 1)
    pieces = [Piece("…", False)] if first else []
    for step in range(first, last):
        place = order[step]
        start = tokens[before[place]].end if place in before else 0
        gap = _between(source, start, tokens[place].start)
        follows = step > 0 and before.get(place) == order[step - 1]
        if not follows and is_word(tokens[place].text):
            gap = f" {gap.lstrip()}"
        text = gap + " ".join(_written(source, tokens[place]).split())
        pieces.append(Piece(text if step else text.lstrip(), place in moved))
    rest = _between(source, tokens[places[-1]].end, len(source)).rstrip()
    if last < len(order):
        pieces.append(Piece(" …", False))
    elif rest:
        pieces.append(Piece(rest, False))
    return tuple(pieces)


def _between(source: str, start: int, end: int) -> str:
    """Return what no token holds, its blanks evened out; a blank for words that are not read."""
    between = source[start:end]
    return " " if any(map(str.isalnum, between)) else re.sub(r"\s+", " ", between)


def _written(source: str, token: Token) -> str:
    return source[token.start : token.end]
