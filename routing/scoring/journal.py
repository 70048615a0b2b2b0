"""What of a job is done: a line for each portion whose decisions are safely written.

Beside ``out.jsonl`` stand, while it is being made, ``out.jsonl.partial`` (the decisions so far,
JSON lines) and ``out.jsonl.journal``. A portion's decisions are written first and then noted here
with the size that the partial file has got. After a kill at any moment the partial file is cut
back to the last size noted, so that no e-mail is lost and none stands there twice.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from routing.errors import ScoringError
from routing.scoring.names import Hashes
from routing.scoring.records import Tally


@dataclass(frozen=True, slots=True)
class Entry:
    """One portion that is done.

    Attributes:
        number: the portion's.
        source: the source's.
        size_bytes: of the source.
        end: size of the partial file after its decisions.
        ids: hashes of its e-mails' ids.
        tally: what came out.
    """

    number: int
    source: int
    size_bytes: int
    end: int
    ids: Hashes
    tally: Tally

    def to_line(self) -> bytes:
        """Return the entry as a JSON line."""
        value = asdict(self) | {"ids": b64encode(self.ids.tobytes()).decode()}
        return json.dumps(value).encode() + b"\n"

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Entry":
        """Return what ``to_line`` wrote."""
        ids = np.frombuffer(b64decode(value["ids"]), np.uint64)
        return cls(**{**value, "ids": ids, "tally": Tally(**value["tally"])})


@dataclass(frozen=True, slots=True)
class Journal:
    """A journal as read.

    Attributes:
        job: what was to be done.
        entries: the portions that are done, in order.
        complete: True when all of them are.
        size: bytes of the journal that are whole lines.
    """

    job: Mapping[str, Any]
    entries: tuple[Entry, ...] = field(default=())
    complete: bool = False
    size: int = 0


def read_journal(file: Path) -> Journal | None:
    """Return the journal in ``file``, None when there is none or not even its first line is whole.

    Raises ScoringError when it is no journal.
    """
    if not file.exists():
        return None
    data = file.read_bytes()
    lines = data[: data.rfind(b"\n") + 1].splitlines(keepends=True)
    if not lines:
        return None
    try:
        job, *values = map(json.loads, lines)
        complete = bool(values) and "complete" in values[-1]
        entries = tuple(map(Entry.from_json, values[:-1] if complete else values))
        return Journal(job["job"], entries, complete, sum(map(len, lines)))
    except (ValueError, KeyError, TypeError) as problem:
        raise ScoringError(
            f"{file} is no journal of a stopped job ({problem}); start again without --resume"
        ) from None
