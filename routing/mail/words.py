"""What is known of single words, kept of each so that it is found out once."""

from collections.abc import Callable

from routing.mail.footers import DISCLAIMER_HINTS

LONGEST = 60
"""Characters of the longest word of which it is kept."""

_MOST = 20_000
"""Words of which it is kept."""

_PHRASES = tuple(hint for hint in DISCLAIMER_HINTS if " " in hint)
_HINTS = tuple(hint for hint in DISCLAIMER_HINTS if " " not in hint)


class Words(dict[str, bool]):
    """Word -> what ``tell`` says of it."""

    def __init__(self, tell: Callable[[str], bool]) -> None:
        super().__init__()
        self.tell = tell

    def __missing__(self, word: str) -> bool:
        told = self.tell(word)
        if len(word) <= LONGEST:
            if len(self) >= _MOST:
                self.clear()
            self[word] = told
        return told


_HINTING = Words(lambda word: any(map(word.__contains__, _HINTS)))


def may_disclaim(lowered: str) -> bool:
    """Return False for a lower-case text that holds no hint at a disclaimer."""
    if any(map(_HINTING.__getitem__, lowered.split())):
        return True
    return any(map(lowered.__contains__, _PHRASES))
