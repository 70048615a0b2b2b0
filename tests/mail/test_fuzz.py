"""Damaged mail is read or refused, never a crash, and never slow."""

import gc
import io
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from routing.errors import SourceError
from routing.mail import body_span, email_from_bytes, email_from_text, read_emails
from routing.mail.headers import decode_header
from routing.mail.html import html_to_text
from routing.records import Email
from tests.mail.mutations import damaged, outlook_seeds, public_folder, seeds


def slowest_seconds() -> float:
    """Return 2 s on a machine that counts to two million in 0.1 s, more on a slower one."""
    start = time.process_time()
    sum(range(0, 4_000_000, 2), sum(i & 1 for i in range(2_000_000)))
    return 2.0 * max(1.0, (time.process_time() - start) / 0.1)


SLOWEST_SECONDS = slowest_seconds()


@pytest.fixture(scope="module", autouse=True)
def nothing_old_to_collect() -> Iterator[None]:
    """Keep the collector of garbage from going through all that other tests have left."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def check(email: Email) -> None:
    """What holds of every e-mail, however damaged."""
    for text in (email.id, email.subject, email.sender, email.date, email.text, email.body):
        text.encode()
    assert "\0" not in email.text + email.subject
    if email.text:
        span = body_span(email, 0, len(email.text))
        assert span is not None
        assert email.body[span[0]] == email.text[0]
    for cut in email.removals:
        assert 0 <= cut.start < cut.end <= len(email.body)


def timed(read: Callable[[], Iterable[Email]]) -> None:
    """Check what ``read`` gives, and that it gives it in time; no garbage is collected then."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        emails = list(read())
        spent = time.process_time() - start
    finally:
        gc.enable()
    assert spent < SLOWEST_SECONDS
    for email in emails:
        check(email)


def _one(read: Callable[..., Email], content: bytes | str) -> list[Email]:
    return [read(content, id="x")]


def test_damaged_messages_are_read_or_refused() -> None:
    random, sound = Random(1), seeds(public_folder())
    for _ in range(2_000):
        data = damaged(sound, random)
        timed(partial(_one, email_from_bytes, data))


def test_damaged_texts_are_read() -> None:
    random, sound = Random(2), seeds(public_folder())
    for _ in range(500):
        text = damaged(sound, random).decode("utf-8", random.choice(["replace", "surrogateescape"]))
        timed(partial(_one, email_from_text, text))


@pytest.mark.parametrize("suffix", [".eml", ".mbox", ".csv", ".jsonl", ".msg", ".html", ""])
def test_damaged_files_are_read_or_refused(suffix: str, tmp_path: Path) -> None:
    random = Random(suffix)
    sound = outlook_seeds() if suffix == ".msg" else seeds()
    begin = {".mbox": b"From a Mon Mar 4 16:18:00 2024\n", ".csv": b"id,body\n1,"}.get(suffix, b"")
    path = tmp_path / f"a{suffix}"
    for _ in range(60):
        path.write_bytes(begin + damaged(sound, random))
        try:
            timed(partial(read_emails, path))
        except SourceError as problem:
            assert str(path) in str(problem)


@given(st.binary(max_size=400))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    check(email_from_bytes(data, id="x"))
    check(email_from_bytes(b"Subject: a\nContent-Type: text/html\n\n" + data, id="x"))
    for email in read_emails(io.BytesIO(data)):
        check(email)


@given(st.binary(max_size=200))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_header_is_decoded(data: bytes) -> None:
    for value in (data, b"=?utf-8?B?" + data + b"?=", b"=?gb2312?Q?" + data + b"?= =?x?q?=E9?="):
        decode_header(value).encode()


LONG = 60_000
EVIL = [
    " " * LONG + "x",
    "\t " * LONG + "\n" + "x",
    ">" * LONG,
    "> " * LONG + "x",
    "<" * LONG,
    "a@" * LONG + ":",
    "<a@b " * LONG + ":",
    "On 4 Mar 2024 " * LONG + "wrote:",
    ("On 4 Mar 2024 a" + "\n") * 5_000 + "wrote:",
    "From: a\n" * LONG,
    "From: a@b\nTo: c\nx\n" * 10_000,
    "-" * LONG + "a" + "-" * LONG,
    "--" + "original message " * LONG,
    "message " * LONG + "confidential",
    "this message virus " * LONG,
    "please " * 50 + "virus " * 50 + "\n" + "mail " * 400,
    ("a message of mine that is rather long and goes on " * 2 + "\n") * 3_000
    + "intended recipient",
    "external " * 60 + "caution",
    "Sent from my " * LONG,
    "x.Sent from my iPhone" * LONG,
    ".  Sent from my " * 5_000,
    "\n" * LONG * 4 + "x",
    "a\n\n" * LONG,
    "<p>" * LONG,
    "<b><i>" * 10_000 + "x",
    "<style>" + ".a{" * LONG,
    "<style>@" + "{" * LONG + "none",
    "<style>" + ".a{x" * 20_000 + "none",
    "<p style='" + "display " * LONG + "'>x",
    "<!--" * LONG,
    "&amp" * LONG,
    "e\u0301" * LONG,
    "\u0301" * LONG,
    "\u200c" * LONG,
    "Subject: " + " " * LONG,
    "[#1" * LONG,
    "Re: " * LONG,
    "1" * LONG + ":",
    "10:10 2024 " * 30 + ":",
    "http://" * LONG,
    "Sent from my iPhone\n" * 10_000,
    "Hi?Sent from my iPhone\n" * 10_000,
    "--\nx\n" * 10_000,
    "From: x\n\n" * 10_000,
    "> q\nno\n" * 10_000,
    "x" + "-" * LONG + "x",
    "-- On 2024 " + "<a" * LONG + " wrote --",
    "On a@b wrote: " * 10_000,
    "<div class=gmail_signature>x<br>" * 2_000,
    "<blockquote type=cite>x" * 2_000,
]


@pytest.mark.parametrize("text", EVIL, ids=[text[:20].strip() for text in EVIL])
def test_no_pattern_blows_up(text: str) -> None:
    timed(partial(_one, email_from_text, "Hello.\n\n" + text))
    timed(partial(_one, email_from_text, text))


@pytest.mark.parametrize(
    "text",
    [
        "=?utf-8?Q?" * LONG,
        "=?" * LONG + "?=",
        "=?utf-8?Q?" + "a?" * LONG + "=",
        "x; " + "a=" * LONG,
        'x; a="' + "\\" * LONG,
        "x;" * LONG,
        " \n" * LONG,
        '"' * LONG + "<a@b>",
        "a:" * LONG + ";" + "@" * LONG,
        "(" * LONG,
        '"\\' * LONG,
        ";" * LONG,
    ],
    ids=range(12),
)
def test_no_header_pattern_blows_up(text: str) -> None:
    for name in ("Subject", "From", "Content-Type", "Content-Disposition", "Message-ID"):
        data = f"X: y\n{name}: {text}\n\nbody".encode()
        timed(partial(_one, email_from_bytes, data))


def test_deepest_html_is_walked() -> None:
    start = time.process_time()
    html_to_text("<blockquote type=cite>" * 300 + "x<br>" * 300)
    assert time.process_time() - start < SLOWEST_SECONDS
