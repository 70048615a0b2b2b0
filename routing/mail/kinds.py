"""What a file holds, seen from its first bytes and then from its name."""

import re
from codecs import BOM_UTF8
from enum import Enum, auto
from pathlib import Path

from routing.errors import SourceError
from routing.mail.charset import decode, is_marked_wide
from routing.mail.headers import split_headers
from routing.mail.mbox import is_mbox
from routing.mail.rows import Columns, body_columns, find_delimiter

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MAIL_NAMES = {".eml", ".msg", ".emlx", ".mbox", ".mbx", ".mht", ".mhtml", ".mim", ".mime"}
_HEAD = 65_536
_HEADER = re.compile(rb"([A-Za-z][\w-]{1,60})[ \t]?:")
_KNOWN_HEADERS = frozenset(
    [
        "from",
        "to",
        "cc",
        "bcc",
        "subject",
        "date",
        "message-id",
        "received",
        "mime-version",
        "content-type",
        "return-path",
        "reply-to",
        "sender",
        "delivered-to",
        "in-reply-to",
        "references",
        "x-mailer",
        "x-apparently-to",
    ]
)


class Kind(Enum):
    """What a file holds."""

    MESSAGE = auto()
    APPLE = auto()
    OUTLOOK = auto()
    MBOX = auto()
    JSON_LINES = auto()
    JSON = auto()
    TABLE = auto()
    PARQUET = auto()
    HTML = auto()
    TEXT = auto()
    OTHER = auto()


def sniff(path: Path, *, columns: Columns) -> Kind:
    """What the file at ``path`` holds.

    Raises:
        SourceError: there is no such file, or it cannot be opened.
    """
    return look(path, columns=columns)[0]


def look(path: Path, *, columns: Columns) -> tuple[Kind, bytes | None]:
    """What ``sniff`` says and, of a small file, its content, so that it is opened but once.

    Raises:
        SourceError: there is no such file, or it cannot be opened.
    """
    if not path.is_file() and path.exists():
        raise SourceError(f"{path}: neither a file nor a folder")
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except FileNotFoundError:
        raise SourceError(f"{path}: no such file or folder") from None
    except OSError as problem:
        raise SourceError(f"{path}: cannot be opened ({problem.strerror})") from problem
    kind = kind_of(head, suffix=path.suffix.lower(), columns=columns)
    return kind, head if len(head) < _HEAD else None


def kind_of(head: bytes, *, suffix: str, columns: Columns) -> Kind:
    """What a file holds that starts with ``head`` and whose name ends in ``suffix``."""
    if head.startswith(_OLE):
        return Kind.OUTLOOK
    if head.startswith(b"PAR1"):
        return Kind.PARQUET
    start = head.removeprefix(BOM_UTF8).lstrip()
    match suffix:
        case ".csv" | ".tsv" | ".tab":
            return Kind.TABLE
        case ".jsonl" | ".ndjson":
            return Kind.JSON_LINES
        case ".parquet":
            return Kind.PARQUET
        case ".mbox" | ".mbx" if start.startswith(b"From "):
            return Kind.MBOX
        case _ if is_mbox(head):
            return Kind.MBOX
        case ".emlx":
            return Kind.APPLE
    plain = decode(head).encode().lstrip() if is_marked_wide(head[:4]) else start
    if _is_json_line(plain):
        return Kind.JSON_LINES
    if _has_known_header(start) or suffix in _MAIL_NAMES:
        return Kind.MESSAGE
    return _kind_by_name(plain, suffix=suffix, columns=columns)


def _kind_by_name(start: bytes, *, suffix: str, columns: Columns) -> Kind:
    match suffix:
        case ".html" | ".htm" | ".xhtml":
            return Kind.HTML
        case ".json":
            return Kind.JSON
        case _ if _is_table(start, columns):
            return Kind.TABLE
        case ".txt" | ".text":
            return Kind.TEXT
        case _:
            return Kind.OTHER


def _is_json_line(start: bytes) -> bool:
    """True when the first line is a whole JSON object, or too long to be seen whole."""
    line, newline, _ = start.partition(b"\n")
    line = line.strip()
    whole = line.endswith(b"}") or (not newline and len(start) > _HEAD // 2)
    return line.startswith(b"{") and whole and b":" in line


def _has_known_header(start: bytes) -> bool:
    match = _HEADER.match(start)
    if not match:
        return False
    if match[1].decode("ascii").lower() in _KNOWN_HEADERS:
        return True
    headers, _ = split_headers(start.replace(b"\r", b""))
    return any(name in _KNOWN_HEADERS for name, _ in headers.lines)


def _is_table(start: bytes, columns: Columns) -> bool:
    line = start.split(b"\n", 1)[0].decode("utf-8", "replace").lower()
    cells = {cell.strip().strip('"') for cell in line.split(find_delimiter(line))}
    if len(cells) == 1 or not cells.isdisjoint({columns.body.lower(), "text", "body"}):
        return len(cells) > 1
    subjects = {columns.subject.lower(), "subject"}
    named = subjects & cells and body_columns(tuple(sorted(cells)), columns)
    return bool(named)
