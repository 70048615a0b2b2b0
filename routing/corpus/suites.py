"""The challenge suites: pairs that training never sees, each asking one question of a router."""

import zlib
from dataclasses import dataclass

import yaml

from routing.corpus.cartwise import make_pairs
from routing.corpus.places import data_folder
from routing.corpus.written import written_pairs
from routing.errors import CorpusError
from routing.records import Pair

__all__ = ["SUITE_SEED", "Card", "make_suite", "read_cards", "written_pairs"]

SUITE_SEED = 2024


@dataclass(frozen=True, slots=True)
class Card:
    """What a suite is.

    Attributes:
        name: its name.
        asks: the question that it asks of a router.
        held_out: how it is kept from training.
        size: its usual number of pairs.
    """

    name: str
    asks: str
    held_out: str
    size: int


def read_cards() -> dict[str, Card]:
    """Return the cards of all suites, by name, in the order of suites.yaml."""
    with (data_folder() / "suites.yaml").open(encoding="utf-8") as file:
        rows = yaml.safe_load(file)
    return {name: Card(name=name, **row) for name, row in rows.items()}


def make_suite(name: str, *, count: int | None = None, seed: int = SUITE_SEED) -> list[Pair]:
    """Return the pairs of a suite, the same ones for the same arguments.

    Args:
        name: a suite of suites.yaml.
        count: number of pairs, None for the number on its card.
        seed: any whole number; ``written`` does not depend on it.

    Raises:
        CorpusError: a suite that does not exist.
    """
    cards = read_cards()
    if name not in cards:
        raise CorpusError(f"suite {name!r} does not exist: choose from {', '.join(cards)}")
    if name == "written":
        return _sample(written_pairs("held_out"), count)
    return list(make_pairs(count=count or cards[name].size, seed=seed, suite=name))


def _sample(pairs: list[Pair], count: int | None) -> list[Pair]:
    """Return up to ``count`` pairs (None: all), chosen by a checksum of their ids, in order.

    So a few of them are by all writers, not by the first ones.
    """
    ranks = {pair.id: zlib.crc32(pair.id.encode()) for pair in pairs}
    chosen = set(sorted(ranks, key=ranks.__getitem__)[:count])
    return [pair for pair in pairs if pair.id in chosen]
