"""The Cartwise grammar: YAML files -> patterns that can be written out with either thing open.

How a pattern is written (the YAML files repeat this at their top)::

    {open} {other}      the open matter and the other one, as noun phrases
    {open.a} {other.do} another form of them: a, n, do, doing, done, pp, get, is, has, was, does, s
    {1} {2}             the thing named first and the thing named second, whichever is open
    {open<X|Y>}         X where the open matter is the one named first, else Y
    {open.ptr}          a pointer of that kind: the former / the latter, the first / the second
    {m} {g}             the money or content, the goods or container, whichever is open
    [came other]        a clause of the list ``came`` said of the other thing ({x} in that list)
    [but]               a phrase of the list ``but``
    $day1 $day2         two different phrases of the list ``day``, the same all through the e-mail
    (X|Y|)              X or Y or nothing
    //                  a place where an aside may stand
    ==                  what follows is quoted below the signature
    #                   a digit, in phrases
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from routing.errors import CorpusError

PHENOMENA = (
    "role_swap",
    "owed",
    "request_negation",
    "correction",
    "preference",
    "resolved_then_open",
    "reported_speech",
    "condition",
    "coreference",
    "thread",
)
ROLES = ("open", "other", "1", "2", "x", "m", "g")
BREAK = "//"
QUOTE = "=="


@dataclass(frozen=True, slots=True)
class Slot:
    """A thing in a role: ``form`` of it, or one of ``words`` by the place where it is named."""

    role: str
    form: str = "np"
    words: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A phrase of a list, said of the thing in ``role`` when there is one."""

    name: str
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Variable:
    """A phrase of a list that stays the same all through one e-mail."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several ways to say the same."""

    options: tuple["Sequence", ...]


Sequence = tuple["str | Slot | Call | Variable | Choice", ...]
Item = str | Slot


@dataclass(frozen=True, slots=True)
class Phrases:
    """A list of phrases that say the same or do not matter.

    Attributes:
        options: the phrases, a weighted one as often as its weight.
    """

    options: tuple[Sequence, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to put an open matter and another one into words.

    Attributes:
        phenomenon: the phenomenon it stands for.
        construction: name of its construction; whole constructions are held out.
        held_out: True when no training e-mail is made from it.
        things: ``arrival`` (a content and a container) or ``money`` (money and goods).
        sequence: its parsed text.
        open_first: whether the open matter is named first; None when either may be.
        far: True when a place for asides parts the things from the words that decide.
        varied: True when it calls clauses, so that the forms of its things can differ.
    """

    phenomenon: str
    construction: str
    held_out: bool
    things: str
    sequence: Sequence
    open_first: bool | None
    far: bool
    varied: bool


@dataclass(frozen=True, slots=True)
class Grammar:
    """All that e-mails are made from.

    Attributes:
        phrases: name -> list of phrases.
        patterns: all patterns, in file order.
        tables: name -> rows of words (contents, containers, actions ...).
        letters: the settings of the registers.
    """

    phrases: Mapping[str, Phrases]
    patterns: tuple[Pattern, ...]
    tables: Mapping[str, Any] = field(default_factory=dict)
    letters: tuple[Mapping[str, Any], ...] = ()


_PIECE = re.compile(r"\{[^}]*\}|\[[a-z_]+(?: [a-z0-9]+)?\]|\$[a-z_]+[0-9]|[(|)]")


def parse(text: str) -> Sequence:
    """Return the parts of one line of the grammar.

    Raises:
        CorpusError: a bracket that is not closed, or a role that does not exist.
    """
    pieces = [p for p in re.split(f"({_PIECE.pattern})", text.replace("\\n", "\n")) if p]
    options, _ = _parse_options(pieces, 0, text, nested=False)
    if len(options) != 1:
        raise CorpusError(f"pattern {text!r}: '|' outside of '(': put brackets round the choice")
    return options[0]


def _parse_options(
    pieces: list[str], at: int, text: str, *, nested: bool
) -> tuple[list[Sequence], int]:
    options: list[Sequence] = []
    parts: list[Any] = []
    while at < len(pieces) and not (nested and pieces[at] == ")"):
        piece = pieces[at]
        at += 1
        if piece == "|":
            options.append(tuple(parts))
            parts = []
        elif piece == "(":
            inner, at = _parse_options(pieces, at, text, nested=True)
            if at >= len(pieces):
                raise CorpusError(f"pattern {text!r}: '(' is not closed: add ')'")
            at += 1
            parts += [Choice(tuple(inner))] if len(inner) > 1 else ["(", *inner[0], ")"]
        else:
            parts.append(_parse_piece(piece, text))
    return [*options, tuple(parts)], at


def _parse_piece(piece: str, text: str) -> str | Slot | Call | Variable:
    match piece[0]:
        case "{":
            return _parse_slot(piece[1:-1], text)
        case "[" if _PIECE.fullmatch(piece):
            name, _, role = piece[1:-1].partition(" ")
            return Call(name=name, role=role or None)
        case "$" if _PIECE.fullmatch(piece):
            return Variable(name=piece[1:])
        case _:
            return piece


def _parse_slot(inside: str, text: str) -> Slot:
    role, _, words = inside.partition("<")
    role, _, form = role.partition(".")
    if role not in ROLES:
        raise CorpusError(f"pattern {text!r}: {{{inside}}} is none of {', '.join(ROLES)}")
    if not words:
        return Slot(role=role, form=form or "np")
    first, _, second = words.rstrip(">").partition("|")
    return Slot(role=role, words=(first, second))


def parse_lines(lines: str) -> Phrases:
    """Return the phrases of a block of lines; a line that ends in ``*3`` counts three times."""
    options: list[Sequence] = []
    for line in lines.splitlines():
        text, weight = re.fullmatch(r"(.*?)(?:\s+\*(\d+))?", line.strip(), re.DOTALL).groups()  # type: ignore[union-attr]
        if text:
            options += [parse(text)] * int(weight or 1)
    return Phrases(options=tuple(options))


def load_grammar(folder: Path) -> Grammar:
    """Return the grammar in the YAML files of a folder.

    Raises:
        CorpusError: a pattern that cannot be parsed or that calls a list that does not exist.
    """
    phrases: dict[str, Phrases] = {}
    for name in ("clauses", "phrases", "asides", "intros"):
        for key, lines in _read(folder / f"{name}.yaml").items():
            phrases[key] = parse_lines(lines)
    letters = tuple(_read(folder / "letters.yaml")["registers"])
    for register in letters:
        for part in ("openings", "closings"):
            phrases[f"{register['name']}_{part}"] = parse_lines(register[part])
    things = _read(folder / "things.yaml")
    patterns = tuple(p for name in PHENOMENA for p in _read_patterns(folder / f"{name}.yaml"))
    grammar = Grammar(phrases=phrases, patterns=patterns, tables=things, letters=letters)
    _check_calls(grammar)
    return grammar


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open(encoding="utf-8") as file:
            content: dict[str, Any] = yaml.load(
                file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
            )
    except (OSError, yaml.YAMLError) as error:
        raise CorpusError(f"{path}: cannot be read ({error}): restore the file") from error
    return content


def _read_patterns(path: Path) -> list[Pattern]:
    content = _read(path)
    patterns: list[Pattern] = []
    for construction in content["constructions"]:
        for sequence in parse_lines(construction["patterns"]).options:
            open_first, far = _inspect(sequence)
            patterns.append(
                Pattern(
                    phenomenon=path.stem,
                    construction=construction["name"],
                    held_out=bool(construction.get("held_out", False)),
                    things=construction.get("things", content["things"]),
                    sequence=sequence,
                    open_first=open_first,
                    far=far,
                    varied=any(isinstance(part, Call) and part.role for part in sequence),
                )
            )
    return patterns


def _inspect(sequence: Sequence) -> tuple[bool | None, bool]:
    """Whether the open matter is named first, and whether what decides points far back."""
    flat = _flat(sequence)
    named = [p.role for p in flat if isinstance(p, Slot) and not _points(p)]
    open_first = named[0] == "open" if named and named[0] in ("open", "other") else None
    at = next((i for i, p in enumerate(flat) if isinstance(p, str) and BREAK in p), len(flat))
    before = [p for p in flat[:at] if isinstance(p, Slot)]
    after = [p for p in flat[at:] if isinstance(p, Slot)]
    far = (
        {"1", "2"} <= {p.role for p in before}
        and not any(p.role in ("open", "other") for p in before)
        and bool(after)
        and all(_points(p) for p in after)
    )
    return open_first, far


def _points(slot: Slot) -> bool:
    """Whether a slot points at a thing (the former, Monday's) instead of naming it."""
    return slot.words is not None or slot.form == "ptr"


def _flat(sequence: Sequence) -> list[str | Slot]:
    flat: list[str | Slot] = []
    for part in sequence:
        match part:
            case str() | Slot():
                flat.append(part)
            case Call(name=name, role=str(role)):
                flat.append(Slot(role=role, form="ptr" if name.endswith("_ptr") else "np"))
            case Choice():
                flat += [inner for option in part.options for inner in _flat(option)]
            case _:
                pass
    return flat


def _check_calls(grammar: Grammar) -> None:
    sequences = [p.sequence for p in grammar.patterns]
    sequences += [o for phrases in grammar.phrases.values() for o in phrases.options]
    for sequence in sequences:
        for name in _called(sequence):
            if name not in grammar.phrases:
                raise CorpusError(f"the grammar calls [{name}], which no file has: add the list")


def _called(sequence: Sequence) -> set[str]:
    names: set[str] = set()
    for part in sequence:
        match part:
            case Call(name=name):
                names.add(name)
            case Variable(name=name):
                names.add(name[:-1])
            case Choice(options=options):
                names = names.union(*(_called(o) for o in options))
            case _:
                pass
    return names
