"""Attribution lines: ``On 2 May 2024 Ann <ann@example.com> wrote:`` in any language."""

import re
from itertools import islice

from routing.mail.lines import Lines
from routing.mail.phrases import DAYS_AND_MONTHS, OPENERS, WROTE, WROTE_PARTS

_TIME = re.compile(r"\d{1,2}\s?[:.hH]\s?\d{2}(?!\d)|\d{1,2}\s?[ap]\.?m\b", re.IGNORECASE)
_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}\s?[月월]")
_ADDRESS = re.compile(r"[<(\[\"'“«][^<>()\s@]{0,80}\s{0,2}[^<>()\s@]{1,80}@[^\s<>()@]{1,120}")
_WORD = re.compile(r"[\w'’/()-]+")
_GLUED_START = re.compile(
    r"(?<=[.!?…)\s])(?:On|Am|Le|El|Em|Op|Den|Il giorno|In data|Dnia|W dniu|Dne)(?=\s)"
)
_GLUED_END = re.compile(
    r">?\)?\s?\b(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|skrev|napisał(?:\(a\))?|het"
    r" volgende geschreven|napsal)\s?:|@[^\s@<>]{1,80}>\s?:"
)
_DATE_WORDS = (
    DAYS_AND_MONTHS | OPENERS | {"at", "um", "à", "om", "kl", "klo", "de", "le", "pm", "uhr"}
)
_LONGEST = 400


def attribution_start(
    lines: Lines, last: int, first: int, *, above_quote: bool = False
) -> int | None:
    """First line of the attribution that ends with the line ``last``, None when it is none."""
    text = lines.texts[last]
    colon = text[-1:] in {":", "："}
    if not colon and not ends_in_verb(text):
        return None
    if "@" in text and not opens(text) and glued_attributions(text):
        return None
    joined = ""
    for start in range(last, max(last - 4, first - 1), -1):
        line = lines.texts[start]
        if not line or lines.fates[start] or len(joined) + len(line) > _LONGEST:
            return None
        joined = f"{line} {joined}".strip()
        sure = colon or above_quote or "@" in joined or _TIME.search(joined)
        if not sure and _is_prose(joined):
            continue
        opened = opens(line)
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
    return start - 1 if wrapped and opens(above) and is_dated(above) else start


def _is_attribution(text: str, *, opened: bool, above_quote: bool = False) -> bool:
    address = _ADDRESS.search(text) is not None
    dated = _DATE.search(text) is not None
    timed = dated or _TIME.search(text) is not None
    if address and (timed or has_verb(text)):
        return True
    if above_quote:
        return has_verb(text) and (timed or opened or "@" in text)
    return opened and dated and has_verb(text)


def _is_prose(text: str) -> bool:
    """True when more words in small letters than those of dates stand before the verb."""
    return not _DATE_WORDS.issuperset(
        word for word in _WORD.findall(text)[:-1] if word[0].islower()
    )


def is_dashed_attribution(text: str) -> bool:
    """True for ``---- On 2 May 2024 10:18 ann@example.com wrote ----``."""
    core = text.strip("-_=*–—~# ")
    if len(core) > _LONGEST or len(text) - len(core) < 4:
        return False
    return opens(core) and _is_attribution(core, opened=True)


def glued_attributions(text: str) -> list[int]:
    """Where an attribution such as ``On 2 May 2024 Ann <ann@example.com> wrote:`` starts."""
    found = []
    for end in islice(_GLUED_END.finditer(text), 20):
        for opener in _GLUED_START.finditer(text, max(end.start() - 250, 0), end.start()):
            if _is_attribution(text[opener.start() : end.end()], opened=True):
                found.append(opener.start())
    return found


def is_dated(text: str) -> bool:
    """True when ``text`` holds a time, a date, or the name of a day or month."""
    if _TIME.search(text) or _DATE.search(text):
        return True
    return not DAYS_AND_MONTHS.isdisjoint(_WORD.findall(text.lower()))


def has_verb(text: str) -> bool:
    """True when ``text`` says that somebody wrote."""
    lowered = text.lower()
    if not WROTE.isdisjoint(_WORD.findall(lowered)):
        return True
    return any(part in lowered for part in WROTE_PARTS)


def ends_in_verb(text: str) -> bool:
    """True for a line whose last word says that somebody wrote."""
    words = text[-30:].split()
    return bool(words) and words[-1].lower().strip("*_") in WROTE and len(text) > 20


def opens(line: str) -> bool:
    """True for a line that starts as attributions do: ``On``, a digit, a day."""
    words = line.lstrip("*_-–—=|> \u200e\u200f").split(maxsplit=1)
    if not words:
        return False
    word = words[0].lower()
    return word[0].isdigit() or word in OPENERS or word.strip(".,") in DAYS_AND_MONTHS
