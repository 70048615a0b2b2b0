"""What is evened out in an e-mail's text before it is cut into tokens.

Nothing here changes the number of characters, so offsets stay true.
"""

import re

_STRAIGHT = str.maketrans("’‘‛ʼ´`“”„«»\u00a0\t", "''''''\"\"\"\"\"  ")
_LENGTHENS = re.compile("[\u0130]")


def straighten(text: str) -> str:
    """Return ``text`` with straight quotes and plain blanks; the same length."""
    if text.isascii():
        return text.replace("\t", " ").replace("`", "'")
    return _LENGTHENS.sub("I", text.translate(_STRAIGHT))
