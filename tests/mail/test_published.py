"""The published mail cases and reply fixtures; they lie where ROUTING_PUBLIC_DATA says."""

import json
import os
import re
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from routing.mail import email_from_bytes, email_from_text, read_emails
from routing.records import Email

_ROOT = os.environ.get("ROUTING_PUBLIC_DATA")
if not _ROOT:
    pytest.skip("ROUTING_PUBLIC_DATA is not set", allow_module_level=True)
_CASES = Path(_ROOT) / "mail-cases"
_FIXTURES = Path(_ROOT) / "data" / "email_fixtures"
_SUFFIX = ".expected.json"


def _normal(text: str) -> str:
    text = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\u00a0", " ")
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _seen(email: Email, wanted: dict[str, Any]) -> dict[str, Any]:
    """What the case says of an e-mail, as it was read."""
    found = {
        "subject": email.subject,
        "from": email.sender,
        "text": _normal(email.text),
        "error": email.error,
        "warnings": list(email.warnings),
        "auto_reply": email.auto_reply,
    }
    return {
        name: found[name] for name, value in wanted.items() if name in found and value is not None
    }


@pytest.mark.parametrize("expected", sorted(_CASES.glob(f"*{_SUFFIX}")), ids=lambda path: path.name)
def test_mail_case_is_read_as_expected(expected: Path) -> None:
    wanted = json.loads(expected.read_text())
    stem = expected.name.removesuffix(_SUFFIX)
    (path,) = (path for path in _CASES.glob(f"{stem}.*") if path != expected)
    emails = list(read_emails(path))
    cases = wanted.get("messages") or [wanted]
    assert len(emails) == len(cases)
    for email, case in zip(emails, cases, strict=True):
        seen = _seen(email, case)
        assert seen == {name: case[name] for name in seen}


def test_folder_of_mail_cases_gives_one_email_per_message() -> None:
    emails = list(read_emails(_CASES))
    assert len(emails) == 27
    assert [Path(email.source).name for email in emails if email.error] == [
        "35-mime-nesting-bomb.eml",
        "40-not-an-email.eml",
    ]


_DISAGREED = {"iphone.eml", "sparrow.eml"}
"""Gold texts that keep a mobile line and a signature, which are no news."""


def _gold() -> list[dict[str, str]]:
    return [json.loads(line) for line in (_FIXTURES / "gold_replies.jsonl").open()]


@pytest.mark.parametrize("gold", _gold(), ids=lambda gold: Path(gold["file"]).name)
def test_newest_message_of_a_reply_is_found(gold: dict[str, str]) -> None:
    data = (_FIXTURES / gold["file"]).read_bytes()
    if gold["kind"] == "eml":
        email = email_from_bytes(data, id="x")
    else:
        email = email_from_text(data.decode(), id="x")
    same = email.text.split() == gold["text"].split()
    assert same is (Path(gold["file"]).name not in _DISAGREED)


def test_every_fixture_is_read() -> None:
    files = sorted(path for path in _FIXTURES.rglob("*") if path.is_file())
    emails = [email for path in files for email in read_emails(path)]
    assert len(emails) >= len(files)
    assert {email.error for email in emails} == {
        None,
        "empty file",
        "not an e-mail message: no header lines found",
    }
