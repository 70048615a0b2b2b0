"""Transfer encodings are undone however damaged they are."""

import base64
import binascii

import pytest

from routing.mail.transfer import undo_base64, undo_transfer

TEXT = b"The kettle leaks."
CODED = base64.b64encode(TEXT)


@pytest.mark.parametrize(
    "encoding", ["base64", "base64 ", "BASE64", "base64 ; x", '"base64"', "Base64\t", "base-64"]
)
def test_base64_is_known_in_any_spelling(encoding: str) -> None:
    assert undo_transfer(CODED, encoding) == TEXT


@pytest.mark.parametrize("encoding", ["7bit", "8bit", "8-bit", "binary", "", "utf-8", "nonsense"])
def test_other_encodings_leave_the_bytes_alone(encoding: str) -> None:
    assert undo_transfer(TEXT, encoding) == TEXT


@pytest.mark.parametrize(
    ("coded", "plain"),
    [
        (b"TWU=TWU=", b"MeMe"),
        (b"TWU", b"Me"),
        (b"TWUgT", b"Me "),
        (b"T*W\nU=!", b"Me"),
        (b"", b""),
        (b"=", b""),
        (b"T", b""),
    ],
)
def test_damaged_base64_gives_what_is_left(coded: bytes, plain: bytes) -> None:
    assert undo_base64(coded) == plain


@pytest.mark.parametrize(
    ("coded", "plain"),
    [
        (b"caf=C3=A9", "café".encode()),
        (b"two =\nlines", b"two lines"),
        (b"two = \t\nlines", b"two lines"),
        (b"100 =ZZ %=", b"100 =ZZ %"),
        (b"lower =c3=a9", "lower é".encode()),
    ],
)
def test_quoted_printable_is_read(coded: bytes, plain: bytes) -> None:
    assert undo_transfer(coded, "quoted-printable") == plain


def test_uuencoded_text_is_read() -> None:
    line = binascii.b2a_uu(TEXT)
    assert undo_transfer(b"begin 644 a.txt\n" + line + b"`\nend\n", "x-uuencode") == TEXT


def test_uuencoded_line_with_rubbish_after_it_is_read() -> None:
    line = binascii.b2a_uu(TEXT).rstrip(b"\n") + b"XYZ\n"
    assert undo_transfer(b"begin 644 a.txt\n" + line + b"end\n", "uuencode").startswith(
        b"The kettle"
    )


def test_line_that_is_no_uuencode_is_left_out() -> None:
    assert undo_transfer(b"begin 644 a\n~~~~\nend", "uuencode") == b""
