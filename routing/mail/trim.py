"""What of a body is no news: quoted messages, signatures, disclaimers, banners."""

from collections.abc import Sequence
from typing import Literal

from routing.records import Removal

Trim = Literal["none", "quotes", "all"]


def trim_body(
    body: str, *, trim: Trim = "all", marks: Sequence[Removal] = ()
) -> tuple[tuple[Removal, ...], tuple[str, ...]]:
    """What to cut from ``body``, and what was odd about it."""
    return (), ()
