"""Written pairs told again in other words: what teaches order and not which words it was told in.

The contents and containers that a pair names (``data/cartwise/things.yaml``) are swapped for others
of their kind and number, words of a row of ``data/cartwise/kin.yaml`` for others of their row, and
some pairs are put into a longer letter: the same in both members, so the routes stay and exact
pairs stay exact.
"""

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from routing.corpus.expansion import Expansion
from routing.corpus.grammar import Grammar
from routing.corpus.letters import Shape, compose, draw_register
from routing.corpus.things import Words, with_article
from routing.records import Pair

CONTAINER_STAYS = 0.3
"""Share of named containers that keep their name."""

KIN_STAYS = 0.5
"""Share of words with kin that stay."""

LONGEST_LETTER = 80
"""Words of the longest member that is put into one."""


@dataclass(frozen=True, slots=True)
class Row:
    """Words that can stand for one another.

    Attributes:
        words: in small letters but for names.
        after: words right before which they can, empty for anywhere.
        stays: share of the cases in which a word stays as it is.
    """

    words: tuple[str, ...]
    after: frozenset[str]
    stays: float


@dataclass(frozen=True, slots=True)
class Shelf:
    """All rows.

    Attributes:
        rows: word in small letters -> the rows that it stands in.
        pattern: finds a word, with the word before it if that decides or is an article.
    """

    rows: dict[str, list[Row]]
    pattern: re.Pattern[str]

    def find(self, match: re.Match[str]) -> Row | None:
        """Return the row that a word belongs to where it was found, None for no row."""
        before = (match[1] or "").strip().lower()
        rows = self.rows[match[2].lower()]
        return next((row for row in rows if not row.after or before in row.after), None)


def make_shelf(words: Words, kin: Iterable[Mapping[str, str]]) -> Shelf:
    """Return the shelf of the grammar's contents and containers and of the rows of kin."""
    kinds: dict[tuple[bool, bool], list[str]] = {}
    for container, nouns in ((False, words.contents), (True, words.containers)):
        for noun in nouns:
            kinds.setdefault((container, noun.plural), []).append(noun.text)
    rows = [
        Row(tuple(dict.fromkeys(nouns)), frozenset(), CONTAINER_STAYS if container else 0.0)
        for (container, _), nouns in kinds.items()
    ]
    rows += [
        Row(_list(row["words"]), frozenset(_list(row.get("after", ""))), KIN_STAYS) for row in kin
    ]
    found: dict[str, list[Row]] = {}
    for row in rows:
        for word in row.words:
            found.setdefault(word.lower(), []).append(row)
    before = sorted({word for row in rows for word in row.after} | {"a", "an"})
    pattern = rf"(?<![\w'-])((?:{'|'.join(map(re.escape, before))}) )?({_one_of(found)})(?![\w'-])"
    return Shelf(found, re.compile(pattern, re.IGNORECASE))


def _list(cell: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in cell.split(",") if word.strip())


def _one_of(words: Iterable[str]) -> str:
    """Return a pattern of any word, the longest that fits; by first letter, which is fast."""
    rests: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        rests.setdefault(word[0], []).append(re.escape(word[1:]))
    return "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in rests.items())


def vary(
    pairs: Sequence[Pair],
    *,
    words: Words,
    grammar: Grammar,
    times: int,
    seed: int,
    letters: float = 0.25,
) -> Iterator[Pair]:
    """Yield up to ``times`` variants of each pair; one that comes out as it was has none.

    Repeatable from the seed. A variant is called ``<id>~<number>``. ``letters``: share of the
    variants that are put into a longer letter, where one can be written around them.
    """
    shelf = make_shelf(words, grammar.kin)
    rng = random.Random(f"variants {seed}")
    for number in range(times):
        for pair in pairs:
            swaps = _draw_swaps(pair, shelf, rng)
            members = {r: _swap(t, swaps, shelf) for r, t in pair.members.items()}
            if rng.random() < letters and all(map(_can_be_framed, members.values())):
                texts = _put_into_letter(tuple(members.values()), grammar, rng)
                members = dict(zip(members, texts, strict=True))
            if members != pair.members:
                yield replace(pair, id=f"{pair.id}~{number}", members=members)


def _draw_swaps(pair: Pair, shelf: Shelf, rng: random.Random) -> dict[tuple[str, Row], str]:
    """Return word and row -> its stand-in; no two words get the same one.

    A word that can be swapped more often in one member than in the other stays.
    """
    first, second = (
        Counter(
            (match[2].lower(), row)
            for match in shelf.pattern.finditer(text)
            if (row := shelf.find(match)) is not None
        )
        for text in pair.members.values()
    )
    taken = {word for word, _ in (*first, *second)}
    swaps: dict[tuple[str, Row], str] = {}
    for word, row in first:
        if first[word, row] != second[word, row] or rng.random() < row.stays:
            continue
        other = row.words[int(rng.random() * len(row.words))]
        if other.lower() not in taken:
            taken.add(other.lower())
            swaps[word, row] = other
    return swaps


def _swap(text: str, swaps: Mapping[tuple[str, Row], str], shelf: Shelf) -> str:
    def put(match: re.Match[str]) -> str:
        row = shelf.find(match)
        word = swaps.get((match[2].lower(), row)) if row is not None else None
        if word is None:
            return match[0]
        word = word[0].upper() + word[1:] if match[2][0].isupper() else word
        before = match[1] or ""
        if before.lower() in ("a ", "an "):
            article = with_article(word).split()[0]
            before = f"{article.capitalize() if before[0].isupper() else article} "
        return before + word

    return shelf.pattern.sub(put, text)


def _can_be_framed(text: str) -> bool:
    """Whether a letter can be written around a text: one without a subject, quotes or greeting."""
    return (
        not text.startswith("Subject:") and "\n" not in text and len(text.split()) <= LONGEST_LETTER
    )


def _put_into_letter(
    texts: tuple[str, ...], grammar: Grammar, rng: random.Random
) -> tuple[str, ...]:
    """Return the texts of both members inside the same greeting, asides and signature."""
    register = draw_register(grammar, rng)
    shape = Shape(
        subject=rng.random() < 0.3,
        opening=rng.random() < 0.7,
        intro=None,
        closing=rng.random() < 0.7,
        before=int(rng.random() * 5),
        between=0,
        after=int(rng.random() * 5),
    )
    first, second = texts
    letters = compose(
        ([first], [second]),
        shape=shape,
        register=register,
        expansion=Expansion(grammar, rng),
        rng=rng,
    )
    # Asides have no slots: every item is text.
    return tuple("".join(map(str, letter)).strip() for letter in letters)
