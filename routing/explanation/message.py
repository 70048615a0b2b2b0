"""The original message in segments: what was read, what was not, and what was cut and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from routing.mail.spans import kept_spans
from routing.records import Email, Token


@dataclass(frozen=True, slots=True)
class Segment:
    """Characters of the message that belong together.

    Attributes:
        text: the characters as they stand in the message.
        token: place of the token that they are, None for what lies between tokens.
        cut: why they were cut before reading, "" when they were not.
    """

    text: str
    token: int | None = None
    cut: str = ""


def subject_segments(email: Email, tokens: Sequence[Token]) -> list[Segment]:
    """Return ``email.subject`` in segments; the mark at its end is a segment without text."""
    spans = [(t.start, t.end, i) for i, t in enumerate(tokens) if t.part == "subject"]
    return list(_segments(email.subject, spans, []))


def body_segments(email: Email, tokens: Sequence[Token]) -> list[Segment]:
    """Return the whole body in segments; ``email.text`` where the e-mail has no body."""
    body = email.body or email.text
    removals = email.removals if email.body else ()
    kept = kept_spans(body, removals) if email.body else [(0, len(body))]
    places = [place for start, end in kept for place in range(start, end)]
    spans = [
        (places[t.start], places[t.end - 1] + 1, i)
        for i, t in enumerate(tokens)
        if t.part == "text" and t.start < t.end <= len(places)
    ]
    return list(_segments(body, spans, [(r.start, r.end, r.reason) for r in removals]))


def _segments(
    text: str, spans: Sequence[tuple[int, int, int]], cuts: Sequence[tuple[int, int, str]]
) -> Iterator[Segment]:
    """Yield ``text`` from front to back; a token that reaches over a cut stays whole."""
    position = 0
    for start, end, token in spans:
        if start >= position:
            yield from _between(text, position, start, cuts)
            yield Segment(text[start:end], token=token)
            position = end
    yield from _between(text, position, len(text), cuts)


def _between(
    text: str, start: int, end: int, cuts: Sequence[tuple[int, int, str]]
) -> Iterator[Segment]:
    """Yield what lies between two tokens, cut parts apart."""
    position = start
    for cut_start, cut_end, reason in cuts:
        first, last = max(position, cut_start), min(end, cut_end)
        if first < last:
            if position < first:
                yield Segment(text[position:first])
            yield Segment(text[first:last], cut=reason)
            position = last
    if position < end:
        yield Segment(text[position:end])
