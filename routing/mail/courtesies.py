"""Greetings, thanks and closings: what stands around the news and says none."""

import re

from routing.mail.phrases import CLOSINGS, EMPTY_WORDS, GREETINGS, THANKS

_PIECE_END = re.compile(r"[,.;:!–…()\n，。！]+|\s-+\s")
_LONGEST = 100
_LONGEST_GREETING = 5
_LONGEST_SIGN_OFF = 8
_STARTS = tuple(sorted(GREETINGS))


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
    if not all(map(_may_sign, own[closing + 1 :])):
        return False
    pieces = [piece for piece in map(_piece, _PIECE_END.split("\n".join(own[:closing]))) if piece]
    if pieces and _is_greeting(pieces[0]):
        del pieces[0]
    told = [piece for piece in pieces if piece not in THANKS] or pieces
    return EMPTY_WORDS.issuperset(told) and (told != [] or closing < len(own))


def _piece(text: str) -> str:
    return text.strip(" .,:;!-–()*_").lower()


def _may_sign(text: str) -> bool:
    """True for a line that may stand below a closing: a name, a post, an address."""
    return len(text.split()) <= 8 and text[-1] not in ".!?…"


def _is_greeting(text: str) -> bool:
    words = text.split()
    return len(words) <= _LONGEST_GREETING and f"{' '.join(words).lower()} ".startswith(_STARTS)
