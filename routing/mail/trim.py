"""What of a body is no news: quoted messages, signatures, disclaimers, banners."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Literal

from routing.mail.courtesies import says_nothing
from routing.mail.heads import FORWARD, QUOTED
from routing.mail.lines import Lines
from routing.mail.plain import is_plain
from routing.mail.quotes import cut_quotes, older_text_start
from routing.mail.signatures import SIGNATURE, cut_signatures, is_banner, is_mobile_line
from routing.records import Removal

Trim = Literal["none", "quotes", "all"]

_DEEPEST_FORWARD = 5


def trim_body(
    body: str, *, trim: Trim = "all", marks: Sequence[Removal] = ()
) -> tuple[tuple[Removal, ...], tuple[str, ...]]:
    """What to cut from ``body`` so that the newest message is left, and what was odd.

    Args:
        body: decoded text, lines ending in ``\\n``.
        trim: ``none`` cuts nothing; ``quotes`` cuts quoted and forwarded messages; ``all`` cuts
            signatures, mobile lines, disclaimers and gateway banners, too.
        marks: spans that the markup of the mail calls a quoted message or a signature.

    Returns:
        the removals in order, and warnings. When nothing but an older message is there, that
        message is kept, with a warning.
    """
    if trim == "none" or not body or body.isspace() or (not marks and is_plain(body)):
        return (), ()
    lines = Lines.of(body)
    warnings = _cut_older(lines, marks)
    if trim == "all":
        _cut_marks(lines, [mark for mark in marks if mark.reason == SIGNATURE])
        cut_signatures(lines)
    return lines.removals(), warnings


def _cut_older(lines: Lines, marks: Sequence[Removal]) -> tuple[str, ...]:
    """Cut older messages; keep the newest of them when there is nothing else."""
    cut_quotes(lines)
    _cut_marks(lines, [mark for mark in marks if mark.reason == QUOTED])
    start = next((number for number, fate in enumerate(lines.fates) if fate), None)
    if start is None or (_has_own_words(lines) and not _says_nothing(lines, start)):
        return ()
    lines.restore()
    for _ in range(_DEEPEST_FORWARD):
        end = older_text_start(lines, start)
        if end is None or not lines.has_words(end):
            break
        lines.cut(start, end, FORWARD)
        cut_quotes(lines, end)
        if lines.has_words(end):
            return ("nothing new above the forwarded message; its text is taken",)
        lines.restore(end)
        start = end
    return ("nothing but an older message; all of it is kept",)


def _has_own_words(lines: Lines) -> bool:
    """True when more than a signature, a mobile line or a gateway banner stays."""
    for number in lines.kept():
        text = lines.texts[number]
        if text == "--":
            return False
        words = any(character.isalnum() for character in text)
        if words and not is_mobile_line(text) and not is_banner(text):
            return True
    return False


def _says_nothing(lines: Lines, start: int) -> bool:
    """True when the words above an older message are but ``FYI``, a greeting, a signature."""
    own: list[str] = []
    for number in lines.kept():
        text = lines.texts[number]
        if number > start:
            return False
        if text == "--":
            break
        if not is_mobile_line(text) and (own or not is_banner(text)):
            own.append(text)
    return says_nothing(own)


def _cut_marks(lines: Lines, marks: Sequence[Removal]) -> None:
    """Cut the lines that lie inside ``marks``, unless no word would be left."""
    if not marks:
        return
    fates = lines.fates.copy()
    last = 0
    for mark in sorted(marks, key=lambda mark: mark.start):
        number = max(bisect_left(lines.starts, mark.start), last)
        while number < len(lines) and lines.starts[number] < mark.end:
            if lines.starts[number] + len(lines.texts[number]) <= mark.end:
                lines.cut(number, number + 1, mark.reason)
                last = number
            number += 1
    if not lines.has_words() and marks[0].reason == SIGNATURE:
        lines.fates[:] = fates
