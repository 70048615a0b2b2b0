"""The body inside ``winmail.dat``: what Outlook sends to whom it takes for Outlook (TNEF)."""

import struct
from collections.abc import Iterator

from routing.mail.characters import plain_characters
from routing.mail.charset import decode
from routing.records import Removal

_SIGNATURE = 0x223E9F78
_BODY = 0x0002800C
_OEM_CODE_PAGE = 0x00069007


def tnef_text(data: bytes) -> tuple[str, tuple[Removal, ...], bool]:
    """The text of a TNEF file, its marks, and whether it was plain; ("", (), True) without one."""
    page = "cp1252"
    for name, value in _attributes(data):
        if name == _OEM_CODE_PAGE and len(value) >= 4:
            page = f"cp{struct.unpack_from('<I', value)[0]}"
        elif name == _BODY:
            return plain_characters(decode(value.rstrip(b"\0"), page)), (), True
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
