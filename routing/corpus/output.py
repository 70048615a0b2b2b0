"""Labelled e-mails -> files, a part at a time, so memory does not grow with their number.

Columns of an e-mail: id, subject, text, route, pair, phenomenon.
"""

import csv
import json
from collections.abc import Iterable, Iterator
from itertools import chain, count, islice
from pathlib import Path

from routing.errors import CorpusError, writing_to
from routing.records import LabelledEmail

COLUMNS = ("id", "subject", "text", "route", "pair", "phenomenon")
ROWS_PER_GROUP = 10_000
ROWS_PER_FILE = 250_000

Row = tuple[str, str, str, str, str, str]


def write_emails(emails: Iterable[LabelledEmail], path: Path) -> int:
    """Write e-mails to a .jsonl, .csv or .parquet file, or to Parquet files in a folder.

    Returns:
        The number of e-mails written.

    Raises:
        CorpusError: an ending that is none of these.
        SettingsError: a place that cannot be written to.
    """
    rows = map(_row, emails)
    with writing_to(path):
        match path.suffix:
            case ".jsonl":
                return _write_json_lines(rows, path)
            case ".csv":
                return _write_csv(rows, path)
            case ".parquet":
                return _write_parquet(rows, path)
            case "":
                return _write_folder(rows, path)
            case _:
                ending = f"{path}: ends in {path.suffix!r}"
                raise CorpusError(f"{ending}: use .jsonl, .csv or .parquet, or name a folder")


def _row(email: LabelledEmail) -> Row:
    inner = email.email
    return (inner.id, inner.subject, inner.text, email.route, email.pair, email.phenomenon)


def _write_json_lines(rows: Iterator[Row], path: Path) -> int:
    number = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            line = json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False)
            file.write(line + "\n")
            number += 1
    return number


def _write_csv(rows: Iterator[Row], path: Path) -> int:
    number = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for row in rows:
            writer.writerow(row)
            number += 1
    return number


def _write_parquet(rows: Iterator[Row], path: Path) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(name, pa.string()) for name in COLUMNS])
    number = 0
    with pq.ParquetWriter(path, schema) as writer:
        while group := list(islice(rows, ROWS_PER_GROUP)):
            columns = [pa.array(column, pa.string()) for column in zip(*group, strict=True)]
            writer.write_table(pa.Table.from_arrays(columns, schema=schema))
            number += len(group)
    return number


def _write_folder(rows: Iterator[Row], folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for part in count():
        first = list(islice(rows, 1))
        if not first:
            break
        more = islice(rows, ROWS_PER_FILE - 1)
        number += _write_parquet(chain(first, more), folder / f"part-{part:05d}.parquet")
    return number
