"""Transfer encodings undone, damage and all: base64, quoted-printable, uuencode."""

import binascii
import re

_NOT_BASE64 = bytes(
    set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")
)
_SOFT_BREAK = re.compile(rb"=[ \t]+(?=\n)")


def undo_transfer(data: bytes, encoding: str) -> bytes:
    """``data`` without its Content-Transfer-Encoding; unknown encodings leave it as it is."""
    if not encoding:
        return data
    match re.split(r"[\s;,]", encoding.strip().strip("\"'").lower(), maxsplit=1)[0]:
        case "base64" | "base-64" | "b64" | "b":
            return undo_base64(data)
        case "quoted-printable" | "quotedprintable" | "quoted" | "qp" | "q":
            return binascii.a2b_qp(_SOFT_BREAK.sub(b"=", data) if b"= " in data else data)
        case "x-uuencode" | "uuencode" | "x-uue" | "uue":
            return _undo_uuencode(data)
        case _:
            return data


def undo_base64(data: bytes) -> bytes:
    """Decoded base64: foreign bytes are dropped, every padded run is decoded for itself.

    A run whose length is 1 modulo 4 loses its last character, which holds no whole byte.
    """
    letters = data.translate(None, _NOT_BASE64)
    runs = (run for run in letters.split(b"=") if run)
    return b"".join(_decode_run(run) for run in runs)


def _decode_run(run: bytes) -> bytes:
    if len(run) % 4 == 1:
        run = run[:-1]
    return binascii.a2b_base64(run + b"=" * (-len(run) % 4))


def _undo_uuencode(data: bytes) -> bytes:
    start = data.find(b"begin ")
    lines = data[max(start, 0) :].split(b"\n")
    decoded = []
    for line in lines[1:] if start >= 0 else lines:
        if line.rstrip() in {b"end", b"`", b""}:
            continue
        try:
            decoded.append(binascii.a2b_uu(line.rstrip(b"\r")))
        except binascii.Error:
            length = (((line[0] - 32) & 63) * 4 + 5) // 3
            decoded.append(_uu_line(line[:length]))
    return b"".join(decoded)


def _uu_line(line: bytes) -> bytes:
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:
        return b""
