"""Quoted and forwarded messages found in the lines of a body.

A cut needs evidence, not shape: an attribution line needs a verb or an address and a date; a
header block needs From and two more labels. Lines that start with ``>`` go wherever they stand,
and with them the line that introduces them, whatever its wording.
"""

import re
from itertools import islice

from routing.mail.attributions import (
    attribution_start,
    ends_in_verb,
    glued_attributions,
    has_verb,
    is_dashed_attribution,
    is_dated,
    opens,
)
from routing.mail.heads import FORWARD, QUOTED, header_block_end, is_rule, label_of, separator
from routing.mail.lines import Lines
from routing.mail.phrases import LABELS, MESSAGE_LABELS

_GLUED_RULE = re.compile(r"(?<!-)-{4,40}\s?[^\W\d_][^-_\n]{4,60}\s?-{4}")
_LONGEST_INTRODUCTION = 80
_FIELD = re.compile(r"([^:：]{1,40})[:：]")
_MOST_FIELDS = 8
_ANSWER = re.compile(
    r"[:：]\W{0,3}(?:re|aw|antw|sv|vs|fw|fwd|wg|tr|rv|rif)(?:\W*$|\s?[:：\[])", re.I
)
"""A subject of an answer or of what is forwarded."""


def cut_quotes(lines: Lines, first: int = 0) -> None:
    """Cut quoted and forwarded messages from the line ``first`` on."""
    _cut_marked_lines(lines, first)
    for number in range(first, len(lines)):
        if lines.fates[number]:
            continue
        start = _older_message(lines, number)
        if start is not None:
            lines.cut(max(start[0], first), len(lines), start[1])
            return
        if _cut_inside(lines, number):
            lines.cut(number + 1, len(lines), QUOTED)
            return


def _cut_inside(lines: Lines, number: int) -> bool:
    """Cut the rest of a line into which an older message was glued; True when there was one."""
    text = lines.left(number)
    if "@" not in text and "--" not in text:
        return False
    starts = [match.start() for match in _GLUED_RULE.finditer(text) if separator(match[0])]
    starts += glued_attributions(text) if "@" in text else []
    start = min((start for start in starts if start > 0), default=0)
    if start:
        lines.cut_inside(number, start, QUOTED)
    return start > 0


def is_quoted(text: str) -> bool:
    """True for a line that a mail program marked as quoted."""
    return text.startswith((">", "&gt;")) and not text.startswith((">From ", ">>From "))


def _cut_marked_lines(lines: Lines, first: int) -> None:
    texts = lines.texts
    numbers = [
        number
        for number in range(first, len(lines))
        if is_quoted(texts[number]) and not _closes_address(lines, number)
    ]
    for number in numbers:
        lines.cut(number, number + 1, QUOTED)
    for number in numbers:
        _cut_wrapped_rest(lines, number)
    for number in numbers:
        if number == first or not lines.fates[number - 1]:
            _cut_introduction(lines, number, first)


def _closes_address(lines: Lines, number: int) -> bool:
    """True for a line such as ``>:`` whose ``<`` stands at the end of the line above."""
    above = lines.texts[number - 1] if number else ""
    return "@" in above and above.rfind("<") > above.rfind(">") and not is_quoted(above)


def _cut_wrapped_rest(lines: Lines, number: int) -> None:
    """The tail of a long quoted line that was wrapped without a ``>`` of its own."""
    rest = number + 1
    if len(lines.texts[number]) < 60 or rest >= len(lines):
        return
    text, above = lines.texts[rest], lines.texts[number]
    if not text or lines.fates[rest] or above.endswith("?"):
        return
    goes_on = rest + 1 < len(lines) and is_quoted(lines.texts[rest + 1])
    broken = above[-1] not in ".!:" and (text[0].islower() or text.startswith(("http", "<http")))
    if broken or (goes_on and text[0].islower()):
        lines.cut(rest, rest + 1, QUOTED)


def _cut_introduction(lines: Lines, number: int, first: int) -> None:
    """Cut the line or lines above the quoted line ``number`` that say who wrote it."""
    last = number - 1
    blanks = 0
    while last >= first and not lines.texts[last] and not lines.fates[last] and blanks < 2:
        last, blanks = last - 1, blanks + 1
    if last < first or lines.fates[last] or not lines.texts[last]:
        return
    if not opens(lines.texts[last]) and _cut_inside(lines, last):
        return
    start = attribution_start(lines, last, first, above_quote=True)
    if start is None and _is_introduction(lines, last, first, close=blanks == 0):
        start = last
    if start is None and is_dashed_attribution(lines.texts[last]):
        start = last
    if start is None:
        start = _block_ending_at(lines, last, first)
    if start is not None:
        lines.cut(_above_rules(lines, start, first), number, QUOTED)


def _is_introduction(lines: Lines, number: int, first: int, *, close: bool) -> bool:
    """A short line of any wording that leads into the quote below it."""
    text = lines.texts[number]
    core = text.strip("-_=*–—~#| ")
    if len(text) > _LONGEST_INTRODUCTION or not core:
        return False
    alone = number == first or not lines.texts[number - 1] or bool(lines.fates[number - 1])
    dated = is_dated(core)
    label = LABELS.get(core.partition(":")[0].strip(" *").lower()) if ":" in core else None
    if text[-1] in ":：":
        return (alone and close) or dated or has_verb(core)
    if not close or text[-1] in ".!?…,;":
        return False
    dashed = core != text and text[0] == text[-1]
    return alone and ((dated and len(core.split()) <= 8) or label is not None or dashed)


def _older_message(lines: Lines, number: int) -> tuple[int, str] | None:
    """Where an older message starts when the line ``number`` gives it away, and what it is."""
    text = lines.texts[number]
    if not text:
        return None
    if text[-1] in ":：" or text[0] in "-_=*–—~#":
        reason = separator(text) or (QUOTED if is_dashed_attribution(text) else "")
        if reason:
            return _above_rules(lines, number, 0), reason
    if text[-1] in ":：" or ends_in_verb(text):
        start = attribution_start(lines, number, 0)
        if start is not None:
            return _above_rules(lines, start, 0), QUOTED
    if label_of(text) and not (number and label_of(lines.texts[number - 1])):
        end = header_block_end(lines, number)
        if end is not None and not _is_form(lines, number, end):
            start = _above_rules(lines, number, 0)
            return start, FORWARD if _is_forward(lines, start) else QUOTED
    return None


def _is_form(lines: Lines, first: int, end: int) -> bool:
    """True for fields of a web form: below a title alone, and above the field of a message."""
    if len(list(lines.kept(0, first))) != 1:
        return False
    if any(label_of(text) == "sent" or _ANSWER.search(text) for text in lines.texts[first:end]):
        return False
    for number in islice(lines.kept(end), _MOST_FIELDS):
        field = _FIELD.match(lines.texts[number])
        if field is None or field[1].strip(" *").lower() in MESSAGE_LABELS:
            return field is not None
    return False


def _is_forward(lines: Lines, start: int) -> bool:
    return any(
        separator(lines.texts[n]) == FORWARD for n in range(start, min(start + 2, len(lines)))
    )


def _above_rules(lines: Lines, start: int, first: int) -> int:
    """``start`` moved up over rules such as ``________`` and separators right above it."""
    number = start - 1
    while number >= first and (not lines.texts[number] or is_rule(lines.texts[number])):
        if lines.texts[number]:
            start = number
        number -= 1
    return start


def older_text_start(lines: Lines, first: int) -> int | None:
    """Where the text of an older message starts whose head starts with the line ``first``.

    None when there is no head: no separator, no attribution, no header block.
    """
    number, found = first, False
    while number < len(lines):
        text = lines.texts[number]
        if not text.strip("> ") or not text.strip("-_=*–—~# "):
            number += 1
            continue
        end = _head_end(lines, number)
        if end is None:
            break
        number, found = end, True
    return number if found else None


def _head_end(lines: Lines, first: int) -> int | None:
    if separator(lines.texts[first]) or is_dashed_attribution(lines.texts[first]):
        return first + 1
    end = header_block_end(lines, first)
    if end is not None:
        return end
    for last in range(first, min(first + 4, len(lines))):
        if attribution_start(lines, last, first) == first:
            return last + 1
    return None


def _block_ending_at(lines: Lines, last: int, first: int) -> int | None:
    """Start of a header block right above a quote, None when there is none."""
    for start in range(last, max(last - 8, first - 1), -1):
        if not lines.texts[start]:
            return None
        if header_block_end(lines, start) == last + 1:
            return start
    return None
