"""Outlook's .msg files are read, whatever holds their text."""

import sys
from pathlib import Path

import pytest

from routing.errors import MissingExtraError
from routing.mail import Limits, read_emails
from routing.records import Email

pytest.importorskip("olefile", reason="the extra msg is not installed")

EMAILS = Path(__file__).parents[1] / "emails"


def read(name: str) -> Email:
    (email,) = read_emails(EMAILS / name)
    return email


@pytest.mark.parametrize(
    ("name", "subject", "text"),
    [
        ("outlook-plain.msg", "Kettle", "The kettle leaks – 5 €."),
        ("outlook-html.msg", "Kettle", "The kettle leaks – 5 €."),
        ("outlook-rtf.msg", "Kettle", "The kettle leaks – 5 €.\nPlease send a new one."),
        ("outlook-attached.msg", "Fwd: Lid", "The lid is cracked."),
        ("outlook-empty.msg", "Only a subject", ""),
        ("outlook-narrow.msg", "Чайник", "Большой чайник течёт."),
    ],
)
def test_text_is_read_from_plain_html_rtf_or_attachment(name: str, subject: str, text: str) -> None:
    email = read(name)
    assert (email.error, email.subject, email.text) == (None, subject, text)


def test_headers_from_the_internet_are_used() -> None:
    email = read("outlook-plain.msg")
    assert email.id == "msg-outlook-plain@example.com"
    assert email.sender == "Ann Example <ann@example.com>"
    assert email.date == "Mon, 4 Mar 2024 16:18:00 +0100"


def test_sender_is_taken_from_the_properties_without_them() -> None:
    assert read("outlook-html.msg").sender == "Zoë Example <zoe@example.com>"


def test_out_of_office_class_is_an_automatic_reply() -> None:
    assert read("outlook-away.msg").auto_reply
    assert not read("outlook-plain.msg").auto_reply


def test_damaged_file_is_an_error_of_that_message(tmp_path: Path) -> None:
    data = (EMAILS / "outlook-plain.msg").read_bytes()
    (tmp_path / "cut.msg").write_bytes(data[:700])
    (email,) = read_emails(tmp_path / "cut.msg")
    assert (email.error or "").startswith("damaged Outlook .msg file (")


def test_too_large_file_is_an_error_of_that_message() -> None:
    (email,) = read_emails(EMAILS / "outlook-plain.msg", limits=Limits(max_bytes=100))
    assert email.error == "message of 5,120 bytes or more; the limit is 100"


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "olefile", None)
    with pytest.raises(MissingExtraError, match="need the extra 'msg'"):
        read("outlook-plain.msg")


def test_missing_extra_for_rtf_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "compressed_rtf", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'routing\[msg\]'"):
        read("outlook-rtf.msg")


def test_another_file_of_the_same_container_is_an_error_with_the_remedy(tmp_path: Path) -> None:
    data = (EMAILS / "outlook-plain.msg").read_bytes()
    names = [mark.encode("utf-16-le") for mark in ("__", "xx")]
    (tmp_path / "table.xls").write_bytes(data.replace(*names))
    (email,) = read_emails(tmp_path / "table.xls")
    assert email.error == "no Outlook message: an older Office file; save a spreadsheet as CSV"
