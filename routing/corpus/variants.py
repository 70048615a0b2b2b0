"""Written pairs told again with other goods: what teaches order and not which thing it was.

A content or container of ``data/cartwise/things.yaml`` that a pair names is swapped for another
of its kind and number, the same one in both members, so the routes stay and exact pairs stay exact.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from routing.corpus.things import Words, with_article
from routing.records import Pair

Parts = Sequence[str | None]
"""A text cut at its things: plain text, article or None, noun, plain text …, ending plain."""

CONTAINER_STAYS = 0.3
"""Share of named containers that keep their name."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The nouns that can stand for one another.

    Attributes:
        kinds: noun -> whether it is a container, whether it is a plural.
        nouns: the same, the other way round.
        pattern: finds a noun, with the article before it if there is one.
    """

    kinds: dict[str, tuple[bool, bool]]
    nouns: dict[tuple[bool, bool], list[str]]
    pattern: re.Pattern[str]


def make_shelf(words: Words) -> Shelf:
    """Return the shelf of the grammar's contents and containers."""
    kinds = {n.text.lower(): (False, n.plural) for n in words.contents}
    kinds |= {n.text.lower(): (True, n.plural) for n in words.containers}
    nouns: dict[tuple[bool, bool], list[str]] = {}
    for text, kind in kinds.items():
        nouns.setdefault(kind, []).append(text)
    return Shelf(kinds, nouns, re.compile(rf"\b(an? )?({_one_of(kinds)})\b", re.IGNORECASE))


def _one_of(nouns: Iterable[str]) -> str:
    """Return a pattern of any noun, the longest that fits; by first letter, which is fast."""
    rests: dict[str, list[str]] = {}
    for noun in sorted(nouns, key=len, reverse=True):
        rests.setdefault(noun[0], []).append(re.escape(noun[1:]))
    return "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in rests.items())


def vary(pairs: Sequence[Pair], *, words: Words, times: int, seed: int) -> Iterator[Pair]:
    """Yield up to ``times`` variants of each pair; one that names no known thing has none.

    Repeatable from the seed. A variant is called ``<id>~<number>``.
    """
    shelf = make_shelf(words)
    rng = random.Random(f"variants {seed}")
    cut: list[dict[str, Parts]] = [
        {route: shelf.pattern.split(text) for route, text in pair.members.items()} for pair in pairs
    ]
    for number in range(times):
        for pair, parts in zip(pairs, cut, strict=True):
            swaps = _draw_swaps(parts.values(), shelf, rng)
            if swaps:
                members = {route: _swap(found, swaps) for route, found in parts.items()}
                yield replace(pair, id=f"{pair.id}~{number}", members=members)


def _draw_swaps(members: Iterable[Parts], shelf: Shelf, rng: random.Random) -> dict[str, str]:
    """Return named thing -> its stand-in; no two things get the same one."""
    found = [str(noun).lower() for parts in members for noun in parts[2::3]]
    swaps: dict[str, str] = {}
    for noun in dict.fromkeys(found):
        is_container, plural = shelf.kinds[noun]
        if is_container and rng.random() < CONTAINER_STAYS:
            continue
        other = rng.choice(shelf.nouns[is_container, plural])
        if other not in found and other not in swaps.values():
            swaps[noun] = other
    return swaps


def _swap(parts: Parts, swaps: dict[str, str]) -> str:
    """Return the text of ``parts`` with its things swapped, their articles with them."""
    told = [parts[0] or ""]
    for article, noun, plain in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        assert noun is not None and plain is not None
        told += [_put(article or "", noun, swaps.get(noun.lower())), plain]
    return "".join(told)


def _put(article: str, noun: str, other: str | None) -> str:
    if other is None:
        return article + noun
    other = other.capitalize() if noun[0].isupper() else other
    if not article:
        return other
    fitting = with_article(other).split()[0]
    return f"{fitting.capitalize() if article[0].isupper() else fitting} {other}"
