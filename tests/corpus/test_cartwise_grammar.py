import random

import pytest

from routing.corpus import places
from routing.corpus.expansion import Expansion
from routing.corpus.grammar import (
    Call,
    Choice,
    Grammar,
    Slot,
    Variable,
    load_grammar,
    parse,
    parse_lines,
)
from routing.corpus.things import read_words, with_article
from routing.errors import CorpusError


def expand(text, *, seed=0, **lists):
    phrases = {name: parse_lines(lines) for name, lines in lists.items()}
    grammar = Grammar(phrases=phrases, patterns=())
    return Expansion(grammar, random.Random(seed)).expand(parse(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hi {open}.", ("Hi ", Slot("open"), ".")),
        ("{1.a} or", (Slot("1", "a"), " or")),
        ("[came other]", (Call("came", "other"),)),
        ("[but]", (Call("but"),)),
        ("on $day1", ("on ", Variable("day1"))),
        ("(a|b|)", (Choice((("a",), ("b",), ())),)),
        ("(sorry)", ("(", "sorry", ")")),
        ("1) x", ("1", ")", " x")),
        ("a\\n> b", ("a\n> b",)),
        ("{open<x|y>}", (Slot("open", words=("x", "y")),)),
        ("((a|b) c|d)", (Choice(((Choice((("a",), ("b",))), " c"), ("d",))),)),
    ],
)
def test_a_pattern_is_parsed(text, expected):
    assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a | b", r"'a \| b': '\|' outside of '\(': put brackets round the choice"),
        ("(a|b", r"'\(a\|b': '\(' is not closed: add '\)'"),
        ("{opne}", r"'\{opne\}': \{opne\} is none of open, other, 1, 2, x, m, g"),
    ],
)
def test_a_pattern_that_cannot_be_parsed_is_named(text, message):
    with pytest.raises(CorpusError, match=message):
        parse(text)


def test_a_weight_repeats_a_line():
    assert parse_lines("a *3\nb\n\n").options == (("a",), ("a",), ("a",), ("b",))


def test_a_clause_is_said_of_the_thing_it_is_called_with():
    assert expand("[came other].", came="{x} {x.is} here") == [
        Slot("other", "np"),
        " ",
        Slot("other", "is"),
        " here",
        ".",
    ]


def test_a_clause_passes_its_thing_on():
    assert expand("[outer open]", outer="[inner x]!", inner="no {x.n}") == [
        "no ",
        Slot("open", "n"),
        "!",
    ]


def test_a_variable_stays_the_same_and_two_of_a_kind_differ():
    for seed in range(20):
        first, _, second, _, again = expand("$day1 $day2 $day1", seed=seed, day="Mon\nTue")
        assert first == again != second


def test_digits_are_drawn_without_zero():
    (number,) = expand("[order]", order="C-###")
    assert number[:2] == "C-"
    assert number[2:].isdigit()
    assert "0" not in number[2:]


def test_a_redrawn_expansion_differs_in_one_choice_at_most():
    grammar = Grammar(phrases={"w": parse_lines("a\nb\nc\nd")}, patterns=())
    expansion = Expansion(grammar, random.Random(1))
    items = expansion.expand(parse("[w] [w] [w]"))
    for _ in range(20):
        assert sum(a != b for a, b in zip(items, expansion.redraw(items), strict=True)) <= 1


def test_a_list_that_does_not_exist_is_named(tmp_path):
    folder = places.data_folder()
    for file in folder.glob("*.yaml"):
        (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "owed.yaml").write_text(
        "things: money\nconstructions:\n  - name: a\n    patterns: |\n      [nope open].\n"
    )
    with pytest.raises(CorpusError, match=r"the grammar calls \[nope\], which no file has"):
        load_grammar(tmp_path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(CorpusError, match=r"clauses.yaml: cannot be read .*: restore the file"):
        load_grammar(tmp_path)


def test_a_missing_corpus_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setattr(places, "__file__", str(tmp_path / "a" / "b" / "c.py"))
    monkeypatch.setattr(places.sys, "prefix", str(tmp_path))
    with pytest.raises(CorpusError, match=r"is neither in .* nor in .*pip install -e \."):
        places.data_folder()


def test_an_installed_corpus_is_found(monkeypatch, tmp_path):
    monkeypatch.setattr(places, "__file__", str(tmp_path / "a" / "b" / "c.py"))
    monkeypatch.setattr(places.sys, "prefix", str(tmp_path))
    folder = tmp_path / "share" / "routing" / "cartwise"
    folder.mkdir(parents=True)
    (folder / "things.yaml").touch()
    assert places.data_folder() == folder


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("box", "a box"), ("apron", "an apron"), ("unicycle", "a unicycle"), ("urn", "an urn")],
)
def test_with_article(noun, expected):
    assert with_article(noun) == expected


def test_a_noun_marked_with_plus_is_plural():
    tables = {"contents": "kettle\nsocks +", "containers": "box", "sums": "£##"}
    words = read_words(tables, held_out=False)
    assert [(n.text, n.plural, n.article) for n in words.contents] == [
        ("kettle", False, "a kettle"),
        ("socks", True, "socks"),
    ]


def test_both_orders_of_mention_are_there_in_every_phenomenon_and_half():
    grammar = load_grammar(places.data_folder())
    for held_out in (False, True):
        for phenomenon in {p.phenomenon for p in grammar.patterns}:
            kinds = {
                p.open_first
                for p in grammar.patterns
                if p.phenomenon == phenomenon and p.held_out == held_out
            }
            assert None in kinds or {True, False} <= kinds
