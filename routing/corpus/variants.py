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
    for number in range(times):
        for pair in pairs:
            swaps = _draw_swaps(pair, shelf, rng)
            if swaps:
                members = {r: _swap(t, swaps, shelf) for r, t in pair.members.items()}
                yield replace(pair, id=f"{pair.id}~{number}", members=members)


def _draw_swaps(pair: Pair, shelf: Shelf, rng: random.Random) -> dict[str, str]:
    """Return named thing -> its stand-in; no two things get the same one."""
    found = [m[2].lower() for t in pair.members.values() for m in shelf.pattern.finditer(t)]
    swaps: dict[str, str] = {}
    for noun in dict.fromkeys(found):
        is_container, plural = shelf.kinds[noun]
        if is_container and rng.random() < CONTAINER_STAYS:
            continue
        other = rng.choice(shelf.nouns[is_container, plural])
        if other not in found and other not in swaps.values():
            swaps[noun] = other
    return swaps


def _swap(text: str, swaps: dict[str, str], shelf: Shelf) -> str:
    def put(match: re.Match[str]) -> str:
        noun = swaps.get(match[2].lower())
        if noun is None:
            return match[0]
        noun = noun.capitalize() if match[2][0].isupper() else noun
        if match[1] is None:
            return noun
        article = with_article(noun).split()[0]
        return f"{article.capitalize() if match[1][0].isupper() else article} {noun}"

    return shelf.pattern.sub(put, text)
