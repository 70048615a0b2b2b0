"""Whatever a support desk keeps its mail in, as a stream of e-mails.

What a file is, is seen from its content first and its name second:

=============================  ==================================================================
Outlook ``.msg``               an OLE container
Parquet                        starts with ``PAR1``
mbox                           first line ``From …``, then a header line
JSON lines                     first line a JSON object
one message (``.eml``)         header lines such as ``From:``; or a name ending as mail does
CSV, TSV                       ``.csv`` or ``.tsv``, or a first line that names the columns
``.html``, ``.txt``            one message, without header lines
folder with ``cur``, ``new``   Maildir
other folder                   its files, recursively, in order of their paths
=============================  ==================================================================

In a folder, files that are none of these (pictures, indented JSON, programs) are passed over, and
one warning is logged with their count; given by name they are one e-mail with an error.
"""

import logging
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from routing.errors import EmailError, MissingExtraError, SourceError
from routing.mail.charset import utf8_stream
from routing.mail.folders import file_name, in_maildir, mail_files
from routing.mail.html import decode_html
from routing.mail.kinds import Kind, sniff
from routing.mail.mbox import mbox_messages
from routing.mail.mime import Limits
from routing.mail.outlook import email_from_msg
from routing.mail.parse import email_from_bytes, email_from_text
from routing.mail.rows import (
    Columns,
    Numbered,
    email_from_row,
    json_rows,
    parquet_rows,
    table_rows,
)
from routing.mail.trim import Trim
from routing.records import Email

_log = logging.getLogger(__name__)


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
        the e-mails, ids unique. One that cannot be read is an ``Email`` with ``error`` set, and
        the others are none the worse for it.

    Raises:
        SourceError: the source does not exist, cannot be opened, or holds no rows that can be
            read.
    """
    columns, limits = columns or Columns(), limits or Limits()
    if not isinstance(source, str | Path) or str(source) == "-":
        stream = sys.stdin.buffer if isinstance(source, str | Path) else source
        rows = json_rows(stream, columns=columns, limits=limits)
        return _unique(email for email, _ in _row_emails(rows, columns, source="-", trim=trim))
    path = Path(source)
    if path.is_dir():
        return _unique(_folder_emails(path, trim=trim, columns=columns, limits=limits))
    kind = sniff(path, columns=columns)
    if kind is Kind.JSON:
        raise SourceError(f"{path}: a JSON document; write JSON lines, one object a line")
    emails = file_emails(path, kind, id=path.name, trim=trim, columns=columns, limits=limits)
    return _unique(emails)


def read_rows(
    source: str | Path | BinaryIO, *, columns: Columns | None = None, trim: Trim = "all"
) -> Iterator[tuple[Email, Mapping[str, str]]]:
    """Every row of a CSV, TSV, JSON-lines or Parquet file as an e-mail and its cells as text.

    Raises:
        SourceError: the file does not exist, cannot be opened, or is no file of rows.
    """
    columns, limits = columns or Columns(), Limits()
    if not isinstance(source, str | Path) or str(source) == "-":
        stream = sys.stdin.buffer if isinstance(source, str | Path) else source
        rows = json_rows(stream, columns=columns, limits=limits)
        return _row_emails(rows, columns, source="-", trim=trim)
    path = Path(source)
    kind = sniff(path, columns=columns)
    if kind not in {Kind.JSON_LINES, Kind.TABLE, Kind.PARQUET}:
        raise SourceError(f"{path}: no rows; give a CSV, TSV, JSON-lines or Parquet file")
    rows = _rows(path, kind, columns=columns, limits=limits)
    return _row_emails(rows, columns, source=str(path), trim=trim)


def _folder_emails(
    folder: Path, *, trim: Trim, columns: Columns, limits: Limits
) -> Iterator[Email]:
    passed_over: list[str] = []
    for path in mail_files(folder):
        name = file_name(path, folder)
        try:
            kind = sniff(path, columns=columns)
            if kind in {Kind.OTHER, Kind.JSON} and not in_maildir(path):
                passed_over.append(name)
                continue
            yield from file_emails(path, kind, id=name, trim=trim, columns=columns, limits=limits)
        except (SourceError, MissingExtraError, OSError) as problem:
            yield Email(id=name, source=str(path), error=str(problem))
    if passed_over:
        _log.warning(
            "%s: passed over %d files that hold no mail (%s%s)",
            folder,
            len(passed_over),
            ", ".join(passed_over[:3]),
            ", …" if len(passed_over) > 3 else "",
        )


def file_emails(
    path: Path,
    kind: Kind,
    *,
    id: str,
    trim: Trim,
    columns: Columns,
    limits: Limits,
    content: bytes | None = None,
) -> Iterator[Email]:
    """The e-mails of one file that holds ``kind``; ids start with ``id`` and may repeat.

    ``content`` is that of the file where it is known; a single message is read from it.
    """
    source = str(path)
    match kind:
        case Kind.MBOX:
            yield from _mbox_emails(path, id=id, trim=trim, limits=limits)
        case Kind.JSON_LINES | Kind.TABLE | Kind.PARQUET:
            rows = _rows(path, kind, columns=columns, limits=limits)
            for email, _ in _row_emails(rows, columns, source=source, trim=trim, name=id):
                yield email
        case Kind.OUTLOOK:
            yield email_from_msg(path, id=id, trim=trim, limits=limits)
        case Kind.HTML | Kind.TEXT:
            data = _content(path, limits) if content is None else content
            refused = _refused(data, limits, id=id, source=source)
            text = decode_html(data, None)
            yield refused or email_from_text(text, id=id, source=source, trim=trim)
        case Kind.APPLE:
            data = _without_frame(_content(path, limits))
            yield email_from_bytes(data, id=id, source=source, trim=trim, limits=limits)
        case _:
            data = _content(path, limits) if content is None else content
            yield email_from_bytes(data, id=id, source=source, trim=trim, limits=limits)


def _mbox_emails(path: Path, *, id: str, trim: Trim, limits: Limits) -> Iterator[Email]:
    with path.open("rb") as file:
        for number, data in enumerate(mbox_messages(file, max_bytes=limits.max_bytes), 1):
            name, place = f"{id}#{number}", f"{path}#{number}"
            yield email_from_bytes(data, id=name, source=place, trim=trim, limits=limits)


def _content(path: Path, limits: Limits) -> bytes:
    """The bytes of a file, one more than the limit at most."""
    with path.open("rb") as file:
        return file.read(limits.max_bytes + 1)


def _refused(data: bytes, limits: Limits, *, id: str, source: str) -> Email | None:
    """What ``email_from_bytes`` says of empty and too large messages."""
    if data.strip() and len(data) <= limits.max_bytes:
        return None
    return email_from_bytes(data, id=id, source=source, limits=limits)


def _without_frame(data: bytes) -> bytes:
    """The message of an Apple ``.emlx``: its length stands above it, a property list below."""
    first, newline, rest = data.partition(b"\n")
    return rest[: int(first)] if newline and first.strip().isdigit() else data


def _rows(path: Path, kind: Kind, *, columns: Columns, limits: Limits) -> Iterator[Numbered]:
    if kind is Kind.PARQUET:
        yield from parquet_rows(path, columns=columns)
        return
    with path.open("rb") as file:
        if kind is Kind.JSON_LINES:
            yield from json_rows(utf8_stream(file), columns=columns, limits=limits)
        else:
            delimiter = "\t" if path.suffix.lower() in {".tsv", ".tab"} else ""
            yield from table_rows(file, source=str(path), columns=columns, delimiter=delimiter)


def _row_emails(
    rows: Iterator[Numbered], columns: Columns, *, source: str, trim: Trim, name: str = ""
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
        seen[key] = seen.get(key, 0) + 1
        yield email if seen[key] == 1 else replace(email, id=f"{email.id} ({seen[key]})")
