"""The body inside ``winmail.dat``: what Outlook sends to whom it takes for Outlook (TNEF).

[MS-OXTNEF]: the body is an attribute of its own, or one of the MAPI properties: plain, HTML, or
compressed RTF.
"""

import struct
from collections.abc import Iterator

from routing.mail.characters import plain_characters
from routing.mail.charset import decode
from routing.mail.html import decode_html, html_to_text
from routing.mail.rtf import rtf_text
from routing.records import Removal

Text = tuple[str, tuple[Removal, ...], bool]

_SIGNATURE = 0x223E9F78
_BODY, _OEM_CODE_PAGE, _PROPERTIES = 0x0002800C, 0x00069007, 0x00069003
_PLAIN, _HTML, _RTF = 0x1000, 0x1013, 0x1009
_SIZES = {0x0001: 0, 0x0002: 4, 0x0003: 4, 0x0004: 4, 0x000A: 4, 0x000B: 4, 0x0005: 8, 0x0006: 8,
          0x0007: 8, 0x0014: 8, 0x0040: 8, 0x0048: 16}  # fmt: skip
_STRING, _WIDE_STRING = 0x001E, 0x001F
_VARIABLE = {_STRING, _WIDE_STRING, 0x0102, 0x000D}


def tnef_text(data: bytes) -> Text:
    """The text of a TNEF file, its marks, and whether it was plain; ("", (), True) without one."""
    page, properties = "cp1252", b""
    for name, value in _attributes(data):
        if name == _OEM_CODE_PAGE and len(value) >= 4:
            page = f"cp{struct.unpack_from('<I', value)[0]}"
        elif name == _BODY and value.strip(b"\0 \r\n"):
            return plain_characters(decode(value.rstrip(b"\0"), page)), (), True
        elif name == _PROPERTIES:
            properties = value
    try:
        return _property_text(dict(_properties(properties)), page)
    except struct.error:
        return "", (), True


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    if len(data) < 6 or struct.unpack_from("<I", data)[0] != _SIGNATURE:
        return
    position = 6
    while position + 9 <= len(data):
        name, length = struct.unpack_from("<II", data, position + 1)
        position += 9
        yield name, data[position : position + length]
        position += length + 2


def _property_text(properties: dict[int, tuple[int, bytes]], page: str) -> Text:
    kind, value = properties.get(_PLAIN, (_STRING, b""))
    label = "utf-16-le" if kind == _WIDE_STRING else page
    text = plain_characters(decode(value.rstrip(b"\0") if kind == _STRING else value, label))
    if text.strip():
        return text, (), True
    html = properties.get(_HTML, (0, b""))[1]
    if html.strip(b"\0 "):
        return *html_to_text(decode_html(html, page)), False
    return rtf_text(properties.get(_RTF, (0, b""))[1]), (), True


def _properties(data: bytes) -> Iterator[tuple[int, tuple[int, bytes]]]:
    """MAPI properties: id -> type and value; what follows a damaged one is left out."""
    count = struct.unpack_from("<I", data)[0] if len(data) >= 4 else 0
    position = 4
    for _ in range(min(count, 10_000)):
        kind, name = struct.unpack_from("<HH", data, position)
        position = _after_name(data, position + 4) if name >= 0x8000 else position + 4
        many = bool(kind & 0x1000)
        kind &= 0x0FFF
        values = 1
        if many or kind in _VARIABLE:
            values = struct.unpack_from("<I", data, position)[0]
            position += 4
        for _ in range(min(values, 10_000)):
            size = _SIZES.get(kind)
            if size is None:
                size = struct.unpack_from("<I", data, position)[0]
                position += 4
            yield name, (kind, data[position : position + size])
            position += size + -size % 4


def _after_name(data: bytes, position: int) -> int:
    """Where the value of a named property starts whose name starts at ``position``."""
    kind, size = struct.unpack_from("<II", data, position + 16)
    return position + 24 + (size + -size % 4 if kind == 1 else 0)
