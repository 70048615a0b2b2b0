"""A message cut into its MIME parts, however it was put together."""

import re
from dataclasses import dataclass, field

from routing.errors import EmailError
from routing.mail.headers import Headers, Value, parse_value, split_headers
from routing.mail.transfer import undo_transfer

_PART_START = re.compile(
    rb"(?:^|\n)--(\S(?:[^\n]{0,198}\S)?)[ \t\r]{0,80}\n(?=content-[a-z-]{1,40}:)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one message may cost; beyond it the message is an error.

    Attributes:
        max_bytes: size of a message in bytes.
        max_depth: how deep MIME parts may be nested.
        max_parts: MIME parts in one message.
    """

    max_bytes: int = 50_000_000
    max_depth: int = 50
    max_parts: int = 2_000


@dataclass(frozen=True, slots=True)
class Part:
    """One MIME part: its headers, its raw content, or the parts that it holds."""

    headers: Headers
    content_type: Value
    raw: bytes = b""
    children: list["Part"] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The MIME type, e.g. ``text/plain``."""
        return self.content_type.main

    @property
    def content(self) -> bytes:
        """The content with its transfer encoding undone."""
        encoding = self.headers.raw("content-transfer-encoding").decode("latin-1")
        return undo_transfer(self.raw, encoding)

    @property
    def disposition(self) -> Value:
        """The parsed Content-Disposition."""
        return parse_value(self.headers.raw("content-disposition"))


def parse_parts(
    headers: Headers, body: bytes, *, limits: Limits, default: str = "text/plain"
) -> Part:
    """The tree of parts of a message with ``headers`` and ``body``.

    Raises:
        EmailError: nested deeper, or into more parts, than ``limits`` allow.
    """
    return _parse(headers, body, depth=0, default=default, budget=[limits.max_parts], limits=limits)


def _parse(
    headers: Headers, body: bytes, *, depth: int, default: str, budget: list[int], limits: Limits
) -> Part:
    if depth > limits.max_depth:
        raise EmailError("MIME parts nested deeper than the limit")
    budget[0] -= 1
    if budget[0] < 0:
        raise EmailError("more MIME parts than the limit")
    content_type = _content_type(headers, default)
    part = Part(headers, content_type, body)
    for child_headers, child_body, child_default in _children(part):
        part.children.append(
            _parse(
                child_headers,
                child_body,
                depth=depth + 1,
                default=child_default,
                budget=budget,
                limits=limits,
            )
        )
    return part


def _content_type(headers: Headers, default: str) -> Value:
    value = parse_value(headers.raw("content-type"))
    if re.fullmatch(r"[\w.+-]+/[\w.+*-]+", value.main):
        return value
    if value.main in {"text", "html"}:
        return Value("text/html" if value.main == "html" else "text/plain", value.parameters)
    return Value("multipart/mixed" if "boundary" in value.parameters else default, value.parameters)


def _children(part: Part) -> list[tuple[Headers, bytes, str]]:
    if part.kind.startswith("multipart/"):
        default = "message/rfc822" if part.kind == "multipart/digest" else "text/plain"
        return [(*_split(piece), default) for piece in _pieces(part)]
    if part.kind in {"message/rfc822", "message/global"}:
        return [(*_split(part.content.lstrip(b"\r\n")), "text/plain")]
    return []


def _split(piece: bytes) -> tuple[Headers, bytes]:
    if piece.startswith(b"\n"):
        return Headers(), piece[1:]
    headers, start = split_headers(piece)
    return headers, piece[start:]


def _pieces(part: Part) -> list[bytes]:
    """The contents between the boundary lines; a lost boundary is looked for in the content."""
    boundary = part.content_type.parameters.get("boundary", "").strip().encode("utf-8", "replace")
    pieces = _cut(part.raw, boundary) if boundary else None
    if pieces is None and (match := _PART_START.search(part.raw)):
        pieces = _cut(part.raw, match[1])
    return [b"\n" + part.raw] if pieces is None else pieces


def _cut(body: bytes, boundary: bytes) -> list[bytes] | None:
    """The pieces of ``body`` between its boundary lines, None when there are no such lines."""
    pieces: list[bytes] = []
    mark = b"--" + boundary
    start = -1
    position = 0 if body.startswith(mark) else body.find(b"\n" + mark) + 1
    if position == 0 and not body.startswith(mark):
        return None
    while True:
        line_end = body.find(b"\n", position)
        line_end = len(body) if line_end < 0 else line_end
        rest = body[position + len(mark) : line_end].strip()
        if rest in {b"", b"--"}:
            if start >= 0:
                pieces.append(body[start : max(position - 1, start)])
            start = line_end + 1
            if rest == b"--":
                return pieces
        position = body.find(b"\n" + mark, max(line_end, position)) + 1
        if position == 0:
            break
    if 0 <= start < len(body):
        pieces.append(body[start:])
    return pieces
