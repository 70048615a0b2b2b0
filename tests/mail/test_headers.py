"""Header lines are unfolded, decoded and taken apart."""

from random import Random

import pytest

from routing.mail import headers as headers_module
from routing.mail.headers import Headers, decode_header, parse_value, sender_text, split_headers

DECODED = [
    (b"Late parcel", "Late parcel"),
    (b"=?utf-8?Q?Caf=C3=A9_cup?=", "Café cup"),
    (b"=?utf-8?B?Q2Fmw6k=?= cup", "Café cup"),
    (b"=?utf-8?Q?Caf=C3?=\n =?utf-8?Q?=A9_cup?=", "Café cup"),
    (b"=?utf-8?B?Q2Fmw?= =?utf-8?B?6k=?=", "Café"),
    (b"=?iso-8859-1?Q?Caf=E9?= =?utf-8?Q?=C3=A9?=", "Caféé"),
    (b"Re: =?utf-8?Q?Caf=C3=A9?= (again)", "Re: Café (again)"),
    (b"Zo=?utf-8?Q?=C3=AB?=s", "Zoës"),
    (b"=?utf-8?Q?Where is it??=", "Where is it?"),
    (b"=?utf-8*en?Q?two_words?=", "two words"),
    (b"=?x-none?Q?Caf=C3=A9?=", "Café"),
    (b"=?utf-8?B?Q2Fm", "=?utf-8?B?Q2Fm"),
    (b"=?utf-8?Q??=", ""),
    (b"Colis re\xe7u", "Colis reçu"),
    ("Colis reçu".encode(), "Colis reçu"),
    (b"folded\n  twice", "folded twice"),
    (b"=?iso-2022-jp?B?GyRCSlY2YhsoQg==?=", "返金"),
]


@pytest.mark.parametrize(("raw", "text"), DECODED)
def test_header_is_decoded(raw: bytes, text: str) -> None:
    assert decode_header(raw) == text


def test_raw_bytes_in_a_header_are_read_with_the_charset_of_the_message() -> None:
    lines = (
        ("subject", "Возврат".encode("koi8_r")),
        ("content-type", b"text/plain; charset=koi8-r"),
    )
    assert Headers(lines).text("subject") == "Возврат"


SENDERS = [
    (b"Ann Example <ann@example.com>", "Ann Example <ann@example.com>"),
    (b'"Example, Ann" <ann@example.com>', "Example, Ann <ann@example.com>"),
    (b'"Ann \\"A\\" Example" <ann@example.com>', 'Ann "A" Example <ann@example.com>'),
    (b"ann@example.com", "ann@example.com"),
    (b"Shop: Care: ann@example.com;;", "ann@example.com"),
    (b"Team: ann@example.com, bob@example.com;", "ann@example.com, bob@example.com"),
    (b"undisclosed-recipients:;", "undisclosed-recipients:;"),
    (b"=?utf-8?Q?Zo=C3=AB?= <z@example.com>", "Zoë <z@example.com>"),
    (b"", ""),
]


@pytest.mark.parametrize(("raw", "text"), SENDERS)
def test_sender_is_read(raw: bytes, text: str) -> None:
    assert sender_text(Headers((("from", raw),))) == text


VALUES = [
    (b'text/plain; charset="utf-8"', "text/plain", {"charset": "utf-8"}),
    (b"TEXT/HTML;charset=utf-8;", "text/html", {"charset": "utf-8"}),
    (b"text/plain (comment); format=flowed", "text/plain", {"format": "flowed"}),
    (b'multipart/mixed; boundary="a;b=c"', "multipart/mixed", {"boundary": "a;b=c"}),
    (b"a/b; name*=utf-8''caf%C3%A9.txt", "a/b", {"name": "café.txt"}),
    (b'a/b; name*0="long"; name*1=".txt"', "a/b", {"name": "long.txt"}),
    (b'a/b; name="open', "a/b", {"name": "open"}),
    (b"a/b; charset=one; charset=two", "a/b", {"charset": "one"}),
    (b"", "", {}),
]


@pytest.mark.parametrize(("raw", "main", "parameters"), VALUES)
def test_structured_value_is_taken_apart(raw: bytes, main: str, parameters: dict[str, str]) -> None:
    value = parse_value(raw)
    assert (value.main, value.parameters) == (main, parameters)


def test_headers_end_at_the_empty_line() -> None:
    headers, start = split_headers(b"A: 1\nB : 2\n more\n\nC: body")
    assert headers.lines == (("a", b"1"), ("b", b"2\n more"))
    assert start == len(b"A: 1\nB : 2\n more\n\n")


def test_line_that_is_no_header_is_passed_over_between_headers() -> None:
    headers, start = split_headers(b"A: 1\nnot a header\nB: 2\n\nbody")
    assert [name for name, _ in headers.lines] == ["a", "b"]
    assert start == len(b"A: 1\nnot a header\nB: 2\n\n")


def test_body_may_follow_the_headers_without_an_empty_line() -> None:
    data = b"A: 1\nHello there\nhow are you"
    headers, start = split_headers(data)
    assert data[start:] == b"Hello there\nhow are you"
    assert len(headers.lines) == 1


def test_message_may_be_headers_alone() -> None:
    assert split_headers(b"A: 1")[1] == 4


_LINES = (
    b"From: a@b.c|Subject: x|X-Y : z|a:b|:|: x|A b: c|To|no header here| folded"
    b"|\tfolded on|  |\t\r\0| \0x"
    b"||\0|Subject: two|x:\0y|caf\xe9: x|Name: caf\xe9|Long: "
    + b"y" * 30_000
    + b"|"
    + b"n" * 300
    + b": x"
).split(b"|")


def test_headers_are_split_the_same_with_and_without_the_quick_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = Random(4)
    drawn = [rng.choices(_LINES, k=rng.randint(0, 7)) for _ in range(4_000)]
    messages = [b"\n".join(lines) + rng.choice([b"", b"\n", b"\n\nbody: x\n"]) for lines in drawn]
    quick = list(map(split_headers, messages))
    monkeypatch.setattr(headers_module, "_whole_headers", lambda data: ([], 0))
    assert list(map(split_headers, messages)) == quick


def test_the_first_of_two_equal_names_counts() -> None:
    headers, _ = split_headers(b"Subject: one\nsubject: two\n\n")
    assert headers.text("subject") == "one"
    assert headers.text("date") == ""
    assert "subject" in headers and "date" not in headers
