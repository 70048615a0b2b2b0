"""Case notes: what a generated e-mail is about, known because it was made from it."""

from collections.abc import Mapping
from dataclasses import dataclass

from routing.records import Pair


@dataclass(frozen=True, slots=True)
class Note:
    """What a case note says of an e-mail.

    Attributes:
        missing: noun of the thing that has not come, "" when none is missing.
        came: noun of the thing that has come or is settled, "" when none is named so.
        wanted: noun of what the customer wants now, "" when something is missing.
        order: order number as written, "" when there is none.
    """

    missing: str
    came: str
    wanted: str
    order: str

    def line(self) -> str:
        """Return the note as one line; the order number is written as a placeholder."""
        order = "<order>" if self.order else "none"
        facts = (("missing", self.missing), ("came", self.came), ("wanted", self.wanted))
        return " · ".join([f"{k}: {v}" for k, v in facts if v] + [f"order: {order}"])


@dataclass(frozen=True, slots=True)
class NotedPair:
    """A pair with what its members are about.

    Attributes:
        pair: the pair.
        construction: name of the construction that it was made by.
        notes: route -> the case note of that member.
    """

    pair: Pair
    construction: str
    notes: Mapping[str, Note]
