"""Bytes to text, whatever the label says.

Labels lie: ``iso-8859-1`` is Windows-1252 on the wire, ``gb2312`` is GB 18030, and ``us-ascii``
is often UTF-8. The order below (byte order mark, escape sequences, valid UTF-8, the label through
a table of supersets, a guess) never fails.
"""

import codecs
import io
import re
from functools import lru_cache
from typing import Any, BinaryIO

from routing.mail.guess import guess_charset

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SUPERSETS = {
    "ascii": "cp1252",
    "usascii": "cp1252",
    "ansix341968": "cp1252",
    "iso88591": "cp1252",
    "latin1": "cp1252",
    "l1": "cp1252",
    "iso8859": "cp1252",
    "88591": "cp1252",
    "gb2312": "gb18030",
    "gb231280": "gb18030",
    "euccn": "gb18030",
    "gbk": "gb18030",
    "cp936": "gb18030",
    "ms936": "gb18030",
    "windows936": "gb18030",
    "xgbk": "gb18030",
    "ksc56011987": "cp949",
    "ksc5601": "cp949",
    "ksc56011989": "cp949",
    "euckr": "cp949",
    "ks": "cp949",
    "xwindows949": "cp949",
    "windows949": "cp949",
    "shiftjis": "cp932",
    "sjis": "cp932",
    "xsjis": "cp932",
    "windows31j": "cp932",
    "ms932": "cp932",
    "mskanji": "cp932",
    "iso88599": "cp1254",
    "latin5": "cp1254",
    "iso88598i": "iso8859_8",
    "iso88598e": "iso8859_8",
    "iso88596i": "iso8859_6",
    "iso88596e": "iso8859_6",
    "big5": "big5hkscs",
    "cnbig5": "big5hkscs",
    "xxbig5": "big5hkscs",
    "windows874": "cp874",
    "iso885911": "cp874",
    "tis620": "cp874",
    "iso2022jp": "iso2022_jp_ext",
    "csiso2022jp": "iso2022_jp_ext",
    "utf7": "utf-7",
    "unicode11utf7": "utf-7",
    "unicode": "utf-16",
    "macintosh": "mac_roman",
    "xmacroman": "mac_roman",
    "xmaccyrillic": "mac_cyrillic",
    "ansi": "cp1252",
    "win1251": "cp1251",
    "win1252": "cp1252",
    "koi8": "koi8_r",
}
_WIDE = ("utf", "gb18030", "cp949", "cp932", "big5", "euc", "iso2022", "hz", "johab", "shift")
_NOT_TEXT = frozenset(
    [
        "base64",
        "bz2",
        "hex",
        "quopri",
        "rot13",
        "uu",
        "zlib",
        "idna",
        "punycode",
        "unicodeescape",
        "rawunicodeescape",
        "undefined",
        "mbcs",
        "oem",
    ]
)
_ESCAPE = re.compile(rb"\x1b(?:\$[@B]|\$\([A-Z]|\([BIJ])")
_KOREAN_ESCAPE = re.compile(rb"\x1b\$\)C")


@lru_cache(maxsize=500)
def codec_name(label: str) -> str | None:
    """The codec to read bytes labelled ``label`` with, None when nobody knows such a label."""
    key = re.sub(r"[^a-z0-9]", "", label.lower()[:40])
    if key in _SUPERSETS:
        return _SUPERSETS[key]
    for guess in (label.strip().lower()[:40], re.sub(r"^(?:x|cs)-?", "", label.lower()[:40]), key):
        try:
            name = codecs.lookup(guess).name
        except (LookupError, ValueError):
            continue
        plain = name.replace("-", "").replace("_", "")
        return None if plain in _NOT_TEXT else _SUPERSETS.get(plain, name)
    return None


def decode(data: bytes, label: str | None = None) -> str:
    """``data`` as text: by its marks, as UTF-8, by ``label``, or as the most likely charset.

    Never fails; bytes that fit nothing become U+FFFD.
    """
    if data.isascii() and b"\x1b" not in data:
        return _ascii_text(data, label)
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(codec, "replace")
    name = codec_name(label) if label else None
    if data.isascii():
        return _with_escapes(data, name)
    text = _decoded(data, "utf-8") if _may_be_utf8(data, name) else None
    if text is None and name is not None and name != "utf-8":
        text = _decoded(data, name)
        if text is None and _is_wide(name):
            text = data.decode(name, "replace")
    return data.decode(guess_charset(data), "replace") if text is None else text


def _may_be_utf8(data: bytes, name: str | None) -> bool:
    """True unless a charset of several bytes a character is named and fits better.

    A dozen bytes beyond ASCII that happen to be UTF-8 are UTF-8, whatever is named.
    """
    if name is None or name == "utf-8" or not _is_wide(name):
        return True
    if name.startswith(("utf-16", "utf-32")):
        return b"\0" not in data
    return sum(byte >= 0x80 for byte in data[:200]) >= 12


def _is_wide(name: str) -> bool:
    """True for codecs with more than one byte a character."""
    return name.replace("_", "").startswith(_WIDE)


def _ascii_text(data: bytes, label: str | None) -> str:
    """ASCII bytes, which a few charsets read as something else."""
    name = (codec_name(label) if label else None) or "ascii"
    wide = name.startswith(("utf-16", "utf-32"))
    if name in {"utf-7", "hz", "cp037", "cp500"} or (wide and b"\0" in data):
        text = _decoded(data, name)
        return data.decode("ascii") if text is None else text
    return data.decode("ascii")


def stream_codec(head: bytes) -> str:
    """Name of the codec for a whole text file that starts with ``head``."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return {"utf-8": "utf-8-sig", "utf-16-le": "utf-16", "utf-16-be": "utf-16"}.get(
                name, name
            )
    return "utf-8"


def is_marked_wide(head: bytes) -> bool:
    """True for a file that starts with the mark of UTF-16 or UTF-32."""
    return stream_codec(head) not in {"utf-8", "utf-8-sig"}


def utf8_stream(stream: BinaryIO) -> BinaryIO:
    """A file's own bytes, or its text as UTF-8 where it is marked as UTF-16 or UTF-32."""
    head = stream.read(4)
    stream.seek(0)
    if not is_marked_wide(head):
        return stream
    return io.BufferedReader(_Recoded(stream, stream_codec(head)))


class _Recoded(io.RawIOBase):
    """The text of ``stream`` in UTF-8."""

    def __init__(self, stream: BinaryIO, codec: str) -> None:
        self._text = io.TextIOWrapper(stream, codec, errors="replace", newline="")
        self._left = b""

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill ``buffer`` with the next bytes; return how many, 0 at the end."""
        if not self._left:
            self._left = self._text.read(8_192).encode("utf-8", "replace")
        size = min(len(buffer), len(self._left))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        return size


def _decoded(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name)
    except (UnicodeError, LookupError, ValueError):
        return None


def _with_escapes(data: bytes, name: str | None) -> str:
    if _KOREAN_ESCAPE.search(data):
        return data.decode("iso2022_kr", "replace")
    if _ESCAPE.search(data) or (name or "").startswith("iso2022"):
        return data.decode("iso2022_jp_ext", "replace")
    return data.decode("ascii")
