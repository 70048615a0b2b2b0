"""A body as lines, each with its place and its fate."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from routing.records import Removal


@dataclass(slots=True)
class Lines:
    """The lines of one body while it is being trimmed.

    Attributes:
        body: the body.
        texts: the lines without blanks at their ends.
        starts: where each line starts in the body; one more entry holds the body's length.
        fates: why a line is cut, "" for lines that stay.
        inside: by line, cuts that take only the end of it, in order.
    """

    body: str
    texts: list[str]
    starts: list[int]
    fates: list[str]
    inside: dict[int, tuple[Removal, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, body: str) -> "Lines":
        """The lines of ``body``, all of them staying."""
        raw = body.split("\n")
        starts = [0]
        for line in raw:
            starts.append(starts[-1] + len(line) + 1)
        starts[-1] = len(body)
        return cls(body, [line.strip() for line in raw], starts, [""] * len(raw))

    def place(self, number: int, offset: int = 0) -> int:
        """Where in the body the character ``offset`` of the line ``number`` stands."""
        return self.body.index(self.texts[number], self.starts[number]) + offset

    def __len__(self) -> int:
        return len(self.texts)

    def restore(self, first: int = 0) -> None:
        """Keep everything from the line ``first`` on."""
        self.fates[first:] = [""] * (len(self) - first)
        self.inside = {number: cuts for number, cuts in self.inside.items() if number < first}

    def cut(self, first: int, last: int, reason: str) -> None:
        """Cut the lines ``first`` up to, but not including, ``last`` that are not cut yet."""
        for number in range(max(first, 0), min(last, len(self))):
            self.fates[number] = self.fates[number] or reason

    def kept(self, first: int = 0, last: int | None = None) -> Iterator[int]:
        """Numbers of the lines from ``first`` to ``last`` that stay and are not blank."""
        for number in range(first, len(self) if last is None else last):
            if not self.fates[number] and self.texts[number]:
                yield number

    def has_words(self, first: int = 0, last: int | None = None) -> bool:
        """True when a letter or digit stays between the lines ``first`` and ``last``."""
        return any(any(map(str.isalnum, self.left(n))) for n in self.kept(first, last))

    def cut_inside(self, number: int, start: int, reason: str) -> None:
        """Cut what is left of a line from the character ``start`` on."""
        end = len(self.left(number).rstrip())
        if start < end:
            removal = Removal(self.place(number, start), self.place(number, end), reason)
            self.inside[number] = (removal, *self.inside.get(number, ()))

    def left(self, number: int) -> str:
        """What of a line is not cut from its inside."""
        cuts = self.inside.get(number)
        return (
            self.texts[number][: cuts[0].start - self.place(number)] if cuts else self.texts[number]
        )

    def removals(self) -> tuple[Removal, ...]:
        """What is cut, as spans of the body, neighbours with one reason as one."""
        found: list[Removal] = []
        number = 0
        for reason, run in groupby(self.fates):
            first, number = number, number + sum(1 for _ in run)
            start, end = self.starts[first], self.starts[number]
            if reason and start < end:
                found.append(Removal(start, end, reason))
        for number, cuts in self.inside.items():
            found.extend(() if self.fates[number] else cuts)
        return tuple(sorted(found, key=lambda cut: cut.start))
