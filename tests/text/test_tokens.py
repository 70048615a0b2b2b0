"""Tokens: words, marks, placeholders for private data, places in the original."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routing.records import Email
from routing.text import chunks, tokens
from routing.text.clean import straighten
from routing.text.tokens import LINE, SUBJECT_END, is_word, token_texts, tokenize


def texts(text: str, *, placeholders: bool = True) -> list[str]:
    return token_texts(Email(id="1", text=text), placeholders=placeholders)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It hasn't come.", "it has n't come ."),
        ("can't won’t I'm they’ve", "ca n't wo n't i 'm they 've"),
        ("Where is it?!", "where is it ? !"),
        ("a 3.5mm jack, re-sent", "a 3.5mm jack , re-sent"),
        ("20,000 km in 2024", "20,000 km in 2024"),
        ("don`t", "do n't"),
        ("5\nu\u017fd", "<amount>"),
        ("one\n\n two", "one <line> two"),
        ("“quoted”", '" quoted "'),
        ("Käse für Ünal", "käse für ünal"),
    ],
)
def test_text_is_cut_into_words_and_marks(text: str, expected: str) -> None:
    assert texts(text) == expected.split()


@pytest.mark.parametrize(
    ("kind", "examples"),
    {
        "order": "#A-1234 AB-12345 123456 12-345 #77 JD014600003SE00012345 1Z999AA10123456784 "
        "00004587345",
        "address": "a.b+c@mail.example.co.uk john_doe@example.com",
        "url": "https://x.io/a?b=c www.shop.com/",
        "date": "2024-05-03 3.5.24 03/05/2024",
    }.items(),
)
def test_private_words_become_placeholders(kind: str, examples: str) -> None:
    for example in examples.split():
        assert texts(f"see {example}, please") == ["see", f"<{kind}>", ",", "please"]


@pytest.mark.parametrize(
    ("kind", "example"),
    [
        ("phone", "+44 20 7946 0958"),
        ("phone", "(555) 123-4567"),
        ("phone", "+1-800-555-0199"),
        ("phone", "06 12 34 56 78"),
        ("phone", "07911 123456"),
        ("phone", "0171/1234567"),
        ("phone", "+4915112345678"),
        ("card", "4111 1111 1111 1111"),
        ("card", "4111-1111-1111-1111"),
        ("card", "4111111111111111"),
        ("card", "DE89 3704 0044 0532 0130 00"),
        ("card", "GB82 WEST 1234 5698 7654 32"),
        ("amount", "€12.50"),
        ("amount", "30 euros"),
        ("amount", "1,299.00 USD"),
        ("amount", "10.000,00 €"),
        ("amount", "£5k"),
    ],
)
def test_private_numbers_become_placeholders(kind: str, example: str) -> None:
    assert texts(f"see {example}, please") == ["see", f"<{kind}>", ",", "please"]
    assert f"<{kind}>" not in texts(f"see {example}, please", placeholders=False)


@pytest.mark.parametrize(
    "word", ["covid-19", "mp3", "iphone", "10-15", "2024", "42", "ps5", "1.2.3"]
)
def test_plain_words_with_figures_stay(word: str) -> None:
    assert texts(f"see {word} now") == ["see", word, "now"]


def test_the_subject_comes_first_without_its_reply_marks() -> None:
    email = Email(id="1", subject="Re: AW: Lost parcel", text="Where?")
    tokens = tokenize(email)
    assert [t.text for t in tokens] == ["lost", "parcel", SUBJECT_END, "where", "?"]
    assert [t.part for t in tokens] == ["subject"] * 3 + ["text"] * 2
    first = tokens[0]
    assert email.subject[first.start : first.end] == "Lost"


def test_a_ticket_tag_inside_the_subject_is_passed_over() -> None:
    email = Email(id="1", subject="Fwd: Lost [Ticket #12] parcel")
    tokens = tokenize(email)
    assert [t.text for t in tokens] == ["lost", "parcel", SUBJECT_END]
    assert email.subject[tokens[1].start : tokens[1].end] == "parcel"


def test_an_email_of_nothing_has_no_tokens() -> None:
    assert tokenize(Email(id="1", subject="Re: ")) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("parcel", True),
        ("<order>", True),
        ("n't", True),
        (SUBJECT_END, False),
        (LINE, False),
        ("?", False),
    ],
)
def test_words_are_told_from_marks(text: str, word: bool) -> None:
    assert is_word(text) is word


_PIECES = st.sampled_from(
    [
        "Parcel",
        " ",
        "\n",
        "'",
        "n't",
        "#12",
        "€5",
        "+44 20 7946 0958",
        "a@b.co",
        "İ",
        "ß",
        "，",
        ".",
        *("17", "euros", "$", "#", "gb29", "nwbk", "6016", "1331", "0171", "\n\n", "  ", "\u2003"),
    ]
)
_TEXT = st.lists(_PIECES | st.text(max_size=5), max_size=12).map("".join)


@settings(deadline=None, max_examples=60)
@given(_TEXT, st.booleans())
def test_every_token_stands_where_it_says(text: str, placeholders: bool) -> None:
    tokens = tokenize(Email(id="1", text=text), placeholders=placeholders)
    even = straighten(text).lower()
    end = 0
    for token in tokens:
        assert end <= token.start < token.end <= len(text)
        end = token.end
        if not token.text.startswith("<"):
            assert even[token.start : token.end] == token.text


@settings(deadline=None, max_examples=300)
@given(_TEXT, _TEXT, st.booleans())
def test_the_fast_road_gives_the_same_texts(subject: str, text: str, placeholders: bool) -> None:
    email = Email(id="1", subject=subject, text=text)
    slow = [token.text for token in tokenize(email, placeholders=placeholders)]
    assert token_texts(email, placeholders=placeholders) == slow


@pytest.mark.parametrize(
    "text",
    [
        *("pay 17 euros", "17 euro", "17 eurostar", "17, euros", "17\neuros", "17 \neuros", "17\n"),
        *(
            "17\u2003euros",
            "17 u\u017fd",
            "$ 5",
            "$ 5 late",
            "5 $",
            "# 12",
            "# ab-12",
            "# ab cd 12",
        ),
        *("gb29 nwbk 6016 1331 9268", "gb29 late 6016 13", "gb29 later 6016 1331", "gb29 nwbk"),
        *("0171 555", "0171 555 1234 or", "(555) 123-4567", "call 0171", "0171  555", "0171\t555"),
        *("7 to 8", "7 than 8", "7  8", "7 \n 8", "4111 1111 1111 1111 2", "1 2 3 4 5 6 7 8"),
        *("a\n \nb", "a\n\n\nb", "\n a", "a \n", "\n", " \n ", "a\x0c\nb", "a\n\x0b\nb 5\n\neuros"),
        *(
            "",
            " ",
            "  a  b ",
            "5",
            "5 ",
            " 5",
            "5 5\n5",
            "#",
            "x #12\nusd",
            "12k",
            "€5\nk",
            "5\n\n€",
        ),
    ],
)
@pytest.mark.parametrize("placeholders", [True, False])
def test_the_fast_road_stops_where_the_pattern_does(text: str, placeholders: bool) -> None:
    for body in (text, f"late {text} now", f"late\n{text}\nnow", text.upper()):
        email = Email(id="1", subject=body, text=body)
        slow = [token.text for token in tokenize(email, placeholders=placeholders)]
        assert token_texts(email, placeholders=placeholders) == slow


def test_what_is_known_of_chunks_stays_small() -> None:
    texts(" ".join(f"chunk{i}x" for i in range(2_000)) + " " + "long" * 20_000)
    kept = tokens._TEXTS[True]._known
    assert len(kept) <= chunks._MOST_CHUNKS
    assert max(map(len, kept)) <= chunks._LONGEST_CHUNK


@settings(deadline=None, max_examples=60)
@given(st.text())
def test_straightening_keeps_the_length(text: str) -> None:
    assert len(straighten(text).lower()) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        ".",
        "a",
        "1",
        "1-",
        "a1",
        "(0",
        "+1 ",
        "a.",
        "1,",
        "1 ",
        " ",
        "www.",
        "a-",
        "n't",
        "1234 ",
        "$ ",
        "\n" + " " * 999,
        "5\n",
    ],
)
def test_no_text_makes_the_pattern_slow(text: str) -> None:
    started = time.process_time()
    texts(text * (60_000 // len(text)) + "@")
    assert time.process_time() - started < 2
