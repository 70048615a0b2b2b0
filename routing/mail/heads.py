"""What stands above an older message: separators, rules, and blocks of header lines."""

import re

from routing.mail.lines import Lines
from routing.mail.phrases import FORWARDED, LABELS, OLDER, REPLY_ABOVE

QUOTED, FORWARD = "quoted reply", "forwarded message"

_RULE = re.compile(r"[-_=*–—~#]{2,}")


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


def is_rule(text: str) -> bool:
    """True for a line of dashes or the like, and for a separator."""
    core = text.strip("-_=*–—~# ")
    return (not core and len(text) >= 3) or bool(_RULE.match(text) and separator(text))


def label_of(text: str) -> str:
    """What a header line such as ``Von: …`` holds (``from``, ``date`` …), "" when it is none."""
    head = text[:41]
    if ":" not in head and "：" not in head:
        return ""
    colon = min((at for at in (head.find(":"), head.find("：")) if at > 0), default=-1)
    if colon < 0:
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


def _more_labels(text: str) -> set[str]:
    """Labels further on in a line, where a program put several headers into one."""
    found = (
        LABELS.get(word.strip(" *").lower(), "")
        for word in re.findall(r"\s([^\s:]{1,20})\s?:", text[:2000])
    )
    return {kind for kind in found if kind}
