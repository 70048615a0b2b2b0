"""Whatever a support desk keeps its mail in, as a stream of e-mails.

What a file is, is seen from its content first and its name second:

=============================  ==================================================================
Outlook ``.msg``               OLE container
Parquet                        ``PAR1``
mbox                           first line ``From …``
JSON lines                     first line a JSON object
CSV, TSV                       ``.csv`` or ``.tsv``, or a first line with the columns wanted
``.html``, ``.txt``            by name, where there are no header lines: one message, a file
folder with ``cur``, ``new``   Maildir
other folder                   its files, recursively, in order of their paths
anything else                  one message with header lines (``.eml``)
=============================  ==================================================================
"""

import logging
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path
from typing import BinaryIO

from routing.errors import EmailError, SourceError
from routing.mail.headers import split_headers
from routing.mail.mbox import is_mbox, mbox_messages
from routing.mail.mime import Limits
from routing.mail.parse import email_from_bytes, email_from_text
from routing.mail.rows import (
    Columns,
    Numbered,
    email_from_row,
    find_delimiter,
    json_rows,
    parquet_rows,
    table_rows,
)
from routing.mail.trim import Trim
from routing.records import Email

_log = logging.getLogger(__name__)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MAIL_NAMES = {".eml", ".msg", ".emlx", ".mbox", ".mbx", ".mht", ".mhtml", ".mim", ".mime"}
_HEAD = 65_536
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
    ]
)


class Kind(Enum):
    """What a file holds."""

    MESSAGE = auto()
    OUTLOOK = auto()
    MBOX = auto()
    JSON_LINES = auto()
    TABLE = auto()
    PARQUET = auto()
    HTML = auto()
    TEXT = auto()
    OTHER = auto()


_ROW_KINDS = (Kind.JSON_LINES, Kind.TABLE, Kind.PARQUET)


def read_emails(
    source: str | Path | BinaryIO,
    *,
    trim: Trim = "all",
    columns: Columns | None = None,
    limits: Limits | None = None,
) -> Iterator[Email]:
    """Every e-mail of ``source``, in order, one at a time.

    Args:
        source: a file or folder of mail or a file of rows; ``-`` or a binary stream for JSON
            lines.
        trim: what is cut from the texts: ``none``, ``quotes``, or ``all`` (signatures,
            disclaimers and banners, too).
        columns: names of the columns of row files.
        limits: what one message may cost.

    Returns:
        the e-mails. One that cannot be read is an ``Email`` with ``error`` set. Files in a
        folder that are no mail at all, such as pictures, are passed over and logged once.

    Raises:
        SourceError: the source does not exist or cannot be opened at all.
    """
    columns, limits = columns or Columns(), limits or Limits()
    if not isinstance(source, str | Path) or str(source) == "-":
        stream = sys.stdin.buffer if isinstance(source, str | Path) else source
        emails = _row_emails(json_rows(stream), columns=columns, source="-", trim=trim)
        return _unique(email for email, _ in emails)
    path = Path(source)
    if path.is_dir():
        return _unique(_folder_emails(path, columns=columns, trim=trim, limits=limits))
    kind = sniff(path, columns=columns)
    return _unique(_file_emails(path, kind, columns=columns, trim=trim, limits=limits))


def read_rows(
    path: str | Path | BinaryIO, *, columns: Columns | None = None, trim: Trim = "all"
) -> Iterator[tuple[Email, Mapping[str, str]]]:
    """Every row of a CSV, TSV, JSON-lines or Parquet file as an e-mail and its cells as text.

    Raises:
        SourceError: the file does not exist, cannot be opened, or is no file of rows.
    """
    columns = columns or Columns()
    if not isinstance(path, str | Path) or str(path) == "-":
        stream = sys.stdin.buffer if isinstance(path, str | Path) else path
        return _row_emails(json_rows(stream), columns=columns, source="-", trim=trim)
    file = Path(path)
    kind = sniff(file, columns=columns)
    if kind not in _ROW_KINDS:
        raise SourceError(f"{file}: no CSV, TSV, JSON-lines or Parquet file")
    rows = _rows(file, kind, columns=columns)
    return _row_emails(rows, columns=columns, source=str(file), trim=trim)


def sniff(path: Path, *, columns: Columns | None = None) -> Kind:
    """What the file at ``path`` holds, by its first bytes and then by its name.

    Raises:
        SourceError: there is no such file, or it cannot be opened.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except FileNotFoundError:
        raise SourceError(f"{path}: no such file or folder") from None
    except OSError as problem:
        raise SourceError(f"{path}: cannot be opened ({problem.strerror})") from problem
    return _kind_of(head, suffix=path.suffix.lower(), columns=columns or Columns())


def _kind_of(head: bytes, *, suffix: str, columns: Columns) -> Kind:
    if head.startswith(_OLE):
        return Kind.OUTLOOK
    if head.startswith(b"PAR1"):
        return Kind.PARQUET
    if is_mbox(head):
        return Kind.MBOX
    match suffix:
        case ".csv" | ".tsv" | ".tab":
            return Kind.TABLE
        case ".jsonl" | ".ndjson":
            return Kind.JSON_LINES
        case ".parquet":
            return Kind.PARQUET
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if _is_json_line(start):
        return Kind.JSON_LINES
    if _has_known_header(start):
        return Kind.MESSAGE
    if suffix in {".html", ".htm", ".xhtml"}:
        return Kind.HTML
    if suffix in {".txt", ".text"}:
        return Kind.TABLE if _is_table(start, columns) else Kind.TEXT
    if suffix in _MAIL_NAMES or _is_header(start):
        return Kind.MESSAGE
    return Kind.TABLE if _is_table(start, columns) else Kind.OTHER


def _is_json_line(start: bytes) -> bool:
    line = start.split(b"\n", 1)[0].strip()
    return line.startswith(b"{") and line.endswith(b"}") and b":" in line


def _is_header(start: bytes) -> bool:
    return bool(re.match(rb"[A-Za-z][\w-]{1,60}:[ \t]?[^/]", start))


def _has_known_header(start: bytes) -> bool:
    if not _is_header(start):
        return False
    headers, _ = split_headers(start.replace(b"\r", b""))
    return any(name in _KNOWN_HEADERS for name, _ in headers.lines)


def _is_table(start: bytes, columns: Columns) -> bool:
    line = start.split(b"\n", 1)[0].decode("utf-8", "replace")
    cells = {cell.strip().strip('"') for cell in line.split(find_delimiter(line))}
    return len(cells) > 1 and not cells.isdisjoint({columns.body, columns.subject, "text"})


def _folder_emails(
    folder: Path, *, columns: Columns, trim: Trim, limits: Limits
) -> Iterator[Email]:
    skipped: list[Path] = []
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        try:
            kind = sniff(path, columns=columns)
            if kind is Kind.OTHER and not _in_maildir(path):
                skipped.append(path)
                continue
            yield from _file_emails(path, kind, columns=columns, trim=trim, limits=limits, id=name)
        except SourceError as problem:
            yield Email(id=name, source=str(path), error=str(problem))
    if skipped:
        _log.warning(
            "%s: passed over %d files that hold no mail, e.g. %s",
            folder,
            len(skipped),
            skipped[0].name,
        )


def _in_maildir(path: Path) -> bool:
    return path.parent.name in {"cur", "new"} and (path.parent.parent / "cur").is_dir()


def _files(folder: Path) -> Iterator[Path]:
    """Files below ``folder`` in order of their paths, without hidden ones and Maildir's tmp."""
    maildir = (folder / "cur").is_dir() and (folder / "new").is_dir()
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            hidden = path.name.startswith(".") and not (path / "cur").is_dir()
            if not hidden and not (maildir and path.name == "tmp"):
                yield from _files(path)
        elif not path.name.startswith("."):
            yield path


def _file_emails(
    path: Path, kind: Kind, *, columns: Columns, trim: Trim, limits: Limits, id: str = ""
) -> Iterator[Email]:
    id, source = id or path.name, str(path)
    match kind:
        case Kind.MBOX:
            with path.open("rb") as file:
                for number, data in enumerate(mbox_messages(file, max_bytes=limits.max_bytes), 1):
                    yield email_from_bytes(
                        data,
                        id=f"{id}#{number}",
                        source=f"{source}#{number}",
                        trim=trim,
                        limits=limits,
                    )
        case Kind.JSON_LINES | Kind.TABLE | Kind.PARQUET:
            rows = _rows(path, kind, columns=columns)
            for email, _ in _row_emails(rows, columns=columns, source=source, trim=trim, name=id):
                yield email
        case Kind.HTML | Kind.TEXT:
            text, email = _whole(path, limits)
            yield email or email_from_text(text, id=id, source=source, trim=trim)
        case Kind.OUTLOOK:
            from routing.mail.outlook import email_from_msg

            yield email_from_msg(path, id=id, trim=trim, limits=limits)
        case _:
            with path.open("rb") as file:
                data = file.read(limits.max_bytes + 1)
            yield email_from_bytes(data, id=id, source=source, trim=trim, limits=limits)


def _whole(path: Path, limits: Limits) -> tuple[str, Email | None]:
    from routing.mail.html import decode_html

    with path.open("rb") as file:
        data = file.read(limits.max_bytes + 1)
    return decode_html(data, None), None


def _rows(path: Path, kind: Kind, *, columns: Columns) -> Iterator[Numbered]:
    if kind is Kind.PARQUET:
        yield from parquet_rows(path, columns=columns)
        return
    with path.open("rb") as file:
        if kind is Kind.JSON_LINES:
            yield from json_rows(file)
        else:
            delimiter = "\t" if path.suffix.lower() in {".tsv", ".tab"} else ""
            yield from table_rows(file, source=str(path), delimiter=delimiter)


def _row_emails(
    rows: Iterator[Numbered], *, columns: Columns, source: str, trim: Trim, name: str = ""
) -> Iterator[tuple[Email, Mapping[str, str]]]:
    name = name or Path(source).name
    for number, row in rows:
        id, place = f"{name}#{number}", f"{source}#{number}"
        if isinstance(row, EmailError):
            yield Email(id=id, source=place, error=str(row)), {}
        else:
            yield email_from_row(row, columns=columns, id=id, source=place, trim=trim), row


def _unique(emails: Iterator[Email]) -> Iterator[Email]:
    """``emails`` with ids made unique: a second ``x`` is called ``x (2)``."""
    seen: dict[int, int] = {}
    for email in emails:
        key = hash(email.id)
        count = seen.get(key, 0) + 1
        seen[key] = count
        yield email if count == 1 else replace(email, id=f"{email.id} ({count})")
