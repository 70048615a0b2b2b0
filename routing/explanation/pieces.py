"""A text before and after some of its words changed places, in pieces fit to show."""

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

    Only the part around the moved words is given, with ``…`` where something is left out. A
    token keeps the blanks before it where it keeps the token before it. Blanks stand in front of
    a piece's text; the ends of lines are blanks.
    """
    part = tokens[next(iter(moved))].part
    order = [i for i in order if tokens[i].part == part and _written(email, tokens[i]).strip()]
    steps = [step for step, place in enumerate(order) if place in moved]
    first, last = max(0, steps[0] - _AROUND), min(len(order), steps[-1] + _AROUND + 1)
    pieces = [Piece("…", False)] if first else []
    for step in range(first, last):
        before = order[step - 1] if step else None
        gap = _gap(email, tokens, before, order[step]) if step > first else " " if first else ""
        text = " ".join(_written(email, tokens[order[step]]).split())
        pieces.append(Piece(gap + text, order[step] in moved))
    if last < len(order):
        pieces.append(Piece(" …", False))
    return tuple(pieces)


def _gap(email: Email, tokens: Sequence[Token], before: int | None, place: int) -> str:
    """Return the blank, or nothing, between two tokens that follow one another now."""
    if before is not None and before < place:
        source = email.subject if tokens[place].part == "subject" else email.text
        between = source[tokens[before].end : tokens[place].start]
        if not between.strip():
            return " " if between else ""
    return " " if is_word(tokens[place].text) else ""


def _written(email: Email, token: Token) -> str:
    source = email.subject if token.part == "subject" else email.text
    return source[token.start : token.end]
