"""mbox files: many messages in one, parted by ``From `` lines."""

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import BinaryIO

_CLOCK = re.compile(rb"\d{1,2}:\d\d")
_YEAR = re.compile(rb"\b(?:19|20)\d\d\b")
_HEADER = re.compile(rb"[!-9;-~]{1,100}:|>?From ")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_CHUNK = 65_536


def is_mbox(head: bytes) -> bool:
    """True when a file that starts with ``head`` is an mbox.

    Its first line names a sender, and perhaps a time and a year; a header line follows.
    """
    start = head.removeprefix(BOM_UTF8).lstrip(b"\r\n")
    if not start.startswith(b"From "):
        return False
    first, _, rest = start.partition(b"\n")
    dated = _CLOCK.search(first) and _YEAR.search(first)
    named = b"@" in first or len(first.split()) == 2
    return bool(dated or named) and bool(_HEADER.match(rest))


def mbox_messages(stream: BinaryIO, *, max_bytes: int) -> Iterator[bytes]:
    """The raw messages of an mbox, one at a time, ``>From `` lines unescaped.

    A ``From `` line parts two messages when it holds a time and a year, or when an empty line
    stands before it and a header line after it. Of a message longer than ``max_bytes`` a little
    more than that is kept, so that it shows as too long.
    """
    message: list[bytes] = []
    size, blank, waiting = 0, True, b""
    for line, fresh in _lines(stream):
        if waiting:
            if _HEADER.match(line):
                yield from _finished(message)
                message, size = [], 0
            else:
                message.append(waiting)
            waiting = b""
        if fresh and line.startswith(b"From "):
            if _CLOCK.search(line) and _YEAR.search(line):
                yield from _finished(message)
                message, size, blank = [], 0, False
                continue
            if blank:
                waiting, blank = line, False
                continue
        blank = not line.strip(b"\r\n")
        if size <= max_bytes:
            message.append(line)
            size += len(line)
    yield from _finished([*message, waiting])


def _lines(stream: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Lines, and pieces of very long lines; with each whether it starts a line."""
    fresh = first = True
    while line := stream.readline(_CHUNK):
        yield line.removeprefix(BOM_UTF8) if first else line, fresh
        first = False
        fresh = line.endswith(b"\n")


def _finished(message: list[bytes]) -> Iterator[bytes]:
    raw = b"".join(message)
    if raw.strip():
        yield _ESCAPED.sub(rb"\1", raw) if b"From " in raw else raw
