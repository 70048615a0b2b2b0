"""Characters that no reader sees, made plain before anything else looks at a text."""

import re
import unicodedata

_PLAIN = bytes([0x09, 0x0A, *range(0x20, 0x7F)])
_BLANKS = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f"
_UNSEEN = (
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff\ufff9\ufffa\ufffb\u034f"
)
_TABLE: dict[int, str] = (
    {code: "" for code in (*range(0x20), *range(0x7F, 0xA0)) if code not in (0x09, 0x0A, 0x85)}
    | dict.fromkeys(map(ord, _UNSEEN), "")
    | dict.fromkeys(map(ord, _BLANKS), " ")
    | dict.fromkeys((0x0C, 0x0B, 0x85, 0x2028, 0x2029), "\n")
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
)
_CHANGED = re.compile(f"[{re.escape(''.join(map(chr, _TABLE)))}\u200c\u200d]")
_LONE_JOINER = re.compile(r"(?<![^\x00-\x7f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\x7f])")


def plain_characters(text: str) -> str:
    """``text`` in NFC with line ends as ``\\n``, plain blanks, and no unseen characters.

    Zero-width joiners stay between letters beyond ASCII, where they carry meaning; lone
    surrogates become U+FFFD.
    """
    if text.isascii() and not text.encode("ascii").translate(None, _PLAIN):
        return text
    text = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    if _CHANGED.search(text):
        text = _LONE_JOINER.sub("", text.translate(_TABLE))
    return unicodedata.normalize("NFC", text)
