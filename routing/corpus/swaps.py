"""What parts the two members of a pair: two stretches that change places.

``the parcel came without the charger`` becomes ``the charger came without the parcel`` by one
swap. Two in three written pairs are of that kind, and nine in ten of the grammar's.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from routing.corpus.batches import Rows
from routing.models.second_look import LONGEST

Swap = tuple[int, int, int, int]
"""First and last token of the earlier stretch, first and last token of the later one."""

NO_SWAP = (-1, -1, -1, -1)


def label_swaps(rows: Sequence[Rows], units: Sequence[tuple[int, ...]]) -> npt.NDArray[np.int64]:
    """Return the swap (B, 4) that makes each e-mail its pair's other member, -1 where none does.

    ``units`` are the places of the members of each pair, or of a single e-mail.
    """
    swaps = np.full((len(rows), 4), -1, np.int64)
    for unit in units:
        if len(unit) == 2:
            one, other = (rows[place].tolist() for place in unit)
            swaps[list(unit)] = find_swaps(one, other)
    return swaps


def find_swaps(one: Sequence[int], other: Sequence[int]) -> tuple[Swap, Swap]:
    """Return the swap that makes ``other`` of ``one``, and the one that leads back.

    Of several the one that moves the fewest tokens; NO_SWAP twice where there is none.
    """
    if len(one) != len(other) or one == other:
        return NO_SWAP, NO_SWAP
    start = next(i for i, (a, b) in enumerate(zip(one, other, strict=True)) if a != b)
    end = len(one) - next(
        i for i, (a, b) in enumerate(zip(one[::-1], other[::-1], strict=True)) if a != b
    )
    found = _lengths(one[start:end], other[start:end])
    if found is None:
        return NO_SWAP, NO_SWAP
    early, late = found
    return (
        (start, start + early - 1, end - late, end - 1),
        (start, start + late - 1, end - early, end - 1),
    )


def _lengths(one: Sequence[int], other: Sequence[int]) -> tuple[int, int] | None:
    """Return how many tokens at the ends of ``one`` have to be swapped to get ``other``."""
    size = len(one)
    early = [n for n in range(1, min(LONGEST, size - 1) + 1) if one[:n] == other[size - n :]]
    late = [n for n in range(1, min(LONGEST, size - 1) + 1) if one[size - n :] == other[:n]]
    both = [
        (a, b)
        for a in early
        for b in late
        if a + b <= size and one[a : size - b] == other[b : size - a]
    ]
    return min(both, key=sum, default=None)
