"""A quick look at a body: most mail holds nothing that could be cut, and need not be taken apart.

Each test is a condition without which a cut of ``quotes.py`` or ``signatures.py`` is not made, so
that a body that meets none is left whole by both.
"""

from functools import lru_cache

from routing.mail.attributions import ends_in_verb, has_verb
from routing.mail.footers import DISCLAIMER_HINTS, MOBILE
from routing.mail.heads import label_of, separator
from routing.mail.signatures import FUSED_STARTS, MOBILE_EDGE, is_banner

_PHRASES = tuple(hint for hint in DISCLAIMER_HINTS if " " in hint)
"""Hints at a disclaimer of several words."""

_HINTS = tuple(hint for hint in DISCLAIMER_HINTS if " " not in hint)
"""Hints at a disclaimer that lie within a word: what is known of each word is kept."""

_LONGEST = 60
"""Characters of the longest word of which it is kept whether it hints."""

_MOBILE = (*MOBILE, "von mein")
_MOBILE_HEADS = frozenset(start[:2] for start in _MOBILE)
_FIRST = frozenset(">&-_=*–—~#|")
_LAST = frozenset(":：")


def is_plain(body: str) -> bool:
    """Return True for a body in which nothing is quoted, signed, forwarded or disclaimed.

    False where that takes a closer look.
    """
    if "@" in body or "--" in body or any(map(body.__contains__, FUSED_STARTS)):
        return False
    lowered = body.lower()
    words = lowered.split()
    if max(map(len, words), default=0) > _LONGEST or any(map(_hints, words)):
        return False
    if any(map(lowered.__contains__, _PHRASES)):
        return False
    texts = [text for text in map(str.strip, body.split("\n")) if text]
    if any(map(_stands_out, texts)) or (texts and is_banner(texts[0])):
        return False
    return not (any(text[-1] in _LAST for text in texts) and has_verb(body))


@lru_cache(maxsize=50_000)
def _hints(word: str) -> bool:
    return any(hint in word for hint in _HINTS)


def _stands_out(text: str) -> bool:
    """Return True for a line that may start an older message, a signature or a mobile line."""
    if text[0] in _FIRST or label_of(text) or ends_in_verb(text):
        return True
    if text[-1] in _LAST and separator(text):
        return True
    lowered = text.strip(MOBILE_EDGE)[:40].lower()
    return lowered[:2] in _MOBILE_HEADS and lowered.startswith(_MOBILE)
