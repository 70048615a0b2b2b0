"""A quick look at a body: most mail holds nothing that could be cut, and need not be taken apart.

Each test is a condition without which a cut of ``quotes.py`` or ``signatures.py`` is not made, so
that a body that meets none is left whole by both. The quickest look is at the words alone: where
none could be part of what is cut, only the starts of lines are left to be seen.
"""

import re
from collections.abc import Iterable

from routing.mail.attributions import ends_in_verb, has_verb
from routing.mail.footers import BANNER_HINTS, DISCLAIMER_HINTS, MOBILE
from routing.mail.heads import label_of, separator
from routing.mail.phrases import FORWARDED, LABELS, OLDER, WROTE, WROTE_PARTS
from routing.mail.signatures import FUSED_STARTS, MOBILE_EDGE, MOBILE_HEADS, is_banner
from routing.mail.words import LONGEST, Words, may_disclaim

_MOBILE = (*MOBILE, "von mein")
_FIRST = frozenset(">&-_=*–—~#|")
_LAST = frozenset(":：")
_MARKED_LINE = re.compile(r"\n[^\S\n]*[>&\-_=*–—~#|]")
_EDGE = " \t-_=*–—~#<>|\u200e\u200f"


_EVERYDAY = frozenset(
    [
        "sent",
        "from",
        "via",
        "with",
        "using",
        "by",
        "my",
        "before",
        "you",
        "message",
        "e-mail",
        "email",
    ]
)


def _keys(phrases: Iterable[str]) -> tuple[str, ...]:
    """Return the longest word of each phrase but for everyday ones; else the phrase."""
    found = set()
    for phrase in map(str.lower, phrases):
        words = [word for word in phrase.split() if word not in _EVERYDAY]
        found.add(max(words, key=len, default=phrase))
    return tuple(found)


_CUT = _keys([*DISCLAIMER_HINTS, *_MOBILE, *FUSED_STARTS])
_KEYS = ("@", "--", *WROTE, *WROTE_PARTS, *(key for key in _CUT if " " not in key))
"""In a word of all that is cut, but for header lines, separators and ``_KEY_PHRASE``."""

_KEY_PHRASE = re.compile("|".join(re.escape(key) for key in _CUT if " " in key))

_LAST_WORDS = frozenset(phrase.split()[-1].strip(_EDGE) for phrase in (*LABELS, *FORWARDED, *OLDER))
"""Words before the colon of a header line or a separator."""

_BANNER_KEYS = _keys(BANNER_HINTS)


def is_plain(body: str) -> bool:
    """Return True for a body in which nothing is quoted, signed, forwarded or disclaimed.

    False where that takes a closer look.
    """
    lowered = body.lower()
    words = lowered.split()
    quiet = all(map(_QUIET.__getitem__, words))
    harmless = quiet or all(map(_HARMLESS.__getitem__, words))
    if not harmless or _KEY_PHRASE.search(lowered) or _MARKED_LINE.search("\n" + body):
        return _is_plain(body, lowered)
    return quiet or not is_banner(body.lstrip().partition("\n")[0].rstrip())


def _is_plain(body: str, lowered: str) -> bool:
    """Return ``is_plain``, seen from whole phrases and lines."""
    if "@" in body or "--" in body or any(map(body.__contains__, FUSED_STARTS)):
        return False
    if may_disclaim(lowered):
        return False
    texts = [text for text in map(str.strip, body.split("\n")) if text]
    if any(map(_stands_out, texts)) or (texts and is_banner(texts[0])):
        return False
    return not (any(text[-1] in _LAST for text in texts) and has_verb(body))


def _is_harmless(word: str) -> bool:
    """Return True for a word of nothing that is cut, unless a mark before it begins a line."""
    before_colons = re.split("[:：]", word)[:-1]
    ends = {piece.strip(_EDGE) for piece in before_colons}
    return (
        len(word) <= LONGEST
        and not any(map(word.__contains__, _KEYS))
        and "" not in ends
        and ends.isdisjoint(_LAST_WORDS)
    )


_HARMLESS = Words(_is_harmless)
_QUIET = Words(lambda w: _is_harmless(w) and not any(map(w.__contains__, _BANNER_KEYS)))
"""Harmless words that are no part of a banner either."""


def _stands_out(text: str) -> bool:
    """Return True for a line that may start an older message, a signature or a mobile line."""
    if text[0] in _FIRST or label_of(text) or ends_in_verb(text):
        return True
    if text[-1] in _LAST and separator(text):
        return True
    lowered = text.strip(MOBILE_EDGE)[:40].lower()
    return lowered[:2] in MOBILE_HEADS and lowered.startswith(_MOBILE)
