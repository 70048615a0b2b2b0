"""The text is the body with characters left out, and every one can be found again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from routing.mail import body_span, email_from_text, spans
from routing.mail.spans import kept_spans, kept_text
from routing.records import Email, Removal

TIDIED = [
    ("", ""),
    (" \n\t", ""),
    ("one", "one"),
    ("  one  ", "one"),
    ("one  \ntwo", "one\ntwo"),
    ("one\n\n\n\ntwo", "one\n\ntwo"),
    ("one\n \n\t\n  two", "one\n\n  two"),
    ("\n\n one\n", "one"),
    ("one\n\ntwo\n", "one\n\ntwo"),
    ("\u3000one\u3000\ntwo\x1c\n", "one\ntwo"),
]


@pytest.mark.parametrize(("body", "text"), TIDIED)
def test_body_is_tidied_by_leaving_characters_out(body: str, text: str) -> None:
    assert kept_text(body) == text


def test_removals_are_left_out() -> None:
    body = "one\n> two\nthree, four"
    removals = (Removal(4, 10, "quoted reply"), Removal(15, 21, "signature"))
    assert kept_text(body, removals) == "one\nthree"
    assert kept_spans(body, removals) == [(0, 4), (10, 15)]


def email(body: str, *removals: Removal) -> Email:
    return Email(id="x", text=kept_text(body, removals), body=body, removals=removals)


def test_span_of_the_text_is_found_in_the_body() -> None:
    mail = email("Hi\n> old\nrefund  \n\n\nnow", Removal(3, 9, "quoted reply"))
    assert mail.text == "Hi\nrefund\n\nnow"
    start = mail.text.index("refund")
    assert body_span(mail, start, start + 6) == (9, 15)
    assert body_span(mail, 0, len(mail.text)) == (0, len(mail.body))


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 2), (3, 1), (0, 99)])
def test_span_outside_the_text_is_none(start: int, end: int) -> None:
    assert body_span(email("refund"), start, end) is None


def test_span_of_an_email_whose_text_was_made_elsewhere_is_none() -> None:
    assert body_span(Email(id="x", text="refund"), 0, 6) is None


PIECES = [
    "one",
    "two",
    " ",
    "\t",
    "\n",
    "\n\n",
    "> q\n",
    "-- \n",
    "On 2 May 2024 Ann wrote:\n",
    "é",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_every_character_of_the_text_has_its_place_in_the_body(pieces: list[str]) -> None:
    mail = email_from_text("".join(pieces), id="x", subject="")
    for at, character in enumerate(mail.text):
        span = body_span(mail, at, at + 1)
        assert span is not None
        assert mail.body[span[0] : span[1]] == character


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    mail = email_from_text(text, id="x")
    assert mail.text == mail.text.strip()
    assert "\n\n\n" not in mail.text
    assert [cut.start for cut in mail.removals] == sorted(cut.start for cut in mail.removals)
    assert all(a.end <= b.start for a, b in zip(mail.removals, mail.removals[1:], strict=False))


@given(
    st.lists(st.sampled_from(["a", "b c", " ", "\t", "\n", "\n\n", "\u3000", "\x0b"])).map("".join)
)
def test_a_tidy_body_is_kept_as_the_long_way_keeps_it(body: str) -> None:
    pieces = [(0, len(body))] if body else []
    long_way = list(spans._to_body(spans._tidy_spans(body), pieces))
    assert kept_spans(body) == long_way
