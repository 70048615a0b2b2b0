"""Rows of exports: CSV, TSV, JSON lines and Parquet, one e-mail a row.

Every reader yields ``(number, row)`` pairs, where a row that cannot be read is an
``EmailError`` in its place.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from routing.errors import EmailError, MissingExtraError, SourceError
from routing.mail.charset import decode, stream_codec
from routing.mail.parse import email_from_text
from routing.mail.trim import Trim
from routing.records import Email

Row = Mapping[str, str]
Numbered = tuple[int, Row | EmailError]


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column of a row holds what; a column that a file lacks reads as "".

    Attributes:
        id: id of the e-mail; rows without one are called after their position.
        subject: subject line; without this column a leading ``Subject:`` line of the body is it.
        body: the message; where it is missing, ``text`` or ``body`` is read.
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


def json_rows(stream: BinaryIO, *, source: str = "") -> Iterator[Numbered]:
    """Rows of JSON lines; numbers start at 1 and count the lines that are not blank."""
    number = 0
    for line in stream:
        if number == 0:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if not line.strip(b" \t\r\n\0"):
            continue
        number += 1
        yield number, _json_row(line, number=number)


def _json_row(line: bytes, *, number: int) -> Row | EmailError:
    try:
        value = json.loads(decode(line.strip()))
    except (ValueError, RecursionError) as problem:
        return EmailError(f"line {number} is not JSON ({problem}); one JSON object a line is read")
    if isinstance(value, str):
        return {"text": value}
    if not isinstance(value, dict):
        kind = type(value).__name__
        return EmailError(f"line {number} is a JSON {kind}; one JSON object a line is read")
    return {name: _as_text(cell) for name, cell in value.items()}


def table_rows(stream: BinaryIO, *, source: str, delimiter: str = "") -> Iterator[Numbered]:
    """Rows of a CSV or TSV file with a header line; numbers start at 1.

    Args:
        stream: the file.
        source: its name, for messages.
        delimiter: what parts the cells; seen from the header line when "".
    """
    codec = _table_codec(stream)
    text = io.TextIOWrapper(stream, encoding=codec, errors="replace", newline="")
    first = text.readline(1_000_000)
    delimiter = delimiter or find_delimiter(first)
    csv.field_size_limit(2**31 - 1)
    lines = (line.replace("\0", "") for line in text)
    names = next(csv.reader([first, *_rest_of_header(first, lines)], delimiter=delimiter), [])
    names = [name.strip() for name in names]
    reader = csv.reader(lines, delimiter=delimiter)
    number = 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as problem:
            number += 1
            yield number, EmailError(f"row {number} is not CSV ({problem})")
            continue
        if cells:
            number += 1
            yield number, dict(zip(names, cells, strict=False))


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
    """UTF-8 by default; Windows-1252 when the first megabyte is no UTF-8."""
    head = stream.read(1_000_000)
    stream.seek(0)
    codec = stream_codec(head)
    if codec != "utf-8":
        return codec
    try:
        head[: head.rfind(b"\n") + 1].decode("utf-8")
    except UnicodeError:
        return "cp1252"
    return "utf-8"


def find_delimiter(line: str) -> str:
    """The delimiter of a header line: the commonest of tab, semicolon, comma and bar."""
    return max(("\t", ";", ",", "|"), key=line.count) if line.strip() else ","


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
        wanted = {*_names(columns), "text", "body"}
        names = [name for name in file.schema_arrow.names if name in wanted]
        for batch in file.iter_batches(batch_size=1_000, columns=names):
            for row in batch.to_pylist():
                number += 1
                yield number, {name: _as_text(cell) for name, cell in row.items()}
    except (pyarrow.ArrowException, OSError) as problem:
        text = f"{path}: not a Parquet file that can be read after row {number} ({problem})"
        raise SourceError(text) from problem


def _names(columns: Columns) -> tuple[str, ...]:
    return (
        columns.id,
        columns.subject,
        columns.body,
        columns.sender,
        columns.date,
        columns.route,
        columns.thread,
    )


def _as_text(cell: Any) -> str:
    match cell:
        case None:
            return ""
        case str():
            return cell
        case bytes():
            return decode(cell)
        case bool() | int() | float():
            return str(cell)
        case _:
            return json.dumps(cell, ensure_ascii=False, default=str)


def email_from_row(
    row: Row, *, columns: Columns, id: str, source: str, trim: Trim = "all"
) -> Email:
    """The e-mail of one row; a row with neither body nor subject is an error."""
    body_name = next((name for name in (columns.body, "text", "body") if name in row), None)
    if body_name is None and columns.subject not in row:
        text = (
            f"the row has neither a column {columns.body!r} nor {columns.subject!r};"
            f" it has {', '.join(map(repr, row)) or 'none'}"
        )
        return Email(id=row.get(columns.id) or id, source=source, error=text)
    return email_from_text(
        row.get(body_name or "", ""),
        id=row.get(columns.id) or id,
        source=source,
        subject=row.get(columns.subject),
        sender=row.get(columns.sender, ""),
        date=row.get(columns.date, ""),
        trim=trim,
    )
