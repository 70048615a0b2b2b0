"""Minimal pairs in files, and as labelled e-mails."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from routing.errors import CorpusError, writing_to
from routing.mail import email_from_text
from routing.records import LabelledEmail, Pair

_NOT_ROUTES = {"id", "phenomenon", "distance"}


def read_pairs(file: Path | str) -> list[Pair]:
    """Return the pairs of a JSON-lines file: ``id``, ``phenomenon`` and one text per route.

    Raises CorpusError that names the line for anything else.
    """
    lines = Path(file).read_text(encoding="utf-8").split("\n")
    return [
        _read_pair(line, f"{file}:{number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def is_pairs_file(file: Path | str) -> bool:
    """Return True when the first line of a JSON-lines file is a pair."""
    try:
        with Path(file).open(encoding="utf-8") as stream:
            _read_pair(stream.readline(), str(file))
    except (CorpusError, OSError, UnicodeDecodeError):
        return False
    return True


def write_pairs(file: Path | str, pairs: Iterable[Pair]) -> int:
    """Write pairs as JSON lines; return their number.

    Raises SettingsError for a file that cannot be written.
    """
    count = 0
    with writing_to(Path(file)), Path(file).open("w", encoding="utf-8") as stream:
        for pair in pairs:
            row = {"id": pair.id, "phenomenon": pair.phenomenon, **pair.members}
            if pair.distance is not None:
                row["distance"] = str(pair.distance)
            stream.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def pair_emails(
    pairs: Iterable[Pair], *, trim: Literal["none", "quotes", "all"] = "all"
) -> list[LabelledEmail]:
    """Return the members of pairs as labelled e-mails, the two of a pair side by side."""
    return [
        LabelledEmail(
            email=email_from_text(text, id=f"{pair.id}/{route}", trim=trim),
            route=route,
            group=pair.id,
            pair=pair.id,
            phenomenon=pair.phenomenon,
        )
        for pair in pairs
        for route, text in pair.members.items()
    ]


def _read_pair(line: str, place: str) -> Pair:
    try:
        row = json.loads(line)
        members = {key: row[key] for key in row if key not in _NOT_ROUTES}
        distance = row.get("distance")
        pair = Pair(
            id=str(row["id"]),
            phenomenon=str(row.get("phenomenon", "")),
            members=members,
            distance=None if distance is None else int(distance),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CorpusError(f"{place}: not a pair ({error}); {_SHAPE}") from None
    if len(members) != 2 or not all(isinstance(text, str) for text in members.values()):
        raise CorpusError(f"{place}: {len(members)} texts ({', '.join(members)}); {_SHAPE}")
    return pair


_SHAPE = 'a pair is {"id": …, "phenomenon": …, "<route>": text, "<other route>": text}'


def route_names(pairs: Sequence[Pair]) -> list[str]:
    """Return the routes of pairs, sorted."""
    return sorted({route for pair in pairs for route in pair.members})
