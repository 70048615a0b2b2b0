"""Quoted and forwarded messages found in the lines of a body.

A cut needs evidence, not shape: an attribution line needs a verb or an address and a date; a
header block needs From and two more labels. Lines that start with ``>`` go wherever they stand,
and with them the line that introduces them, whatever its wording.
"""

import re

from routing.mail.lines import Lines
from routing.mail.phrases import (
    DAYS_AND_MONTHS,
    FORWARDED,
    LABELS,
    OLDER,
    OPENERS,
    REPLY_ABOVE,
    WROTE,
    WROTE_PARTS,
)

QUOTED, FORWARD = "quoted reply", "forwarded message"

_RULE = re.compile(r"[-_=*–—~#]{2,}")
_TIME = re.compile(r"\d{1,2}\s?[:.hH]\s?\d{2}(?!\d)|\d{1,2}\s?[ap]\.?m\b", re.IGNORECASE)
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\s?[月월]")
_ADDRESS = re.compile(r"[<(\[\"'“«][^<>()\s@]{0,80}\s{0,2}[^<>()\s@]{1,80}@[^\s<>()@]{1,120}")
_WORD = re.compile(r"[\w'’/()-]+")
_GLUED_RULE = re.compile(r"-{4,}\s?[^\W\d_][^-_\n]{4,60}\s?-{4,}")
_GLUED_START = re.compile(
    r"(?<=[.!?…)\s])(?:On|Am|Le|El|Em|Op|Den|Il giorno|In data|Dnia|W dniu|Dne)(?=\s)"
)
_GLUED_END = re.compile(
    r">?\)?\s?\b(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|skrev|napisał(?:\(a\))?|het"
    r" volgende geschreven|napsal)\s?:|@[^\s@<>]{1,80}>\s?:"
)
_LONGEST_ATTRIBUTION = 400
_LONGEST_INTRODUCTION = 80


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
    text = lines.texts[number]
    if "@" not in text and "--" not in text:
        return False
    starts = [match.start() for match in _GLUED_RULE.finditer(text) if separator(match[0])]
    starts += _glued_attributions(text) if "@" in text else []
    start = min((start for start in starts if start > 0), default=0)
    if start:
        lines.cut_inside(number, start, QUOTED)
    return start > 0


def _glued_attributions(text: str) -> list[int]:
    """Where an attribution such as ``On 2 May 2024 Ann <ann@example.com> wrote:`` starts."""
    found = []
    for end in _GLUED_END.finditer(text):
        for opener in _GLUED_START.finditer(text, max(end.start() - 250, 0), end.start()):
            if _is_attribution(text[opener.start() : end.end()], opened=True):
                found.append(opener.start())
    return found


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
    text = lines.texts[rest]
    if text and not lines.fates[rest] and (text[0].islower() or text.startswith(("http", "<http"))):
        lines.cut(rest, rest + 1, QUOTED)


def _cut_introduction(lines: Lines, number: int, first: int) -> None:
    """Cut the line or lines above the quoted line ``number`` that say who wrote it."""
    last = number - 1
    blanks = 0
    while last >= first and not lines.texts[last] and not lines.fates[last] and blanks < 2:
        last, blanks = last - 1, blanks + 1
    if last < first or lines.fates[last] or not lines.texts[last]:
        return
    if not _opens(lines.texts[last]) and _cut_inside(lines, last):
        return
    start = _attribution_start(lines, last, first, above_quote=True)
    if start is None and _is_introduction(lines, last, first, close=blanks == 0):
        start = last
    if start is None and _is_dashed_attribution(lines.texts[last]):
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
    dated = _is_dated(core)
    label = LABELS.get(core.partition(":")[0].strip(" *").lower()) if ":" in core else None
    if text[-1] in ":：":
        return (alone and close) or dated or _has_verb(core)
    if not close or text[-1] in ".!?…,;":
        return False
    dashed = core != text and text[0] == text[-1]
    return alone and ((dated and len(core.split()) <= 8) or label is not None or dashed)


def _is_dated(text: str) -> bool:
    if _TIME.search(text) or _DATE.search(text):
        return True
    return not DAYS_AND_MONTHS.isdisjoint(_WORD.findall(text.lower()))


def _has_verb(text: str) -> bool:
    lowered = text.lower()
    if not WROTE.isdisjoint(_WORD.findall(lowered)):
        return True
    return any(part in lowered for part in WROTE_PARTS)


def _attribution_start(
    lines: Lines, last: int, first: int, *, above_quote: bool = False
) -> int | None:
    """First line of the attribution that ends with the line ``last``, None when it is none."""
    text = lines.texts[last]
    if text[-1:] not in {":", "："} and not _ends_in_verb(text):
        return None
    if "@" in text and not _opens(text) and _glued_attributions(text):
        return None
    joined = ""
    for start in range(last, max(last - 4, first - 1), -1):
        line = lines.texts[start]
        if not line or lines.fates[start] or len(joined) + len(line) > _LONGEST_ATTRIBUTION:
            return None
        joined = f"{line} {joined}".strip()
        opened = _opens(line)
        alone = start == first or not lines.texts[start - 1] or bool(lines.fates[start - 1])
        if (opened or alone) and _is_attribution(joined, opened=opened, above_quote=above_quote):
            return _first_of_date(lines, start, first)
    return None


def _first_of_date(lines: Lines, start: int, first: int) -> int:
    """``start``, or the line above it where a date was wrapped (``On 2 May 2024,``)."""
    above = lines.texts[start - 1] if start > first else ""
    wrapped = (
        above and not lines.fates[start - 1] and above[-1] not in ".!?…:：" and len(above) < 60
    )
    return start - 1 if wrapped and _opens(above) and _is_dated(above) else start


def _ends_in_verb(text: str) -> bool:
    words = text[-30:].split()
    return bool(words) and words[-1].lower().strip("*_") in WROTE and len(text) > 20


def _opens(line: str) -> bool:
    words = line.lstrip("*_-–—=|> \u200e\u200f").split(maxsplit=1)
    if not words:
        return False
    word = words[0].lower()
    return word[0].isdigit() or word in OPENERS or word.strip(".,") in DAYS_AND_MONTHS


def _is_attribution(text: str, *, opened: bool, above_quote: bool = False) -> bool:
    address = _ADDRESS.search(text) is not None
    dated = _DATE.search(text) is not None
    timed = dated or _TIME.search(text) is not None
    if address and (timed or _has_verb(text)):
        return True
    if above_quote:
        return _has_verb(text) and (timed or opened or "@" in text)
    return opened and dated and _has_verb(text)


def _is_dashed_attribution(text: str) -> bool:
    """``---- On 2 May 2024 10:18 ann@example.com wrote ----``."""
    core = text.strip("-_=*–—~# ")
    return len(text) - len(core) >= 4 and _opens(core) and _is_attribution(core, opened=True)


def _older_message(lines: Lines, number: int) -> tuple[int, str] | None:
    """Where an older message starts when the line ``number`` gives it away, and what it is."""
    text = lines.texts[number]
    if not text:
        return None
    if text[-1] in ":：" or text[0] in "-_=*–—~#":
        reason = separator(text) or (QUOTED if _is_dashed_attribution(text) else "")
        if reason:
            return _above_rules(lines, number, 0), reason
    if text[-1] in ":：" or _ends_in_verb(text):
        start = _attribution_start(lines, number, 0)
        if start is not None:
            return _above_rules(lines, start, 0), QUOTED
    if label_of(text) and not (number and label_of(lines.texts[number - 1])):
        end = header_block_end(lines, number)
        if end is not None:
            start = _above_rules(lines, number, 0)
            return start, FORWARD if _is_forward(lines, start) else QUOTED
    return None


def separator(text: str) -> str:
    """Why a line such as ``-----Original Message-----`` ends the news, "" when it does not."""
    core = text.strip("-_=*–—~#<> ").lower()
    if not core or len(core) > 400:
        return ""
    dashed = _RULE.match(text) is not None
    if dashed and any(mark in core for mark in REPLY_ABOVE):
        return QUOTED
    for phrases, reason in ((FORWARDED, FORWARD), (OLDER, QUOTED)):
        if dashed and _starts_with_phrase(core, phrases):
            return reason
        if text[-1] in ":：" and core.rstrip(":： ") in phrases and " " in core:
            return reason
    return ""


def _starts_with_phrase(core: str, phrases: frozenset[str]) -> bool:
    head = re.split(r"[-_=*–—~]{2,}|:", core, maxsplit=1)[0].strip()
    return head in phrases or (head.startswith("forwarded by ") and len(head) < 120)


def _is_forward(lines: Lines, start: int) -> bool:
    return any(
        separator(lines.texts[n]) == FORWARD for n in range(start, min(start + 2, len(lines)))
    )


def _above_rules(lines: Lines, start: int, first: int) -> int:
    """``start`` moved up over rules such as ``________`` and separators right above it."""
    number = start - 1
    while number >= first and (not lines.texts[number] or _is_rule(lines.texts[number])):
        if lines.texts[number]:
            start = number
        number -= 1
    return start


def _is_rule(text: str) -> bool:
    core = text.strip("-_=*–—~# ")
    return (not core and len(text) >= 3) or bool(_RULE.match(text) and separator(text))


def label_of(text: str) -> str:
    """What a header line such as ``Von: …`` holds (``from``, ``date`` …), "" when it is none."""
    colon = min((at for at in (text.find(":"), text.find("：")) if at > 0), default=-1)
    if not 0 < colon <= 40:
        return ""
    return LABELS.get(text[:colon].strip(" *_|>\t\u200e\u200f").lower(), "")


def header_block_end(lines: Lines, first: int) -> int | None:
    """One past the last line of the header block that starts with the line ``first``.

    None when there is none: a block needs From and two more labels, and an address, a subject
    or a label such as ``Sent`` among them.
    """
    if not label_of(lines.texts[first]):
        return None
    kinds: set[str] = set()
    end, missed, strangers, address = first, 0, 0, False
    for number in range(first, min(first + 25, len(lines))):
        text = lines.texts[number].strip("> ")
        label = label_of(text)
        if label:
            kinds.update((label, *_more_labels(text)))
            address = address or "@" in text
            end, missed = number + 1, 0
        elif text and missed < 3 and strangers < 6 and number == end + missed:
            address = address or "@" in text
            missed, strangers = missed + 1, strangers + 1
        elif text or number > end:
            break
    known = kinds & {"date", "sent", "to", "subject", "copy"}
    if "from" in kinds and len(known) >= 2 and (address or kinds & {"subject", "sent"}):
        return end
    return None


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
    if separator(lines.texts[first]) or _is_dashed_attribution(lines.texts[first]):
        return first + 1
    end = header_block_end(lines, first)
    if end is not None:
        return end
    for last in range(first, min(first + 4, len(lines))):
        if _attribution_start(lines, last, first) == first:
            return last + 1
    return None


def _more_labels(text: str) -> set[str]:
    """Labels further on in a line, where a program put several headers into one."""
    found = (
        LABELS.get(word.strip(" *").lower(), "")
        for word in re.findall(r"\s([^\s:]{1,20})\s?:", text[:2000])
    )
    return {kind for kind in found if kind}


def _block_ending_at(lines: Lines, last: int, first: int) -> int | None:
    """Start of a header block right above a quote, None when there is none."""
    for start in range(last, max(last - 8, first - 1), -1):
        if not lines.texts[start]:
            return None
        if header_block_end(lines, start) == last + 1:
            return start
    return None
