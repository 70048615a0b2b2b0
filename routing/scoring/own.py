"""The files that a job writes itself: never mail to be scored, and never put over the user's mail.

A job may write into the folder that it reads. Its own files, those of its earlier runs among them,
are known by their identity, whatever name they are reached by.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from routing.errors import SettingsError
from routing.mail.folders import Identity, file_status, identity

_ENDINGS = ("", ".partial", ".journal", ".new")
_MARK = b"review_reason"
_EDGE_BYTES = 65_536


def own_files(output: Path | None, *, stdout: BinaryIO | None = None) -> frozenset[Identity]:
    """Return the files there are that a job with this output writes."""
    found = [status for path in _paths(output) if (status := file_status(path))]
    return frozenset(map(identity, [*found, *_stream_status(stdout if output is None else None)]))


def check_own(
    sources: Sequence[str | Path], output: Path | None, *, stdout: BinaryIO | None = None
) -> None:
    """Raise SettingsError where a job would write over its own input.

    That is a source it was given by name, or mail in a folder under the name of the output.
    """
    paths = [Path(source) for source in sources if str(source) != "-"]
    given = {identity(status): path for path in paths if (status := file_status(path))}
    for own in own_files(output, stdout=stdout) & given.keys():
        place = "standard output" if output is None else f"--output {output}"
        raise SettingsError(
            f"{place} would write over the input {given[own]}; give another name to --output"
        )
    folders = [path for path in paths if path.is_dir()]
    if output is not None and _is_mail(output) and any(_holds(f, output) for f in folders):
        raise SettingsError(
            f"--output {output} is there already, in a folder to be scored, and holds no "
            "decisions; give another name"
        )


def _paths(output: Path | None) -> list[Path]:
    return [output.with_name(output.name + ending) for ending in _ENDINGS] if output else []


def _stream_status(stream: BinaryIO | None) -> Iterator[os.stat_result]:
    try:
        if stream is not None:
            yield os.fstat(stream.fileno())
    except (OSError, ValueError):
        return  # in memory, or closed


def _is_mail(file: Path) -> bool:
    """True for a file that is no decisions of an earlier run: these name their fields."""
    status = file_status(file)
    if not status or not status.st_size:
        return False
    with file.open("rb") as stream:
        first = stream.read(_EDGE_BYTES)
        stream.seek(max(0, status.st_size - _EDGE_BYTES))
        return _MARK not in first and _MARK not in stream.read()


def _holds(folder: Path, file: Path) -> bool:
    return file.resolve().is_relative_to(folder.resolve())
