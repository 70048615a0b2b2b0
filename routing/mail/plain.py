"""A quick look at a body: most mail holds nothing that could be cut, and need not be taken apart.

Each test is one that a cut in ``quotes.py`` or ``signatures.py`` makes as well, so that a body
that fails them all is left whole by both.
"""

from routing.mail.footers import DISCLAIMER_HINTS, MOBILE
from routing.mail.heads import label_of
from routing.mail.phrases import WROTE
from routing.mail.signatures import FUSED_STARTS, MOBILE_EDGE, is_banner

_MOBILE_HEADS = frozenset(start[:2] for start in (*MOBILE, "von mein"))
_FIRST = frozenset(">&-_=*–—~#")
_LAST = frozenset(":：")


def is_plain(body: str) -> bool:
    """Return True for a body in which nothing is quoted, signed, forwarded or disclaimed.

    False where that takes a closer look.
    """
    if "@" in body or "--" in body or any(map(body.__contains__, FUSED_STARTS)):
        return False
    if any(map(body.lower().__contains__, DISCLAIMER_HINTS)):
        return False
    texts = [text for text in map(str.strip, body.split("\n")) if text]
    return not is_banner(texts[0]) and not any(map(_stands_out, texts)) if texts else True


def _stands_out(text: str) -> bool:
    """Return True for a line that may start an older message, a signature or a mobile line."""
    if text[0] in _FIRST or text[-1] in _LAST or label_of(text):
        return True
    if text.rsplit(None, 1)[-1].lower().strip("*_") in WROTE:
        return True
    lowered = text.strip(MOBILE_EDGE)[:40].lower()
    return lowered[:2] in _MOBILE_HEADS and lowered.startswith((*MOBILE, "von mein"))
