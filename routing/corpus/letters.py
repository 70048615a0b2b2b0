"""What stands around the sentences that decide: subject, opening, asides, closing, signature."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from routing.corpus.expansion import Expansion
from routing.corpus.grammar import BREAK, QUOTE, Call, Grammar, Item, Slot

INTRO = 0.3


@dataclass(frozen=True, slots=True)
class Shape:
    """How much stands around the deciding sentences.

    Attributes:
        subject: whether there is a subject line.
        opening: whether there is a greeting.
        intro: name of the list of sentences that open the story, None for no such sentence.
        closing: whether there is a closing word and a signature.
        before: number of asides before the deciding sentences.
        between: number of asides at each place inside them.
        after: number of asides after them.
    """

    subject: bool
    opening: bool
    intro: str | None
    closing: bool
    before: int
    between: int
    after: int


def draw_register(grammar: Grammar, rng: random.Random) -> Mapping[str, Any]:
    """Return a way of writing, as often as its weight says."""
    weights = [register["weight"] for register in grammar.letters]
    return rng.choices(grammar.letters, weights)[0]


def draw_shape(rng: random.Random, chatty: float, things: str) -> Shape:
    """Return the shape of an everyday e-mail: two fifths bare, most short, some long."""
    size = rng.random()
    intro = f"{things}_intro" if rng.random() < INTRO else None
    if size < 0.3:
        return Shape(rng.random() < 0.1, rng.random() < 0.1, intro, False, 0, 0, 0)
    if size < 0.65:
        counts = [int(rng.random() * 1.6 * min(chatty, 1.5)) for _ in range(3)]
    elif size < 0.9:
        counts = [int(rng.random() * 4 * chatty) for _ in range(3)]
    else:
        counts = [int(rng.random() * 10 * chatty) for _ in range(3)]
    subject, opening, closing = rng.random() < 0.3, rng.random() < 0.65, rng.random() < 0.6
    return Shape(subject, opening, intro, closing, *counts)


def compose(
    frames: tuple[list[Item], list[Item]],
    *,
    shape: Shape,
    register: Mapping[str, Any],
    expansion: Expansion,
    rng: random.Random,
) -> tuple[list[Item], list[Item]]:
    """Return the deciding sentences of both members inside the same letter, slots still open."""
    gap = "\n\n" if rng.random() < 0.4 else ("\n" if rng.random() < 0.3 else " ")
    inner = gap if rng.random() < 0.5 else " "
    head = _compose_head(shape, register, expansion, gap)
    tail = _compose_tail(shape, register, expansion, gap)
    asides: list[list[Item]] = [
        [part for _ in range(shape.between) for part in (" ", *_draw_aside(expansion))]
        for _ in range(3)
    ]
    parts = head, asides, tail
    first = _compose_letter(frames[0], parts, inner)
    if frames[1] is frames[0]:
        return first, first
    return first, _compose_letter(frames[1], parts, inner)


def _compose_letter(
    frame: list[Item], parts: tuple[list[Item], list[list[Item]], list[Item]], gap: str
) -> list[Item]:
    head, asides, tail = parts
    newest, quoted = _cut_quote(frame)
    quote: list[Item] = ["\n\n", *quoted] if quoted else []
    return [*head, *_fill_breaks(newest, asides, gap), *tail, *quote]


def _compose_head(
    shape: Shape, register: Mapping[str, Any], expansion: Expansion, gap: str
) -> list[Item]:
    head: list[Item] = []
    if shape.subject:
        head += ["Subject: ", *_draw(expansion, "subject"), "\n"]
    if shape.opening:
        head += [*_draw(expansion, f"{register['name']}_openings"), gap]
    if shape.intro:
        head += [*_draw(expansion, shape.intro), " "]
    for _ in range(shape.before):
        head += [*_draw_aside(expansion), " "]
    if shape.before or shape.intro:
        head[-1] = gap
    return head


def _compose_tail(
    shape: Shape, register: Mapping[str, Any], expansion: Expansion, gap: str
) -> list[Item]:
    tail: list[Item] = []
    for _ in range(shape.after):
        tail += [" ", *_draw_aside(expansion)]
    if shape.closing:
        tail += [gap, *_draw(expansion, f"{register['name']}_closings")]
        tail += ["\n" if gap != " " else " ", *_draw(expansion, "signature")]
    return tail


def _draw(expansion: Expansion, name: str) -> list[Item]:
    return expansion.expand((Call(name=name),))


def _draw_aside(expansion: Expansion) -> list[Item]:
    """Return an aside; one that the letter has already is drawn again, four times at most."""
    for _ in range(4):
        aside = _draw(expansion, "aside")
        if aside[0] not in expansion.used:
            break
    expansion.used.add(aside[0])
    return aside


def _cut_quote(items: list[Item]) -> tuple[list[Item], list[Item]]:
    for at, item in enumerate(items):
        if isinstance(item, str) and QUOTE in item:
            before, _, after = item.partition(QUOTE)
            return [*items[:at], before.rstrip()], [after.lstrip(), *items[at + 1 :]]
    return items, []


def _fill_breaks(items: list[Item], asides: list[list[Item]], gap: str) -> list[Item]:
    filled: list[Item] = []
    places = 0
    for item in items:
        if isinstance(item, Slot) or BREAK not in item:
            filled.append(item)
            continue
        first, *rest = item.split(BREAK)
        filled.append(first.rstrip(" "))
        for part in rest:
            filled += [*asides[places % len(asides)], gap, part.lstrip(" ")]
            places += 1
    return filled
