"""What is evened out before tokens."""

import pytest

from routing.text.clean import straighten


@pytest.mark.parametrize(
    ("text", "expected"), [("it’s “so”", 'it\'s "so"'), ("a\u00a0b\tc", "a b c"), ("İ", "I")]
)
def test_quotes_and_blanks_become_plain(text: str, expected: str) -> None:
    assert straighten(text) == expected
