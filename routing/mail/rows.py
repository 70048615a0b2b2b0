"""Rows of exports: CSV, TSV, JSON lines and Parquet, one e-mail a row.

Every reader yields ``(number, row)`` pairs, where a row that cannot be read is an
``EmailError`` in its place.
"""

import csv
import io
import json
import logging
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import astuple, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO

from routing.errors import EmailError, MissingExtraError, SourceError
from routing.mail.cells import Lines, read_cells
from routing.mail.charset import decode, stream_codec
from routing.mail.guess import guess_charset
from routing.mail.mime import Limits
from routing.mail.parse import email_from_text
from routing.mail.trim import Trim
from routing.records import Email

_log = logging.getLogger(__name__)
_DELIMITERS = {",": "comma", ";": "semicolon", "\t": "tab", "|": "bar"}
_SEPARATOR = re.compile(r'"?sep=(.)"?[\r\n]*', re.IGNORECASE)
_SPACES = re.compile(r"[\s_-]+")
_BODY_NAMES = (
    *("message", "content", "messagebody", "messagetext", "emailbody", "emailtext", "mailbody"),
    *("mailtext", "bodytext", "textbody", "plainbody", "bodyplain", "msg", "description"),
    *("comment", "comments", "nachricht", "nachrichtentext", "inhalt", "beschreibung"),
    *("mensaje", "mensagem", "messaggio", "bericht", "contenu", "contenido"),
)

Row = Mapping[str, str]
Numbered = tuple[int, Row | EmailError]


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column of a row holds what; a column that a file lacks reads as "".

    Attributes:
        id: id of the e-mail; rows without one are called after their position.
        subject: subject line; where it is missing, ``subject`` is read, and without either a
            leading ``Subject:`` line of the body.
        body: the message; where it is missing, ``text`` or ``body`` is read, and where these are
            missing, too, a column that is often called so, such as ``message``.
        sender: From line.
        date: date line.
        route: the right route, read by training only.
        thread: what joins the e-mails of one conversation, read by training only.
    """

    id: str = "id"
    subject: str = "subject"
    body: str = "body"
    sender: str = "from"
    date: str = "date"
    route: str = "route"
    thread: str = "thread"

    def names(self) -> tuple[str, ...]:
        """The names of all columns that are read, with those that stand in for others."""
        return (*astuple(self), "text", "body", "subject")

    def subject_in(self, row: Collection[str]) -> str | None:
        """The column of the subject among those of ``row``, None without."""
        return next((name for name in (self.subject, "subject") if name in row), None)


def json_rows(
    stream: BinaryIO, *, columns: Columns, limits: Limits, first: int = 1
) -> Iterator[Numbered]:
    """Rows of JSON lines; numbers start at ``first`` and count the lines that are not blank."""
    number = first - 1
    while line := stream.readline(limits.max_bytes):
        text = line.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n\0")
        if not text:
            continue
        number += 1
        whole = line.endswith(b"\n") or len(line) < limits.max_bytes
        if whole:
            yield number, _json_row(text, number=number, columns=columns)
        else:
            while line and not line.endswith(b"\n"):
                line = stream.readline(limits.max_bytes)
            yield number, EmailError(f"line {number} is longer than {limits.max_bytes:,} bytes")


def _json_row(line: bytes, *, number: int, columns: Columns) -> Row | EmailError:
    try:
        value = json.loads(decode(line))
    except (ValueError, RecursionError) as problem:
        return EmailError(f"line {number} is not JSON ({problem}); one JSON object a line is read")
    if not isinstance(value, dict):
        kind = type(value).__name__
        return EmailError(f"line {number} is a JSON {kind}; one JSON object a line is read")
    names = _renamed(tuple(value), columns)
    return {name: _as_text(cell) for name, cell in zip(names, value.values(), strict=True)}


@lru_cache(maxsize=1_000)
def _renamed(names: tuple[str, ...], columns: Columns) -> list[str]:
    """``names``, those that are written like a wanted column but for their case as it is."""
    wanted = {name.lower(): name for name in columns.names()}
    return [
        name if name in wanted.values() else wanted.get(name.strip().lower(), name)
        for name in names
    ]


def table_rows(
    stream: BinaryIO, *, source: str, columns: Columns, delimiter: str = ""
) -> Iterator[Numbered]:
    """Rows of a CSV or TSV file with a header line; numbers start at 1.

    Args:
        stream: the file.
        source: its name, for messages.
        columns: names of the columns wanted.
        delimiter: what parts the cells; seen from the header line when "".

    Raises:
        SourceError: the header line names neither a body nor a subject.
    """
    text = io.TextIOWrapper(stream, _table_codec(stream), errors="replace", newline="")
    csv.field_size_limit(2**31 - 1)
    lines = Lines(line.replace("\0", "") for line in text)
    names, delimiter = _read_header(lines, source=source, columns=columns, delimiter=delimiter)
    for number, cells in enumerate(read_cells(lines, delimiter=delimiter, width=len(names)), 1):
        if isinstance(cells, csv.Error):
            yield number, EmailError(f"row {number} is not CSV ({cells})")
        elif len(cells) > len(names):
            yield number, _wide_row(cells, names, number, delimiter=delimiter, columns=columns)
        else:
            yield number, dict(zip(names, cells, strict=False))


def _read_header(
    lines: Lines, *, source: str, columns: Columns, delimiter: str
) -> tuple[tuple[str, ...], str]:
    """The names of the columns and the delimiter.

    Blank lines and comments (``#``) may stand above them, and Excel's ``sep=;``.
    """
    names: tuple[str, ...] = ()
    for line in lines:
        if match := _SEPARATOR.fullmatch(line):
            delimiter = match[1]
        elif line.strip():
            parted_by = delimiter or find_delimiter(line)
            header = [line, *_rest_of_header(line, lines)]
            found = next(csv.reader(header, delimiter=parted_by), [])
            names = tuple(_renamed(tuple(found), columns))
            if columns.subject_in(names) or body_columns(names, columns):
                return names, parted_by
            if not line.startswith("#"):
                break
    wanted = ", ".join(map(repr, dict.fromkeys((columns.body, "text"))))
    raise SourceError(
        f"{source}: no column {wanted} or {columns.subject!r}; it has {list(names)} "
        "(call the column of the text 'body', or train with data.text_column)"
    )


def _wide_row(
    cells: list[str], names: tuple[str, ...], number: int, *, delimiter: str, columns: Columns
) -> Row | EmailError:
    """A row with more cells than the header: it is not known which of them was parted.

    A single column is not parted at all. Tabs and bars part no prose, so that what follows a
    last column that is not the text is left out.
    """
    if len(names) == 1:
        return {names[0]: delimiter.join(cells)}
    surplus = any(cell.strip() for cell in cells[len(names) :])
    if surplus and (delimiter in ",;" or names[-1] in body_columns(names, columns)):
        return EmailError(
            f"row {number} has {len(cells)} cells, the header {len(names)}: "
            f"quote cells that hold a {_DELIMITERS.get(delimiter, repr(delimiter))}"
        )
    return dict(zip(names, cells, strict=False))


def _rest_of_header(first: str, lines: Iterator[str]) -> Iterator[str]:
    """The lines that a quoted line break inside the header goes on with."""
    quotes = first.count('"')
    while quotes % 2:
        line = next(lines, "")
        if not line:
            return
        quotes += line.count('"')
        yield line


def _table_codec(stream: BinaryIO) -> str:
    """UTF-8 by default; the most likely charset when the first megabyte is no UTF-8."""
    head = stream.read(1_000_000)
    stream.seek(0)
    codec = stream_codec(head)
    if codec != "utf-8":
        return codec
    try:
        head[: head.rfind(b"\n") + 1].decode("utf-8")
    except UnicodeError:
        lines = head[: head.rfind(b"\n") + 1].splitlines(keepends=True)
        return guess_charset(b"".join(line for line in lines if not line.isascii()))
    return "utf-8"


def find_delimiter(line: str) -> str:
    """The delimiter of a header line: the commonest of comma, semicolon, tab and bar."""
    return max(_DELIMITERS, key=line.count)


def parquet_rows(path: Path, *, columns: Columns) -> Iterator[Numbered]:
    """Rows of a Parquet file, read in batches; numbers start at 1.

    Raises:
        SourceError: not a Parquet file that can be read.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("parquet", "Parquet files") from None
    number = 0
    try:
        file = pyarrow.parquet.ParquetFile(path)
        wanted = {name.lower() for name in columns.names()}
        every = tuple(file.schema_arrow.names)
        chosen = tuple(name for name in every if name.lower() in wanted)
        names = _renamed(chosen, columns)
        if not {columns.body, "text", "body"} & set(names):
            chosen, names = every, _renamed(every, columns)
        for batch in file.iter_batches(batch_size=1_000, columns=list(chosen)):
            for row in batch.to_pylist():
                number += 1
                yield number, dict(zip(names, map(_as_text, row.values()), strict=True))
    except (pyarrow.ArrowException, OSError) as problem:
        message = f"{path}: no Parquet file that can be read after row {number} ({problem})"
        raise SourceError(message) from problem


def _as_text(cell: Any) -> str:
    match cell:
        case None:
            return ""
        case str():
            return cell
        case bytes():
            return decode(cell)
        case float() if cell != cell:
            return ""
        case bool() | int() | float():
            return str(cell)
        case _:
            return json.dumps(cell, ensure_ascii=False, default=str)


def email_from_row(
    row: Row, *, columns: Columns, id: str, source: str, trim: Trim = "all"
) -> Email:
    """The e-mail of one row; a row with neither body nor subject is an error."""
    named = [name for name in (columns.body, "text", "body") if name in row]
    named = named or list(body_columns(tuple(row), columns))
    subject = columns.subject_in(row)
    if not named and subject is None:
        missing = f"neither a column {columns.body!r} nor {columns.subject!r}"
        error = f"the row has {missing}; it has {', '.join(map(repr, row)) or 'none'}"
        return Email(id=row.get(columns.id) or id, source=source, error=error)
    texts = [row[name] for name in named]
    email = email_from_text(
        next((text for text in texts if text.strip()), ""),
        id=row.get(columns.id) or id,
        source=source,
        subject=None if subject is None else row[subject],
        sender=row.get(columns.sender, ""),
        date=row.get(columns.date, ""),
        trim=trim,
    )
    return email if named else _without_body(email, tuple(row), columns)


@lru_cache(maxsize=1_000)
def body_columns(names: tuple[str, ...], columns: Columns) -> tuple[str, ...]:
    """The columns that hold the message: those wanted, or one that is often called so."""
    if wanted := [name for name in (columns.body, "text", "body") if name in names]:
        return tuple(wanted)
    others = {_SPACES.sub("", name.lower()): name for name in _others(names, columns)}
    return tuple(others[key] for key in _BODY_NAMES if key in others)[:1]


def _others(names: tuple[str, ...], columns: Columns) -> list[str]:
    return [name for name in names if name not in columns.names()]


def _without_body(email: Email, names: tuple[str, ...], columns: Columns) -> Email:
    """``email`` with a warning when one of the columns left out may have been its text."""
    warning = _subject_warning(names, columns) if _others(names, columns) else ""
    return replace(email, warnings=(*email.warnings, warning)) if warning else email


@lru_cache(maxsize=1_000)
def _subject_warning(names: tuple[str, ...], columns: Columns) -> str:
    """The warning of rows with these columns; it is logged once."""
    warning = (
        f"only the subject is read: no column {columns.body!r} but "
        f"{', '.join(map(repr, _others(names, columns)))}; call the column of the text 'body', "
        "or train with data.text_column"
    )
    _log.warning("%s", warning)
    return warning
