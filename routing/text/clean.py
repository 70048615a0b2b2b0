"""What is evened out in an e-mail's text before it is cut into tokens.

Nothing here changes the number of characters, so offsets stay true.
"""

import re

_STRAIGHT = str.maketrans("’‘‛ʼ´`“”„«»\u00a0\t", "''''''\"\"\"\"\"  ")
_LENGTHENS = re.compile("[\u0130]")

_SUBJECT_MARKS = re.compile(
    r"^(?:\s*(?:(?:re|aw|antw|antwort|sv|vs|ref|rif|odp|ynt|fw|fwd|wg|tr|enc|doorst|vl|vb|rv|i|r|res|回复|答复|转发)"
    r"(?:\[\d+\])?\s*[:：]|\[[^\]\n]{0,40}#?\d+[^\]\n]{0,20}\]|\(?ticket\s*#?\d+\)?:?))+\s*",
    re.IGNORECASE,
)


def straighten(text: str) -> str:
    """Return ``text`` with straight quotes and plain blanks; the same length."""
    return _LENGTHENS.sub("I", text.translate(_STRAIGHT))


def bare_subject(subject: str) -> str:
    """Return ``subject`` without leading reply and forward marks and ticket tags."""
    return _SUBJECT_MARKS.sub("", subject).strip()
