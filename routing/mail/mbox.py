"""mbox files: many messages in one, parted by ``From `` lines."""

import re
from collections.abc import Iterator
from typing import BinaryIO

_DATED = re.compile(
    rb"From .{0,500}\d{1,2}:\d\d.{0,40}\b(?:19|20)\d\d\b|From .{0,300}\b(?:19|20)\d\d\b.{0,40}\d{1,2}:\d\d"
)
_HEADER = re.compile(rb"[!-9;-~]{1,100}:")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)


def is_mbox(head: bytes) -> bool:
    """True when a file that starts with ``head`` is an mbox."""
    return head.lstrip(b"\r\n").startswith(b"From ")


def mbox_messages(stream: BinaryIO, *, max_bytes: int) -> Iterator[bytes]:
    """The raw messages of an mbox, one at a time, ``>From `` lines unescaped.

    A ``From `` line parts two messages when it ends in a time and a year, or when an empty line
    stands before it and a header line after it. Of a message longer than ``max_bytes`` only
    ``max_bytes + 1`` bytes are kept.
    """
    message: list[bytes] = []
    size, blank, waiting = 0, True, b""
    for line in stream:
        if waiting:
            if _HEADER.match(line) or line.startswith((b">From ", b"From ")):
                yield from _finished(message)
                message, size = [], 0
            else:
                message.append(waiting)
                size += len(waiting)
            waiting = b""
        if line.startswith(b"From "):
            if _DATED.match(line):
                yield from _finished(message)
                message, size, blank = [], 0, False
                continue
            if blank:
                waiting = line
                continue
        blank = not line.strip(b"\r\n")
        if size <= max_bytes:
            message.append(line)
            size += len(line)
    if waiting:
        message.append(waiting)
    yield from _finished(message)


def _finished(message: list[bytes]) -> Iterator[bytes]:
    raw = b"".join(message)
    if raw.strip():
        yield _ESCAPED.sub(rb"\1", raw) if b"\n>" in raw else raw
