"""The two things of a minimal pair: a content and its container, or money and goods.

A thing knows all its forms, so a pattern can put either thing in either role and stay English.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

Forms = dict[str, str]
_TURNED = {"me": "you", "my": "your", "our": "your", "I": "you", "your": "our", "you": "we"}
_T = TypeVar("_T")

SINGULAR = {"is": "is", "has": "has", "was": "was", "does": "does", "s": "s", "es": "es"}
SINGULAR |= {"it": "it", "them": "it", "that": "that", "ies": "ies"}
PLURAL = {"is": "are", "has": "have", "was": "were", "does": "do", "s": "", "es": ""}
PLURAL |= {"it": "they", "them": "them", "that": "those", "ies": "y"}


@dataclass(frozen=True, slots=True)
class Noun:
    """A content or a container.

    Attributes:
        text: the noun, ``phone case`` or ``batteries``.
        plural: whether verbs after it stand in the plural.
        article: it with an indefinite article, ``a phone case`` or ``batteries``.
    """

    text: str
    plural: bool
    article: str


@dataclass(frozen=True, slots=True)
class Words:
    """The words that things are made of, as drawn for one suite.

    Attributes:
        contents: things that are bought.
        containers: what they come in.
        rows: name of a table -> its rows, split into columns.
    """

    contents: tuple[Noun, ...]
    containers: tuple[Noun, ...]
    rows: Mapping[str, tuple[tuple[str, ...], ...]]

    def occur_in(self, text: str) -> bool:
        """Whether one of the contents or containers is named in a text."""
        return any(noun.text in text for noun in (*self.contents, *self.containers))


def read_words(tables: Mapping[str, str], *, held_out: bool) -> Words:
    """Return the words of things.yaml: those of training, or the held-out nouns."""
    prefix = "held_out_" if held_out else ""
    names = [name for name in tables if not name.endswith(("contents", "containers"))]
    return Words(
        contents=tuple(_read_noun(line) for line in _lines(tables[f"{prefix}contents"])),
        containers=tuple(_read_noun(line) for line in _lines(tables[f"{prefix}containers"])),
        rows={name: tuple(_read_row(line) for line in _lines(tables[name])) for name in names},
    )


def _lines(block: str) -> list[str]:
    lines: list[str] = []
    for line in block.splitlines():
        text, _, weight = line.strip().partition(" *")
        if text:
            lines += [text] * int(weight or 1)
    return lines


def _read_noun(line: str) -> Noun:
    plural = line.endswith(" +")
    text = line.removesuffix(" +")
    article = text if plural else with_article(text)
    return Noun(text=text, plural=plural, article=article)


def _read_row(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.split(" / "))


def with_article(noun: str) -> str:
    """Return the noun after ``a`` or ``an``: ``an urn``, ``a unicycle``."""
    vowel = noun[0].lower() in "aeiou" and not noun.lower().startswith(("uni", "uku", "eu", "use"))
    return f"an {noun}" if vowel else f"a {noun}"


def draw_arrival(words: Words, rng: random.Random) -> tuple[Forms, Forms]:
    """Return a content (missing: refunds) and a container (missing: delivery)."""
    content, container = _pick(words.contents, rng), _pick(words.containers, rng)
    money = _arrival_forms(content, _pick(words.rows["content_phrases"], rng)[0])
    goods = _arrival_forms(container, _pick(words.rows["container_phrases"], rng)[0])
    money["desc"], goods["desc"] = _pick(words.rows["arrival_descriptions"], rng)
    inside, around = _pick(words.rows["relations"], rng)
    inside = _agree(inside, content.plural, container.plural).replace("{n}", content.text)
    money["rel"] = inside.replace(" it", " them") if container.plural else inside
    goods["rel"] = _agree(around, content.plural, container.plural).replace("{n}", container.text)
    return money, goods


def _agree(relation: str, content: bool, container: bool) -> str:
    """Fill the marks that agree with the content, and the one that agrees with the container."""
    relation = relation.replace("{was1}", "were" if container else "was")
    for mark, singular, plural in (
        ("{was}", "was", "were"),
        ("{belongs}", "belongs", "belong"),
        ("{travels}", "travels", "travel"),
        ("{it}", "it", "they"),
        ("{them}", "it", "them"),
        ("{its}", "its", "their"),
    ):
        relation = relation.replace(mark, plural if content else singular)
    return relation


def _pick(options: tuple[_T, ...], rng: random.Random) -> _T:
    return options[int(rng.random() * len(options))]


def _arrival_forms(noun: Noun, phrase: str) -> Forms:
    forms = dict(PLURAL if noun.plural else SINGULAR)
    forms["np"] = phrase.replace("{n}", noun.text)
    forms["n"] = noun.text
    forms["a"] = noun.article
    forms["ynp"] = _turn(forms["np"])
    return forms


def draw_money(words: Words, rng: random.Random) -> tuple[Forms, Forms]:
    """Return money (open: refunds) and goods (open: delivery)."""
    content, container = _pick(words.contents, rng), _pick(words.containers, rng)
    while container.plural:
        container = _pick(words.containers, rng)
    money_sum = _draw_sum(words, rng)
    plural = content.plural
    fill = {
        "{c}": content.text,
        "{ac}": content.article,
        "{b}": container.text,
        "{sum}": money_sum,
        "{another}": f"{'more' if plural else 'another'} {content.text}",
        "{anew}": f"{'' if plural else 'a '}new {content.text}",
        "{afresh}": f"{'' if plural else 'a '}fresh {content.text}",
        "{anexchange}": f"{'' if plural else 'an '}exchange {content.text}",
        "{areplacement}": f"{'' if plural else 'a '}replacement {content.text}",
        "{them}": "them" if plural else "it",
        "{ones}": "ones" if plural else "one",
    }
    money = _money_forms("money", words, rng, fill, plural=False)
    goods = _money_forms("goods", words, rng, fill, plural=plural)
    money["desc"], goods["desc"] = _pick(words.rows["descriptions"], rng)
    agreed = PLURAL if plural else SINGULAR
    goods |= {f"c{form}": agreed[form] for form in ("is", "was", "has", "it", "them")}
    goods |= {"c": content.text, "ac": content.article}
    return money, goods


def _draw_sum(words: Words, rng: random.Random) -> str:
    shape = _pick(words.rows["sums"], rng)[0]
    return "".join(str(int(rng.random() * 9) + 1) if letter == "#" else letter for letter in shape)


def _money_forms(
    table: str, words: Words, rng: random.Random, fill: Mapping[str, str], *, plural: bool
) -> Forms:
    noun, definite, indefinite, number = _pick(words.rows[table], rng)
    action = _pick(words.rows[f"{table}_actions"], rng)
    is_plural = number == "p" or (number == "c" and plural)
    forms = dict(PLURAL if is_plural else SINGULAR)
    cells = (("n", noun), ("np", definite), ("a", indefinite))
    for form, cell in (*cells, *zip(("do", "doing", "done", "pp", "get"), action, strict=True)):
        if "{" in cell:
            for mark, text in fill.items():
                if mark in cell:
                    cell = cell.replace(mark, text)
        forms[form] = cell
    forms["offer"] = _turn(forms["do"])
    forms["ya"] = _turn(forms["a"])
    forms["ynp"] = _turn(forms["np"])
    return forms


def _turn(words: str) -> str:
    """Return what the customer says as the shop would say it: ``me`` becomes ``you``."""
    return " ".join(_TURNED.get(word, word) for word in words.split(" "))
