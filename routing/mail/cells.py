"""Cells of CSV and TSV, and what to do where their quotes do not balance."""

import csv
from collections import deque
from collections.abc import Iterable, Iterator

_OPEN = "a quote is opened and not closed; close it, or double it"


class Lines:
    """Lines that can be given back; ``taken`` are those since it was last cleared.

    Attributes:
        taken: lines handed out.
        ended: True when one was wanted and there was none.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.taken: list[str] = []
        self.ended = False
        self._lines = iter(lines)
        self._again: deque[str] = deque()

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        try:
            line = self._again.popleft() if self._again else next(self._lines)
        except StopIteration:
            self.ended = True
            raise
        self.taken.append(line)
        return line

    def give_back(self, start: int = 0) -> None:
        """Hand out again what was taken, from the line ``start`` on."""
        self._again.extendleft(reversed(self.taken[start:]))
        self.taken.clear()
        self.ended = False


def read_cells(lines: Lines, *, delimiter: str, width: int) -> Iterator[list[str] | csv.Error]:
    """Rows that are not blank; one that cannot be read is the error in its place.

    Args:
        lines: what follows the header.
        delimiter: what parts the cells.
        width: cells of the header.
    """
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        lines.taken.clear()
        try:
            cells: list[str] | csv.Error = next(reader)
        except StopIteration:
            return
        except csv.Error:
            cells = _odd_cells(lines, delimiter=delimiter, width=width)
        if cells:
            yield cells


def _odd_cells(lines: Lines, *, delimiter: str, width: int) -> list[str] | csv.Error:
    """A row that is no strict CSV: as well as it can be read, unless it swallows other rows."""
    try:
        if not _swallows_rows(lines, delimiter=delimiter, width=width):
            lines.give_back()
            return next(csv.reader(lines, delimiter=delimiter))
    except csv.Error as problem:
        return problem
    plain = lines.taken[0].rstrip("\r\n").split(delimiter)
    lines.give_back(start=1)
    return plain if delimiter == "\t" and len(plain) == width else csv.Error(_OPEN)


def _swallows_rows(lines: Lines, *, delimiter: str, width: int) -> bool:
    """True when an open quote runs to the end, or up to a quote inside what is a row by itself."""
    inner = lines.taken[1:] if lines.ended else lines.taken[1:][-1:]
    if width == 1:
        return lines.ended and bool(inner)
    return any(len(row) == width for row in csv.reader(inner, delimiter=delimiter))
