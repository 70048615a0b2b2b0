"""Greetings, thanks and closings: what stands around the news and says none."""

import re

from routing.mail.phrases import CLOSINGS, EMPTY_WORDS, GREETINGS, THANKS, phrases

_PIECE_END = re.compile(r"[,.;:!–…()\n，。！]+|\s-+\s")
_LONGEST = 100
_LONGEST_GREETING = 5
_LONGEST_SIGN_OFF = 8
_SMALL = frozenset(
    ["of", "and", "at", "the", "for", "de", "da", "di", "la", "von", "van", "der", "und"]
)
_GREETED = phrases(
    """there|all|team|everyone|everybody|both|folks|guys|sir|madam|or|and|support|service|you
    customer|care|zusammen|damen|und|herren|à|a|tous|todos|allemaal|alle"""
)
POSTSCRIPT = re.compile(r"p\.?\s?s\b", re.IGNORECASE)


def is_greeting(text: str) -> bool:
    """True for a whole line such as ``Dear Ann,``."""
    core = text.rstrip(" ,!:，！：")
    return core != text and _is_greeting(core) and re.search(r"[,!?;:]|\w{4}\.", core) is None


def says_nothing(own: list[str]) -> bool:
    """True for lines that hold but ``FYI`` or the like, or a closing and a name alone."""
    whole = " ".join(own).strip(" .,:;!-–()").lower()
    if not whole or whole in EMPTY_WORDS:
        return True
    closing = next((at for at, text in enumerate(own) if _piece(text) in CLOSINGS), len(own))
    if sum(map(len, own[:closing])) > _LONGEST or len(own) - closing > _LONGEST_SIGN_OFF:
        return False
    if not all(map(may_sign, own[closing + 1 :])):
        return False
    cut = _PIECE_END.split("\n".join(own[:closing]))
    pieces = [piece for piece in map(_bare, cut) if piece]
    if pieces and _is_greeting(pieces[0]):
        del pieces[0]
    said = list(map(str.lower, pieces))
    told = [piece for piece in said if piece not in THANKS] or said
    return EMPTY_WORDS.issuperset(told) and (told != [] or closing < len(own))


def may_sign(text: str) -> bool:
    """True for a line that may stand below a closing: a name, a post, an address."""
    words = text.split()
    named = all(word[0].isupper() or not word[0].isalpha() or word in _SMALL for word in words)
    return named and len(words) <= 8 and text[-1] not in ".!?…" and not POSTSCRIPT.match(text)


def _bare(text: str) -> str:
    return text.strip(" .,:;!-–()*_")


def _piece(text: str) -> str:
    return _bare(text).lower()


def _is_greeting(text: str) -> bool:
    """True for a greeting and whom it is for: names begin with a capital."""
    words = text.split()
    if len(words) > _LONGEST_GREETING:
        return False
    starts = (n for n in range(len(words), 0, -1) if " ".join(words[:n]).lower() in GREETINGS)
    start = next(starts, None)
    return start is not None and all(
        not word[0].islower() or word in _GREETED for word in words[start:]
    )
