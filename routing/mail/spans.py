"""What is left of a body after the removals, and where it stood.

``Email.text`` is made from ``Email.body`` by leaving characters out, never by changing any, so
every character of the text has exactly one place in the body.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from routing.records import Email, Removal

Span = tuple[int, int]


def kept_spans(body: str, removals: Sequence[Removal] = ()) -> list[Span]:
    """The spans of ``body`` that make up the tidied text, in order and apart from one another.

    Left out are the removals, blanks at line ends, blank lines at both ends and every blank line
    after a blank line.
    """
    inner = body.strip()
    if not removals and _is_tidy(inner):
        start = body.find(inner)
        return [(start, start + len(inner))] if inner else []
    pieces = _between(removals, len(body))
    joined = "".join(body[start:end] for start, end in pieces)
    return list(_to_body(_tidy_spans(joined), pieces))


def kept_text(body: str, removals: Sequence[Removal] = ()) -> str:
    """The tidied text that is left of ``body`` without ``removals``."""
    return "".join(body[start:end] for start, end in kept_spans(body, removals))


def body_span(email: Email, start: int, end: int) -> Span | None:
    """Where ``email.text[start:end]`` stands in ``email.body``.

    Returns:
        the smallest span of the body that holds all these characters (it holds removed ones too
        where something was cut from between them), or None when the span is empty or reaches
        outside the text.
    """
    if not 0 <= start < end <= len(email.text):
        return None
    spans = kept_spans(email.body, email.removals)
    ends = list(_running_ends(spans))
    if not ends or end > ends[-1]:
        return None
    first, last = bisect_right(ends, start), bisect_right(ends, end - 1)
    return (
        spans[first][1] - (ends[first] - start),
        spans[last][1] - (ends[last] - end),
    )


def _is_tidy(inner: str) -> bool:
    """Return True for a text without blanks at line ends and without two blank lines in a row."""
    if "\n\n\n" in inner:
        return False
    return "\n" not in inner or "\n".join(map(str.rstrip, inner.split("\n"))) == inner


def _between(removals: Sequence[Removal], length: int) -> list[Span]:
    position, pieces = 0, []
    for removal in removals:
        if removal.start > position:
            pieces.append((position, removal.start))
        position = max(position, removal.end)
    if position < length:
        pieces.append((position, length))
    return pieces


def _tidy_spans(joined: str) -> list[Span]:
    """Spans of ``joined`` to keep: every line without its end blanks, one or two line breaks."""
    spans: list[Span] = []
    position, last_end, blanks = 0, -1, 0
    for line in joined.split("\n"):
        content = line.rstrip()
        if not content:
            blanks += 1
        else:
            start = position
            if last_end < 0:
                start += len(content) - len(content.lstrip())
            else:
                newline = joined.index("\n", last_end)
                spans.append((newline, newline + 1))
                if blanks:
                    spans.append((position - 1, position))
            last_end, blanks = position + len(content), 0
            spans.append((start, last_end))
        position += len(line) + 1
    return spans


def _to_body(spans: Iterable[Span], pieces: Sequence[Span]) -> Iterable[Span]:
    """Spans of the joined pieces as spans of the body; touching ones become one."""
    ends = list(_running_ends(pieces))
    pending: Span | None = None
    for start, end in spans:
        while start < end:
            piece = bisect_right(ends, start)
            stop = min(end, ends[piece])
            shift = pieces[piece][1] - ends[piece]
            begin, finish = start + shift, stop + shift
            if pending is not None and pending[1] == begin:
                pending = (pending[0], finish)
            else:
                if pending is not None:
                    yield pending
                pending = (begin, finish)
            start = stop
    if pending is not None:
        yield pending


def _running_ends(spans: Sequence[Span]) -> Iterable[int]:
    total = 0
    for start, end in spans:
        total += end - start
        yield total
