"""HTML becomes what its reader sees."""

import pytest

from routing.mail.html import decode_html, html_to_text, looks_like_html

SEEN = [
    ("line break", "one<br>two", "one\ntwo"),
    ("two line breaks", "one<br><br>two", "one\n\ntwo"),
    ("paragraphs", "<p>one</p><p>two</p>", "one\n\ntwo"),
    ("divisions", "<div>one</div><div>two</div>", "one\ntwo"),
    ("empty division", "<div>one</div><div><br></div><div>two</div>", "one\n\ntwo"),
    (
        "blank paragraph",
        "<p class=MsoNormal>one</p><p class=MsoNormal>&nbsp;</p><p class=MsoNormal>two</p>",
        "one\n\ntwo",
    ),
    ("tight paragraphs", "<p class=MsoNormal>one</p><p style='margin:0'>two</p>", "one\ntwo"),
    ("inline elements", "re<b>fun</b><i>d</i> me", "refund me"),
    ("white space", "<p> one \n\t two </p>", "one two"),
    (
        "cells",
        "<table><tr><td>Order</td><td>12</td></tr><tr><th>Paid</th><td>9</td></tr></table>",
        "Order 12\nPaid 9",
    ),
    ("list", "<ul><li>one</li><li>two</li></ul>after", "- one\n- two\n\nafter"),
    ("preformatted", "<pre>a  b\n  c</pre>", "a  b\n  c"),
    ("entities", "&lt;5 &euro; &amp; more&nbsp;&#8364;", "<5 € & more €"),
    ("Windows entities", "it&#146;s &#150; &#128;", "it’s – €"),
    ("bare less-than", "if 3 < 5 then", "if 3 < 5 then"),
    ("link", '<a href="http://x.example">track it</a>', "track it"),
    ("style and script", "<style>p{}</style><script>x()</script><title>t</title>seen", "seen"),
    ("hidden attribute", "<p hidden>no</p>yes", "yes"),
    ("hidden style", "<div style='DISPLAY : none'>no</div>yes", "yes"),
    (
        "hidden preheader",
        "<span style='font-size:0px'>no</span><div style='max-height:0'>no</div>yes",
        "yes",
    ),
    ("Outlook's hidden", "<p style='mso-hide:all'>no</p>yes", "yes"),
    ("hidden class", "<style>.pre{color:red;display:none}</style><p class=pre>no</p>yes", "yes"),
    (
        "hidden on telephones",
        "<style>@media print{.a{display:none}}</style><p class=a>yes</p>",
        "yes",
    ),
    ("conditional comment", "<!--[if mso]><p>no</p><![endif]-->yes<!-- no -->", "yes"),
    ("never closed", "<p>one<div>two<b>three", "one\n\ntwothree"),
    ("rule", "one<hr>two", "one\ntwo"),
    ("zero-width", "re&#8203;fund&zwnj;", "refund"),
    ("nothing", "", ""),
    ("nothing to see", "<html><body> <img src=x> </body></html>", ""),
    ("NUL", "a\0b", "ab"),
    ("visible style", "<p style='max-height:0.5em;font-size:10px;opacity:0.9'>yes</p>", "yes"),
]


@pytest.mark.parametrize(("html", "text"), [row[1:] for row in SEEN], ids=[row[0] for row in SEEN])
def test_html_reads_as_it_is_seen(html: str, text: str) -> None:
    assert html_to_text(html)[0] == text


def test_no_nesting_is_too_deep() -> None:
    assert html_to_text("<div>" * 6_000 + "deep" + "</div>" * 6_000)[0] == "deep"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("mine<blockquote type=cite>theirs<br>more</blockquote>", "mine\n\n> theirs\n> more"),
        (
            "mine<blockquote class='gmail_quote'><p>a</p><p>b</p></blockquote>",
            "mine\n\n> a\n>\n> b",
        ),
        (
            "<blockquote type=cite>a<blockquote type=cite>b</blockquote></blockquote>c",
            "> a\n>\n> > b\n\nc",
        ),
        ("mine<blockquote>my words</blockquote>", "mine\n\nmy words"),
    ],
)
def test_quotes_are_marked_as_in_plain_text(html: str, text: str) -> None:
    assert html_to_text(html)[0] == text


MARKED = [
    ("<div>a</div><div class='gmail_signature'>Ann</div>", "signature", "Ann"),
    ("<div>a</div><div class='moz-signature'>Ann</div>", "signature", "Ann"),
    ("<div>a</div><div id='Signature'>Ann</div><div>b</div>", "signature", "Ann"),
    (
        "<div>a</div><div id='divRplyFwdMsg'>Von: B</div><div>old</div>",
        "quoted reply",
        "Von: B\nold",
    ),
    ("<div>a</div><div id='x_divRplyFwdMsg'>B</div><p>old</p>", "quoted reply", "B\n\nold"),
    ("<div>a</div><div class='yahoo_quoted'>old</div><div>b</div>", "quoted reply", "old"),
]


@pytest.mark.parametrize(("html", "reason", "inside"), MARKED)
def test_markup_that_tells_old_from_new_is_kept_as_marks(
    html: str, reason: str, inside: str
) -> None:
    text, marks = html_to_text(html)
    assert [(mark.reason, text[mark.start : mark.end].strip()) for mark in marks] == [
        (reason, inside)
    ]


@pytest.mark.parametrize(
    ("head", "codec"),
    [
        ('<meta charset="windows-1251">', "cp1251"),
        ("<meta http-equiv=Content-Type content='text/html; charset=koi8-r'>", "koi8-r"),
        ('<meta charset="utf-16">', "utf-8"),
        ("", "utf-8"),
    ],
)
def test_charset_is_taken_from_the_meta_element(head: str, codec: str) -> None:
    assert "Возврат" in decode_html(f"{head}<p>Возврат</p>".encode(codec), None)


def test_label_of_the_part_goes_before_the_meta_element() -> None:
    data = '<meta charset="iso-8859-5"><p>Возврат</p>'.encode("cp1251")
    assert "Возврат" in decode_html(data, "windows-1251")


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<p>Hello</p>", True),
        ("<!DOCTYPE html><html>", True),
        ("Hello<br/>there", True),
        ("I typed <b> and nothing happened", False),
        ("price < 5", False),
        ("<ann@example.com> wrote", False),
    ],
)
def test_html_is_told_from_text_that_mentions_a_tag(text: str, html: bool) -> None:
    assert looks_like_html(text) is html
