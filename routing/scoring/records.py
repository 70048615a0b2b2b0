"""The frozen records of batch scoring: what is asked for, and what came out of each portion."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Wishes:
    """How e-mails are to be scored and which decisions are wanted.

    Attributes:
        run: the run folder.
        review_below: automatic decisions need at least this probability, on every route;
            None leaves it to the run's own thresholds.
        routes: only decisions for these routes are written; empty: all.
        only_review: only decisions that a person should look at are written.
        precision: ``float32`` or ``bfloat16``.
        runtime: ``torch`` or ``onnx``.
        notes: run folder of a writer of case notes; "": none are written.
    """

    run: str
    review_below: float | None = None
    routes: tuple[str, ...] = ()
    only_review: bool = False
    precision: str = "float32"
    runtime: str = "torch"
    notes: str = ""


def split_routes(names: str, *, known: Collection[str]) -> tuple[str, ...]:
    """Return the routes in a list with commas between them; a ``known`` one may hold commas."""
    parts, found = names.split(","), []
    while parts:
        joined = [",".join(parts[:end]).strip() for end in range(1, len(parts) + 1)]
        end = max((end for end, name in enumerate(joined, 1) if name in known), default=1)
        found.append(joined[end - 1])
        parts = parts[end:]
    return tuple(filter(None, found))


@dataclass(frozen=True, slots=True)
class Tally:
    """What came out of some e-mails; tallies add up.

    Attributes:
        emails: all, the unreadable ones too.
        routes: route -> e-mails.
        reviews: e-mails for a person, the unreadable ones left out.
        auto_replies: machine mail among them.
        errors: unreadable e-mails.
        passed_over: files in folders that hold no mail.
    """

    emails: int = 0
    routes: Mapping[str, int] = field(default_factory=dict)
    reviews: int = 0
    auto_replies: int = 0
    errors: int = 0
    passed_over: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            emails=self.emails + other.emails,
            routes=dict(Counter(self.routes) + Counter(other.routes)),
            reviews=self.reviews + other.reviews,
            auto_replies=self.auto_replies + other.auto_replies,
            errors=self.errors + other.errors,
            passed_over=self.passed_over + other.passed_over,
        )


@dataclass(frozen=True, slots=True)
class Scored:
    """The decisions of one portion, ready to be written.

    Attributes:
        number: the portion's.
        source: the portion's.
        size_bytes: the portion's.
        ids: of all its e-mails, in order, as read (they may repeat).
        lines: a JSON object for each e-mail, in order; None where it is not wanted.
        errors: ``(source, error)`` of the unreadable ones.
        tally: what came out.
        note: what the user should know once, e.g. that bfloat16 was not used; else "".
    """

    number: int
    source: int
    size_bytes: int
    ids: tuple[str, ...]
    lines: tuple[str | None, ...]
    errors: tuple[tuple[str, str], ...]
    tally: Tally
    note: str = ""
