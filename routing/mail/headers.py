"""Header lines: unfolded, decoded, and the few of them that matter taken apart."""

import binascii
import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from urllib.parse import unquote_to_bytes

from routing.mail.characters import plain_characters
from routing.mail.charset import codec_name, decode
from routing.mail.transfer import undo_base64

_NAME = re.compile(rb"([!-9;-~]{1,200})[ \t]*:")
_HEADER = re.compile(
    rb"([!-9;-~]{1,200})[ \t]*:([^\n]*(?:\n[ \t][ \t\r\0]*+[^\n][^\n]*)*)(?:\n|\Z)"
)
"""A header with the lines that it goes on in; a line of blanks is none of them."""

_WORD = re.compile(rb"=\?([!->@-~]{1,60})\?([bBqQ])\?((?:[^?\n]|\?(?!=)){0,4000})\?=")
_PARAMETER = re.compile(rb";\s*([^\s=;\"]{1,100})[ \t]*=[ \t]*(\"(?:[^\"\\]|\\.)*\"?|[^;\n]*)")
_LONGEST, _LONGEST_SENDER = 20_000, 2_000
_QUOTED_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"(?=\s*<)')
_DISPLAY = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Headers:
    """The header lines of a message or part: raw values under lower-case names, in order.

    ``first`` holds the first value of each name.
    """

    lines: tuple[tuple[str, bytes], ...] = ()
    first: dict[str, bytes] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", dict(reversed(self.lines)))

    def raw(self, name: str) -> bytes:
        """Value of the first line ``name`` as it stands, b"" when there is none."""
        return self.first.get(name, b"")

    def text(self, name: str) -> str:
        """Decoded value of the first line ``name``, "" when there is none."""
        value = self.raw(name)
        return decode_header(value, None if value.isascii() else self.charset) if value else ""

    @property
    def charset(self) -> str | None:
        """The charset of the message's own text: a hint for raw bytes in its headers."""
        return charset_of(parse_value(self.raw("content-type")))

    def __contains__(self, name: str) -> bool:
        return name in self.first


@dataclass(frozen=True, slots=True)
class Value:
    """A structured header value such as ``text/plain; charset=utf-8``, in lower case."""

    main: str = ""
    parameters: dict[str, str] = field(default_factory=dict)


def split_headers(data: bytes) -> tuple[Headers, int]:
    """The header lines that ``data`` starts with, and where the body begins.

    Lines that are no header are passed over when a header follows them; else the body begins
    there.
    """
    lines, position = _whole_headers(data)
    bad = -1
    while position < len(data):
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        line = data[position:end]
        if not line.strip(b" \t\r\0"):
            break
        match = _NAME.match(line)
        if line[:1] in b" \t" and lines and bad < 0:
            lines[-1] = (lines[-1][0], lines[-1][1] + b"\n" + line)
        elif match:
            lines.append((match[1].decode("ascii").lower(), line[match.end() :]))
            bad = -1
        elif bad >= 0 or not lines:
            return _joined(lines), position if bad < 0 else bad
        else:
            bad = position
        position = end + 1
    else:
        return _joined(lines), len(data) if bad < 0 else bad
    return _joined(lines), end + 1 if bad < 0 else bad


def _whole_headers(data: bytes) -> tuple[list[tuple[str, bytes]], int]:
    """The headers that ``data`` starts with up to the first odd or blank line, and its place."""
    lines: list[tuple[str, bytes]] = []
    position = 0
    while match := _HEADER.match(data, position):
        lines.append((match[1].decode("ascii").lower(), match[2]))
        position = match.end()
    return lines, position


def _joined(lines: list[tuple[str, bytes]]) -> Headers:
    clean = ((name, value[:_LONGEST].replace(b"\0", b"").strip()) for name, value in lines)
    return Headers(tuple(clean))


def decode_header(value: bytes, charset: str | None = None) -> str:
    """A header value as one line of text: unfolded, encoded-words and raw 8-bit bytes decoded.

    Neighbouring encoded-words of one charset are joined before they are decoded, so that a
    character may be split over two of them.
    """
    value = re.sub(rb"[\r\n]+[ \t]*", b" ", value) if b"\n" in value or b"\r" in value else value
    if b"=?" not in value:
        return plain_characters(decode(value, charset)).strip()
    pieces: list[str] = []
    pending: list[re.Match[bytes]] = []
    position = 0
    for match in _WORD.finditer(value):
        gap = value[position : match.start()]
        if gap.strip() or (pending and _label(match) != _label(pending[-1])):
            pieces.append(_words_text(pending))
            pending = []
        if gap.strip() or position == 0:
            pieces.append(decode(gap, charset))
        pending.append(match)
        position = match.end()
    pieces += (_words_text(pending), decode(value[position:], charset))
    return " ".join(plain_characters("".join(pieces)).split("\n")).strip()


def _label(word: re.Match[bytes]) -> str:
    """The charset of an encoded-word, without the language that RFC 2231 allows after it."""
    return word[1].split(b"*")[0].lower().decode("ascii")


def _words_text(words: list[re.Match[bytes]]) -> str:
    """Neighbouring encoded-words of one charset as text."""
    data = b""
    for encoding, group in groupby(words, key=lambda word: word[2].lower()):
        text = b"".join(word[3] for word in group)
        if encoding == b"b":
            data += undo_base64(text)
        else:
            data += binascii.a2b_qp(text.replace(b" ", b"_"), header=True)
    return decode(data, _label(words[0])) if data else ""


@lru_cache(maxsize=500)
def parse_value(raw: bytes) -> Value:
    """``raw`` taken apart: main value and parameters, names in lower case, RFC 2231 undone."""
    main = re.split(rb"[\s;(]", raw.strip(), maxsplit=1)[0].lower()
    found: dict[str, str] = {}
    for match in _PARAMETER.finditer(raw):
        name = match[1].decode("latin-1").lower()
        text = match[2].strip()
        if text.startswith(b'"'):
            text = re.sub(rb"\\(.)", rb"\1", text[1:].removesuffix(b'"'))
        key, _, _ = name.partition("*")
        if name.endswith("*"):
            text = unquote_to_bytes(text.split(b"'", 2)[-1] if text.count(b"'") >= 2 else text)
        if "*" in name:
            found[key] = found.get(key, "") + decode(text)
        else:
            found.setdefault(key, decode(text))
    return Value(decode(main), found)


def sender_text(headers: Headers) -> str:
    """The From line as text; of (nested) groups the addresses alone."""
    text = headers.text("from")[:_LONGEST_SENDER]
    bare = _DISPLAY.sub("", text)
    if ";" in bare and re.match(r"[^<@]{1,200}:", bare):
        inner = re.split(r"[:;]", text)
        return ", ".join(piece.strip() for piece in inner if "@" in piece) or text
    return _QUOTED_NAME.sub(lambda match: re.sub(r"\\(.)", r"\1", match[1]), text)


def charset_of(value: Value) -> str | None:
    """The charset label of a Content-Type, None when it has none that is known."""
    label = value.parameters.get("charset", "").strip("\"' ")
    return label if label and codec_name(label) else None
