"""Unseen characters are gone before anything else looks at a text."""

import pytest

from routing.mail.characters import plain_characters


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("plain", "plain"),
        ("a\tb\n~ ", "a\tb\n~ "),
        ("a\x7fb\x1f", "ab"),
        ("a\r\nb\rc\r\r\nd", "a\nb\nc\nd"),
        ("re\u200bfund\ufeff", "refund"),
        ("re\u00adfund\0", "refund"),
        ("80\u00a0€", "80 €"),
        ("a\u2028b\x0cc", "a\nb\nc"),
        ("cafe\u0301", "café"),
        ("re\u200cfund", "refund"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("a\ud800b", "a\ufffdb"),
        ("\u202eevil\u202c", "evil"),
    ],
)
def test_unseen_characters_are_made_plain(text: str, plain: str) -> None:
    assert plain_characters(text) == plain
