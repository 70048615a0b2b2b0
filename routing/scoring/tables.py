"""Decisions as CSV and Parquet files, written a stretch at a time."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

Row = Mapping[str, Any]

_STRETCH = 5_000


def write_csv(
    file: Path, rows: Iterator[Row], routes: Sequence[str], *, notes: bool = False
) -> None:
    """Write decisions, given as JSON objects, as CSV: one column for each route's probability.

    None is an empty cell; booleans are ``true`` and ``false``. The case note
    is last, with ``notes``.
    """
    with file.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(
            ["id", "source", "subject", "route", "probability"]
            + [f"probabilities.{route}" for route in routes]
            + ["decision", "review_reason", "auto_reply", "error"]
            + ["note"] * notes
        )
        for row in rows:
            writer.writerow(
                [row[name] for name in ("id", "source", "subject", "route", "probability")]
                + [row["probabilities"].get(route) for route in routes]
                + [row["decision"], row["review_reason"], str(row["auto_reply"]).lower()]
                + [row["error"]]
                + [row.get("note")] * notes
            )


def write_parquet(
    file: Path, rows: Iterator[Row], routes: Sequence[str], *, notes: bool = False
) -> None:
    """Write decisions, given as JSON objects, as Parquet; ``probabilities`` is a struct."""
    import pyarrow
    import pyarrow.parquet

    schema = decision_schema(routes, notes=notes)
    with pyarrow.parquet.ParquetWriter(file, schema) as writer:
        while stretch := list(islice(rows, _STRETCH)):
            shaped = [{**row, "probabilities": row["probabilities"] or None} for row in stretch]
            writer.write_table(pyarrow.Table.from_pylist(shaped, schema))


def decision_schema(routes: Sequence[str], *, notes: bool = False) -> Any:
    """Return the Arrow schema of decisions, with ``notes`` a column for the case note."""
    import pyarrow

    text, number = pyarrow.string(), pyarrow.float64()
    return pyarrow.schema(
        [
            ("id", text),
            ("source", text),
            ("subject", text),
            ("route", text),
            ("probability", number),
            ("probabilities", pyarrow.struct([(route, number) for route in routes])),
            ("decision", text),
            ("review_reason", text),
            ("auto_reply", pyarrow.bool_()),
            ("error", text),
            *([("note", text)] if notes else []),
        ]
    )
