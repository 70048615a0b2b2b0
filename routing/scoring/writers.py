"""Where decisions go: a stream, or a file that appears under its name when it is complete."""

import contextlib
import errno
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from routing.errors import ScoringError, SettingsError
from routing.scoring.journal import Entry, Journal, read_journal
from routing.scoring.names import id_hashes
from routing.scoring.records import Scored
from routing.scoring.tables import write_csv, write_parquet

FORMATS = (".jsonl", ".csv", ".parquet")

_SYNC_SECONDS = 5.0
"""How often the decisions are forced to the disk: a killed process loses none, a power cut those
of this long at most."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class StreamOutput:
    """JSON lines on a stream, e.g. standard output or a device.

    Args:
        stream: binary, unbuffered or not.
        name: for messages.
    """

    def __init__(self, stream: BinaryIO, *, name: str) -> None:
        self.stream = stream
        self.name = name
        self.written = 0

    def write(self, scored: Scored, lines: Sequence[str]) -> None:
        """Write the lines of one portion.

        Raises ScoringError when the other side has gone or the device is full.
        """
        try:
            self.stream.write(_encode(lines))
            self.stream.flush()
        except OSError as problem:
            raise ScoringError(
                f"cannot write to {self.name} after {self.written} decisions: {problem.strerror}"
            ) from problem
        self.written += len(lines)

    def finish(self) -> None:
        """Do nothing: what was written is written."""


class FileOutput:
    """A file that is put in place when it is complete.

    Args:
        file: ends in .jsonl, .csv or .parquet.
        job: what is to be done; a journal of another job cannot be resumed.
        resume: go on where the journal ends, when there is one.

    Attributes:
        done: the journal of the portions that are done already.

    Raises ScoringError when there is a journal of another job, or the folder cannot be written to.
    """

    def __init__(self, file: Path, *, job: Mapping[str, Any], resume: bool) -> None:
        self.file = file
        self.partial = file.with_name(file.name + ".partial")
        self._journal = file.with_name(file.name + ".journal")
        journal = read_journal(self._journal) if resume else None
        self.done = journal or Journal(job)
        self._check_job(job)
        self._size = self.done.entries[-1].end if self.done.entries else 0
        self._synced = time.monotonic()
        with self._explaining():
            file.parent.mkdir(parents=True, exist_ok=True)
            if not (self.done.complete and not self.partial.exists()):
                self._open(fresh=journal is None)

    def write(self, scored: Scored, lines: Sequence[str]) -> None:
        """Write the lines of one portion and note in the journal that it is done.

        Raises ScoringError, saying what is kept, when the disk is full or fails.
        """
        data = _encode(lines)
        with self._explaining():
            _write_all(self._lines_fd, data)
            if time.monotonic() - self._synced > _SYNC_SECONDS:
                os.fsync(self._lines_fd)
                self._synced = time.monotonic()
            self._size += len(data)
            entry = Entry(
                number=scored.number,
                source=scored.source,
                size_bytes=scored.size_bytes,
                end=self._size,
                ids=id_hashes(scored.ids),
                tally=scored.tally,
            )
            _write_all(self._journal_fd, entry.to_line())

    def finish(self) -> None:
        """Put the file in place and remove what stood beside it.

        Raises ScoringError when the disk is full or fails.
        """
        with self._explaining():
            if self.partial.exists():
                if not self.done.complete:
                    os.fsync(self._lines_fd)
                    _write_all(self._journal_fd, b'{"complete": true}\n')
                self._put_in_place()
            self._journal.unlink()

    def close(self) -> None:
        """Let go of the files; what is done stays."""
        for name in ("_lines_fd", "_journal_fd"):
            with contextlib.suppress(OSError, AttributeError):
                os.close(getattr(self, name))

    def _open(self, *, fresh: bool) -> None:
        """Open partial file and journal, both cut back to what is surely done."""
        if fresh:
            self.partial.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._journal_fd = os.open(self._journal, flags, 0o666)
        os.truncate(self._journal_fd, 0 if fresh else self.done.size)
        if fresh:
            _write_all(self._journal_fd, json.dumps({"job": self.done.job}).encode() + b"\n")
        self._lines_fd = os.open(self.partial, flags, 0o666)
        if os.fstat(self._lines_fd).st_size < self._size:
            raise ScoringError(
                f"{self.partial} is shorter than {self._journal} says; start without --resume"
            )
        os.truncate(self._lines_fd, self._size)

    def _check_job(self, job: Mapping[str, Any]) -> None:
        for name, value in job.items():
            if self.done.job.get(name) != value:
                raise ScoringError(
                    f"{self._journal} belongs to a job with another {name}: "
                    f"{self.done.job.get(name)!r}, not {value!r}; start again without --resume"
                )

    def _put_in_place(self) -> None:
        if self.file.suffix == ".jsonl":
            self.partial.replace(self.file)
            return
        fresh = self.file.with_name(self.file.name + ".new")
        with self.partial.open("rb") as lines:
            rows = (json.loads(line) for line in lines)
            routes = self.done.job["routes"]
            notes = bool(self.done.job["wishes"]["notes"])
            write = write_csv if self.file.suffix == ".csv" else write_parquet
            write(fresh, rows, routes, notes=notes)
        fresh.replace(self.file)
        self.partial.unlink()

    @contextlib.contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            kept = len(self.done.entries)
            size = self.partial.stat().st_size if self.partial.exists() else 0
            put_right = "make room" if problem.errno in _FULL else "put that right"
            raise ScoringError(
                f"cannot write {problem.filename or self.partial}: {problem.strerror}; "
                + (
                    f"what was done is kept in {self.partial}: {put_right}, "
                    "then add --resume to go on"
                    if size or kept
                    else f"{put_right} or give another --output"
                )
            ) from problem


def check_output(file: Path) -> None:
    """Raise SettingsError when the name of an output file does not say its format."""
    if file.is_dir():
        raise SettingsError(f"--output {file} is a folder; give a file ending in .jsonl")
    is_device = file.exists() and not file.is_file()
    if file.suffix not in FORMATS and not is_device:
        raise SettingsError(f"--output {file}: the name has to end in {', '.join(FORMATS)}")


def _encode(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
