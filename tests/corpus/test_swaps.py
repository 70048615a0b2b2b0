"""Which swap makes one member of a pair the other."""

import numpy as np
import pytest

from routing.corpus.swaps import NO_SWAP, find_swaps, label_swaps


@pytest.mark.parametrize(
    ("one", "other", "swap", "back"),
    [
        ("the box came , not the lamp .", "the lamp came , not the box .", (1, 1, 6, 6), None),
        ("a desk lamp no , a box yes", "a box no , a desk lamp yes", (1, 2, 6, 6), (1, 1, 5, 6)),
        ("keep it , refund me", "refund me , keep it", (0, 1, 3, 4), (0, 1, 3, 4)),
        ("x a b y", "x b a y", (1, 1, 2, 2), (1, 1, 2, 2)),
        ("a b", "b a", (0, 0, 1, 1), (0, 0, 1, 1)),
    ],
)
def test_the_swap_is_found(
    one: str, other: str, swap: tuple[int, ...], back: tuple[int, ...] | None
) -> None:
    words = sorted({*one.split(), *other.split()})
    rows = [[words.index(word) for word in text.split()] for text in (one, other)]
    found, found_back = find_swaps(*rows)
    assert found == swap
    assert found_back == (back or swap)
    first, last, other_first, other_last = found
    text = one.split()
    moved = [
        *text[:first],
        *text[other_first : other_last + 1],
        *text[last + 1 : other_first],
        *text[first : last + 1],
        *text[other_last + 1 :],
    ]
    assert " ".join(moved) == other


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([1, 2, 3], [1, 2, 4]),
        ([1, 2], [1, 2, 3]),
        ([1, 2, 3, 9, 4, 5, 9, 6, 7], [2, 1, 3, 9, 5, 4, 9, 7, 6]),  # three swaps
        ([*range(40)], [*range(20, 40), *range(20)]),  # longer than LONGEST
    ],
)
def test_no_swap_is_found_where_none_is(one: list[int], other: list[int]) -> None:
    assert find_swaps(one, other) == (NO_SWAP, NO_SWAP)


def test_only_pairs_have_swaps() -> None:
    rows = [np.array(row, np.int32) for row in ([1, 2], [2, 1], [1, 2], [5], [6])]
    found = label_swaps(rows, [(0, 1), (2,), (3, 4)])
    assert found.tolist() == [[0, 0, 1, 1], [0, 0, 1, 1], *([[-1] * 4] * 3)]
