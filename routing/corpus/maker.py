"""Drawing one pair: a pattern, two things, one expansion, two casts, one surrounding letter."""

import random
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from routing.corpus.expansion import Expansion
from routing.corpus.grammar import PHENOMENA, Grammar, Item, Pattern, Slot, load_grammar
from routing.corpus.letters import INTRO, Shape, compose, draw_register, draw_shape
from routing.corpus.noise import draw_noise, drop_apostrophes
from routing.corpus.notes import Note, NotedPair
from routing.corpus.places import data_folder
from routing.corpus.recipes import Recipe
from routing.corpus.things import Forms, Words, draw_arrival, draw_money, read_words
from routing.corpus.voices import VOICED, contract, speak_for_many
from routing.records import Pair

ROUTES = ("refunds", "delivery")
EXACT = 0.85
TRIES = 10
NEAR = 0.2
MANY = 0.15
TESTED = 16
AGREEING = frozenset(("is", "has", "was", "does", "s", "es", "it", "them", "that", "ies", "ptr"))
SAME = {"offer": "do", "ya": "a", "ynp": "np"}
_WORD = re.compile(r"[\w']+")
_START = re.compile(r"(?:^|[.!?][\"']?\s+|\n(?:> )?|: \")([a-z])")
_GAPS = ("  ", " .", " ,", " ?", " !", " ;", " :")
_SPACE = re.compile(r" +([,.;:?!])|(?<=\S) {2,}")


@lru_cache(maxsize=1)
def read_grammar() -> Grammar:
    """Return the grammar that is shipped; it is read once."""
    return load_grammar(data_folder())


def training_words() -> Words:
    """Return the contents and containers that training e-mails name."""
    return _read_words(False)


@lru_cache(maxsize=2)
def _read_words(held_out: bool) -> Words:
    return read_words(read_grammar().tables, held_out=held_out)


@dataclass(frozen=True, slots=True)
class _Cast:
    """Who plays which role in one member.

    Attributes:
        roles: role -> forms of the thing.
        open_first: whether the open matter is the thing that is named first.
        pointers: how the thing named first and the one named second are pointed at.
    """

    roles: dict[str, Forms]
    open_first: bool
    pointers: tuple[str, str]

    def write(self, items: list[Item]) -> str:
        """Return the text of an expansion with the things of this cast in their roles."""
        parts: list[str] = []
        for item in items:
            if isinstance(item, str):
                parts.append(item)
            elif item.words:
                parts.append(item.words[0 if self.open_first == (item.role == "open") else 1])
            elif item.form == "ptr":
                parts.append(self.pointers[0 if self.open_first == (item.role == "open") else 1])
            else:
                parts.append(self.roles[item.role][item.form])
        return "".join(parts)


class Maker:
    """Draws pairs of one suite, one after the other, from its own source of chance."""

    def __init__(self, recipe: Recipe, rng: random.Random, noise: float | None) -> None:
        self._recipe = recipe
        self._rng = rng
        self._noise = recipe.noise if noise is None else noise
        self._grammar = read_grammar()
        self._words = _read_words(recipe.held_out_words)
        self._patterns = _group_patterns(self._grammar, recipe)

    def draw(self, name: str) -> NotedPair | None:
        """Return a pair, None when the draw does not belong into the suite."""
        pattern = self._draw_pattern()
        casts = self._draw_casts(pattern)
        expansion, frames = self._expand(pattern)
        if not all(self._belongs(c.write(f)) for c, f in zip(casts, frames, strict=True)):
            return None
        register = draw_register(self._grammar, self._rng)
        letters = compose(
            frames,
            shape=self._draw_shape(register["chatty"], pattern.things),
            register=register,
            expansion=expansion,
            rng=self._rng,
        )
        texts = self._write(casts, letters, register)
        distance = measure_distance(letters[0])
        if not self._fits(texts, distance):
            return None
        pair = Pair(
            id=name,
            phenomenon=pattern.phenomenon,
            members=dict(zip(ROUTES, texts, strict=True)),
            distance=distance,
        )
        order = expansion.variables.get("order1", "")
        order = order if order.lower() in texts[0].lower() else ""
        notes = {r: _note(pattern, c, order) for r, c in zip(ROUTES, casts, strict=True)}
        return NotedPair(pair=pair, construction=pattern.construction, notes=notes)

    def _draw_pattern(self) -> Pattern:
        options: Any = self._patterns
        while not isinstance(options, Pattern):
            options = options[int(self._rng.random() * len(options))]
        return options

    def _draw_casts(self, pattern: Pattern) -> tuple[_Cast, _Cast]:
        draw = draw_arrival if pattern.things == "arrival" else draw_money
        things = draw(self._words, self._rng)
        pointers = self._words.rows["pointers"]
        pair = pointers[int(self._rng.random() * len(pointers))]
        first = self._rng.random() < 0.5
        swap_pointers = self._rng.random() < 0.5
        return (
            _cast(things, True, first, (pair[0], pair[1])),
            _cast(things, False, first != swap_pointers, (pair[0], pair[1])),
        )

    def _expand(self, pattern: Pattern) -> tuple[Expansion, tuple[list[Item], list[Item]]]:
        tries = TRIES if pattern.varied and self._rng.random() < EXACT else 1
        for _ in range(tries):
            expansion = Expansion(self._grammar, self._rng)
            items = expansion.expand(pattern.sequence)
            if tries > 1 and is_even(items):
                break
        frames = [items, items]
        if self._rng.random() < NEAR:
            redrawn = expansion.redraw(items)
            if is_even(redrawn) or not is_even(items):
                frames[int(self._rng.random() * 2)] = redrawn
        return expansion, (frames[0], frames[1])

    def _belongs(self, text: str) -> bool:
        if self._recipe.held_out_words and not self._words.occur_in(text):
            return False
        tested = self._recipe.tested
        return tested is None or is_tested(text) == tested

    def _draw_shape(self, chatty: float, things: str) -> Shape:
        around, rng = self._recipe.asides, self._rng
        if around is None:
            return draw_shape(rng, chatty, things)
        return Shape(
            subject=rng.random() < 0.3,
            opening=rng.random() < 0.7,
            intro=f"{things}_intro" if rng.random() < INTRO else None,
            closing=rng.random() < 0.7,
            before=rng.randint(*around),
            between=rng.randint(*self._recipe.between),
            after=rng.randint(*around),
        )

    def _write(
        self,
        casts: tuple[_Cast, _Cast],
        letters: tuple[list[Item], list[Item]],
        register: Mapping[str, Any],
    ) -> tuple[str, str]:
        first, second = (c.write(one) for c, one in zip(casts, letters, strict=True))
        if self._rng.random() < MANY:
            first, second = speak_for_many(first), speak_for_many(second)
        if self._rng.random() < register["short"]:
            first, second = contract(first), contract(second)
        first, second = _tidy(first), _tidy(second)
        for change in self._draw_changes(register, (first, second)):
            first, second = change(first), change(second)
        return first, second

    def _draw_changes(self, register: Mapping[str, Any], texts: tuple[str, str]) -> list[Any]:
        rng = self._rng
        changes: list[Any] = []
        if rng.random() < self._noise:
            changes.append(draw_noise(rng, strength=self._recipe.strength, texts=texts))
        if self._noise and rng.random() < register["bare"]:
            changes.append(drop_apostrophes)
        if self._noise and rng.random() < register["lower"]:
            changes.append(str.lower)
        elif self._noise and rng.random() < register["shout"]:
            changes.append(str.upper)
        return changes

    def _fits(self, texts: tuple[str, str], distance: int | None) -> bool:
        fewest, most = self._recipe.words
        if not all(fewest <= len(text.split()) <= most for text in texts):
            return False
        limits = self._recipe.distance
        return limits is None or (distance is not None and limits[0] <= distance <= limits[1])


def _group_patterns(grammar: Grammar, recipe: Recipe) -> list[list[list[Pattern]]]:
    """Phenomenon -> (open named first or either, open named second or either) -> patterns."""
    groups: list[list[list[Pattern]]] = []
    for phenomenon in PHENOMENA:
        patterns = [
            p
            for p in grammar.patterns
            if p.phenomenon == phenomenon
            and p.held_out == recipe.held_out_patterns
            and (p.far or not recipe.far)
        ]
        first = [p for p in patterns if p.open_first is not False]
        second = [p for p in patterns if p.open_first is not True]
        if first and second:
            groups.append([first, second])
    return groups


def _cast(
    things: tuple[Forms, Forms], money_open: bool, open_first: bool, pointers: tuple[str, str]
) -> _Cast:
    money, goods = things
    opened, other = things if money_open else (goods, money)
    first, second = (opened, other) if open_first else (other, opened)
    roles = {"open": opened, "other": other, "1": first, "2": second, "m": money, "g": goods}
    return _Cast(roles=roles, open_first=open_first, pointers=pointers)


def is_tested(text: str) -> bool:
    """Whether deciding sentences of these words, in any order and voice, are kept for testing."""
    words = sorted(word for word in _WORD.findall(text.lower()) if word not in VOICED)
    return zlib.crc32(" ".join(words).encode()) % TESTED == 0


def is_even(items: list[Item]) -> bool:
    """Whether both things stand in the same forms, so that swapping them keeps the words."""
    opened = sorted(_forms(items, "open"))
    return opened == sorted(_forms(items, "other"))


def _forms(items: list[Item], role: str) -> list[str]:
    return [
        SAME.get(item.form, item.form)
        for item in items
        if isinstance(item, Slot)
        and item.role == role
        and not item.words
        and item.form not in AGREEING
    ]


def _tidy(text: str) -> str:
    text = text.strip()
    if any(gap in text for gap in _GAPS):
        text = _SPACE.sub(lambda found: found[1] or " ", text)
    return _START.sub(lambda found: found[0][:-1] + found[1].upper(), text)


def measure_distance(items: list[Item]) -> int | None:
    """Return the number of words between the first and the last of the words that decide."""
    at = [place for place, item in enumerate(items) if _decides(item)]
    between = items[at[0] + 1 : at[-1]] if at else []
    return sum(len(item.split()) if isinstance(item, str) else 1 for item in between)


def _decides(item: Item) -> bool:
    return isinstance(item, Slot) and item.role not in ("m", "g")


def _note(pattern: Pattern, cast: _Cast, order: str) -> Note:
    opened, other = cast.roles["open"]["n"], cast.roles["other"]["n"]
    if pattern.things == "arrival":
        return Note(missing=opened, came=other, wanted="", order=order)
    return Note(missing="", came="", wanted=opened, order=order)
