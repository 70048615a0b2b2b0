"""Does a router read order? Measures on minimal pairs."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PairResult:
    """What a router said of the two members of one pair.

    Attributes:
        id: id of the pair.
        phenomenon: its phenomenon.
        right: whether each member got its route.
        distance: tokens between the deciding words, None when not known.
    """

    id: str
    phenomenon: str
    right: tuple[bool, bool]
    distance: int | None = None


def pair_consistency(results: Sequence[PairResult]) -> float:
    """Return the share in [0, 1] of pairs with both members right (Gardner et al. 2020); nan
    without pairs."""
    if not results:
        return float("nan")
    return sum(all(result.right) for result in results) / len(results)


def by_phenomenon(results: Sequence[PairResult]) -> dict[str, float]:
    """Return the pair consistency of each phenomenon, by name."""
    groups: dict[str, list[PairResult]] = defaultdict(list)
    for result in results:
        groups[result.phenomenon].append(result)
    return {name: pair_consistency(groups[name]) for name in sorted(groups)}
