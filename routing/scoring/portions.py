"""Mail sources -> portions: small parts, in order, that can be read apart from each other.

The one who cuts does as little as it can (finding line ends, message ends, files); decoding,
parsing and trimming are left to whoever reads the portion. The same sources and the same size
always give the same portions, so that a stopped job can go on at the portion where it stopped.
"""

import io
import os
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeVar

from routing.errors import EmailError, MissingExtraError, SourceError
from routing.mail.charset import utf8_stream
from routing.mail.folders import (
    Identity,
    file_name,
    file_status,
    identity,
    in_maildir,
    mail_files,
)
from routing.mail.kinds import Kind, look, sniff
from routing.mail.mbox import mbox_messages
from routing.mail.mime import Limits
from routing.mail.parse import email_from_bytes
from routing.mail.rows import (
    Columns,
    Numbered,
    email_from_row,
    json_rows,
    parquet_rows,
    table_rows,
)
from routing.mail.sources import file_emails
from routing.mail.trim import Trim
from routing.records import Email

T = TypeVar("T")

_COLUMNS = Columns()
_LIMITS = Limits()
_LARGE_BYTES = 1_000_000
_PORTION_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Files:
    """Whole files: ``(path, name)`` each; ``given`` when named by the user, not found in a folder.

    A file found in a folder that holds no mail is passed over.
    """

    paths: tuple[tuple[str, str], ...]
    given: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """Some lines of a JSON-lines file, as bytes; ``first`` is the number of the first one."""

    data: bytes
    first: int
    source: str
    name: str


@dataclass(frozen=True, slots=True)
class Table:
    """Some rows of a CSV, TSV or Parquet file, with their numbers."""

    rows: tuple[Numbered, ...]
    source: str
    name: str


@dataclass(frozen=True, slots=True)
class Messages:
    """Some raw messages of an mbox; ``first`` is the number of the first one."""

    messages: tuple[bytes, ...]
    first: int
    source: str
    name: str


@dataclass(frozen=True, slots=True)
class Unread:
    """A file or folder that could not even be opened, as one e-mail with an error."""

    email: Email


Content = Files | Lines | Table | Messages | Unread


@dataclass(frozen=True, slots=True)
class Portion:
    """A small part of the mail to be scored.

    Attributes:
        number: place among all portions, from 0.
        source: place of the source it was cut from, from 0.
        size_bytes: about how much of the source it takes up.
        content: what is to be read.
    """

    number: int
    source: int
    size_bytes: int
    content: Content


def cut(
    sources: Sequence[str | Path],
    *,
    emails: int,
    stdin: BinaryIO | None = None,
    own: Container[Identity] = (),
    columns: Columns = _COLUMNS,
) -> Iterator[Portion]:
    """Return the portions of ``sources`` in order, each of at most about ``emails`` e-mails.

    ``-`` is JSON lines on ``stdin`` (standard input by default). Files of a folder that the job
    writes itself, its ``own``, are left out; ``columns`` are those of rows.

    Raises SourceError where a source does not exist, cannot be opened, or turns out to be damaged.
    """
    number = 0
    for place, source in enumerate(sources):
        cut_here = partial(_cut_source, emails=emails, stdin=stdin, own=own, columns=columns)
        for content, size in cut_here(source):
            yield Portion(number=number, source=place, size_bytes=size, content=content)
            number += 1


def check_sources(sources: Sequence[str | Path], *, columns: Columns = _COLUMNS) -> None:
    """Raise SourceError for the first source that is missing, cannot be opened or is no mail."""
    for source in sources:
        if str(source) == "-":
            continue
        path = Path(source)
        if path.is_dir():
            _check_folder(path)
        elif (kind := sniff(path, columns=columns)) is Kind.JSON:
            raise SourceError(f"{path}: a JSON document; write JSON lines, one object a line")
        elif kind in {Kind.TABLE, Kind.PARQUET}:
            next(_cut_file(path, kind, name=path.name, emails=1, columns=columns), None)


def source_bytes(sources: Sequence[str | Path], *, own: Container[Identity] = ()) -> int:
    """Return the bytes that the files of ``sources`` hold together (standard input: 0)."""
    return sum(status.st_size for source in sources for status in file_stats(source, own=own))


def file_stats(source: str | Path, *, own: Container[Identity] = ()) -> Iterator[os.stat_result]:
    """Return the status of every file of a source, those left out that the job writes itself."""
    path = Path(source)
    files: Iterable[Path] = mail_files(path) if path.is_dir() else [path]
    for status in map(file_status, files):
        if status and identity(status) not in own:
            yield status


def read_portion(
    content: Content, *, trim: Trim, columns: Columns = _COLUMNS
) -> tuple[list[Email], int]:
    """Return a portion's e-mails and the number of files passed over; ids may repeat."""
    match content:
        case Files():
            return _read_files(content, trim=trim, columns=columns)
        case Lines(data=data, first=first, source=source, name=name):
            rows = json_rows(io.BytesIO(data), columns=columns, limits=_LIMITS, first=first)
            read = partial(_row_email, source=source, name=name, trim=trim, columns=columns)
            return list(map(read, rows)), 0
        case Table(rows=numbered, source=source, name=name):
            read = partial(_row_email, source=source, name=name, trim=trim, columns=columns)
            return list(map(read, numbered)), 0
        case Messages(messages=messages, first=first, source=source, name=name):
            return [
                email_from_bytes(data, id=f"{name}#{n}", source=f"{source}#{n}", trim=trim)
                for n, data in enumerate(messages, first)
            ], 0
        case Unread(email=email):
            return [email], 0


def _check_folder(folder: Path) -> None:
    try:
        next(folder.iterdir(), None)
    except OSError as problem:
        raise SourceError(
            f"{folder}: cannot be opened ({problem.strerror}); give a folder you may read"
        ) from None


def _cut_source(
    source: str | Path,
    *,
    emails: int,
    stdin: BinaryIO | None,
    own: Container[Identity],
    columns: Columns,
) -> Iterator[tuple[Content, int]]:
    if str(source) == "-":
        stream = sys.stdin.buffer if stdin is None else stdin
        yield from _cut_lines(stream, source="-", name="-", emails=emails)
        return
    path = Path(source)
    if path.is_dir():
        yield from _cut_folder(path, emails=emails, own=own, columns=columns)
    else:
        kind = sniff(path, columns=columns)
        yield from _cut_file(path, kind, name=path.name, emails=emails, columns=columns)


def _cut_folder(
    folder: Path, *, emails: int, own: Container[Identity], columns: Columns
) -> Iterator[tuple[Content, int]]:
    """Cut a folder: small files together, large files of many messages in parts."""
    small: list[tuple[str, str]] = []
    size = 0
    for path in mail_files(folder):
        name = file_name(path, folder)
        status = file_status(path)
        if status and identity(status) in own:
            continue
        bytes_here = status.st_size if status else 0
        if bytes_here <= _LARGE_BYTES:
            small.append((str(path), name))
            size += bytes_here
            if len(small) == emails or size > _PORTION_BYTES:
                yield Files(tuple(small)), size
                small, size = [], 0
            continue
        if small:
            yield Files(tuple(small)), size
            small, size = [], 0
        yield from _cut_large_file(path, name=name, emails=emails, columns=columns)
    if small:
        yield Files(tuple(small)), size


def _cut_large_file(
    path: Path, *, name: str, emails: int, columns: Columns
) -> Iterator[tuple[Content, int]]:
    """Cut a large file found in a folder; where it cannot be read on, that is one e-mail."""
    try:
        kind = sniff(path, columns=columns)
        if kind in {Kind.OTHER, Kind.JSON}:
            yield Files(((str(path), name),)), path.stat().st_size
        else:
            yield from _cut_file(path, kind, name=name, emails=emails, columns=columns)
    except (SourceError, MissingExtraError, OSError) as problem:
        yield Unread(Email(id=name, source=str(path), error=str(problem))), 0


def _cut_file(
    path: Path, kind: Kind, *, name: str, emails: int, columns: Columns
) -> Iterator[tuple[Content, int]]:
    source = str(path)
    match kind:
        case Kind.JSON_LINES:
            with path.open("rb") as file:
                lines = utf8_stream(file)
                yield from _cut_lines(lines, source=source, name=name, emails=emails)
        case Kind.MBOX:
            with path.open("rb") as file:
                yield from _cut_mbox(file, source=source, name=name, emails=emails)
        case Kind.TABLE:
            delimiter = "\t" if path.suffix.lower() in {".tsv", ".tab"} else ""
            with path.open("rb") as file:
                rows = table_rows(file, source=source, columns=columns, delimiter=delimiter)
                for part, size in _parts(rows, file, emails=emails):
                    yield Table(part, source, name), size
        case Kind.PARQUET:
            numbered = parquet_rows(path, columns=columns)
            while part := tuple(islice(numbered, emails)):
                yield Table(part, source, name), sum(map(_row_bytes, part))
        case _:
            yield Files(((source, name),), given=True), path.stat().st_size


def _cut_lines(
    stream: BinaryIO, *, source: str, name: str, emails: int
) -> Iterator[tuple[Lines, int]]:
    first, count, size = 1, 0, 0
    lines: list[bytes] = []
    while line := stream.readline(_LIMITS.max_bytes):
        lines.append(line)
        count += bool(line.strip(b" \t\r\n\0"))
        size += len(line)
        if not line.endswith(b"\n"):
            size += _skip_line(stream, line)
        if count == emails or size > _PORTION_BYTES:
            yield Lines(b"".join(lines), first, source, name), size
            first, count, size = first + count, 0, 0
            lines = []
    if lines:
        yield Lines(b"".join(lines), first, source, name), size


def _skip_line(stream: BinaryIO, line: bytes) -> int:
    """Read on to the end of a line that is too long and return the bytes passed."""
    passed = 0
    while line and not line.endswith(b"\n"):
        line = stream.readline(_PORTION_BYTES)
        passed += len(line)
    return passed


def _cut_mbox(
    file: BinaryIO, *, source: str, name: str, emails: int
) -> Iterator[tuple[Messages, int]]:
    first = 1
    for part, size in _parts(mbox_messages(file, max_bytes=_LIMITS.max_bytes), file, emails=emails):
        yield Messages(part, first, source, name), size
        first += len(part)


def _parts(
    items: Iterator[T], file: BinaryIO, *, emails: int
) -> Iterator[tuple[tuple[T, ...], int]]:
    """Return items in tuples with the bytes of ``file`` that each took up."""
    start = 0
    size = file.seek(0, io.SEEK_END) - file.seek(0)
    part: list[T] = []
    for item in items:
        part.append(item)
        if len(part) == emails or file.tell() - start > _PORTION_BYTES:
            yield tuple(part), file.tell() - start
            part, start = [], file.tell()
    if part:
        yield tuple(part), size - start


def _row_bytes(numbered: Numbered) -> int:
    row = numbered[1]
    return 0 if isinstance(row, EmailError) else sum(map(len, row.values()))


def _row_email(
    numbered: Numbered, *, source: str, name: str, trim: Trim, columns: Columns
) -> Email:
    number, row = numbered
    id, place = f"{name}#{number}", f"{source}#{number}"
    if isinstance(row, EmailError):
        return Email(id=id, source=place, error=str(row))
    return email_from_row(row, columns=columns, id=id, source=place, trim=trim)


def _read_files(files: Files, *, trim: Trim, columns: Columns) -> tuple[list[Email], int]:
    emails: list[Email] = []
    passed_over = 0
    read = partial(file_emails, trim=trim, columns=columns, limits=_LIMITS)
    for place, name in files.paths:
        path = Path(place)
        try:
            kind, content = look(path, columns=columns)
            if kind in {Kind.OTHER, Kind.JSON} and not files.given and not in_maildir(path):
                passed_over += 1
                continue
            emails += read(path, kind, id=name, content=content)
        except (SourceError, MissingExtraError, OSError) as problem:
            emails.append(Email(id=name, source=place, error=str(problem)))
    return emails, passed_over
