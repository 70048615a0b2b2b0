"""Messages made and then damaged in every way that mail is damaged, from a seed."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from tests.mail.messages import HEAD, message, multipart, multipart_message, part

_EMAILS = Path(__file__).parents[1] / "emails"
_LABELS = [
    b"utf-8", b"utf-7", b"utf-16", b"uft-8", b"gb2312", b"big5", b"iso-2022-jp", b"iso-2022-kr",
    b"hz", b"shift_jis", b"ks_c_5601-1987", b"koi8-r", b"x-unknown", b"idna", b"base64", b"",
]  # fmt: skip
_ENCODINGS = [
    b"base64", b"base64 ", b"quoted-printable", b"x-uuencode", b"7bit", b"8-bit", b"none", b"",
]  # fmt: skip
_KINDS = [
    b"text/plain", b"text/html", b"multipart/mixed", b"multipart/alternative", b"multipart/digest",
    b"multipart/related; start=x", b"message/rfc822", b"application/ms-tnef", b"text/enriched",
    b"text/plain; format=flowed; delsp=yes", b"text", b"", b"\xff/\xfe",
]  # fmt: skip
_BITS = [
    b"\0", b"\r", b"\n", b"\r\r\n", b"\n\n", b"--b1\n", b"\n--b1--\n", b"=?utf-8?B?", b"?=",
    b"=?utf-8?Q?=FF?=", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b$B", b"\x1b(B", b"<div>" * 50, b"</p>",
    b"<!--", b"<style>", b"<blockquote type=cite>", b"&#x1F600;", b"&#0;", b"=", b"==", b"=\n",
    b"> ", b">" * 80 + b"\n", b"-- \n", b"________\n", b"On Mon, 4 Mar 2024 A <a@b.c> wrote:\n",
    b"From: a\nSent: b\nTo: c\nSubject: d\n", b"-----Original Message-----\n", b"From x\n",
    b"Sent from my iPhone", b"This e-mail is confidential and intended for the addressee",
    b"[EXTERNAL]", b" " * 300, b"\t" * 300, b"a" * 2000, b"@" * 300, b"<" * 300, b":" * 300,
    b"(" * 300, b"- " * 300,
    b"wrote:" * 100, b"virus message " * 60, b"\xe2\x80\x8b" * 100, b"Content-Type: ", b"charset=",
    "Й".encode(), "漢字".encode(), "\u202e".encode(), b"\xed\xa0\x80", b"begin 644 a\n", b"+ADw-",
]  # fmt: skip


def seeds(public: Path | None = None) -> list[bytes]:
    """Sound messages of every kind; with ``public``, the published cases and fixtures, too."""
    plain = part(
        "The kettle leaks.\n\nOn Mon, 4 Mar 2024 Shop <a@b.c> wrote:\n> Does it?\n> Really?"
    )
    html = part(
        "<html><head><style>.x{display:none}</style></head><body><p class=x>no</p><p>The kettle "
        "leaks.<br>Twice.</p><div id=divRplyFwdMsg>From: "
        "B</div><blockquote>old</blockquote></body>",
        kind="text/html; charset=utf-8",
    )
    coded = part("VGhlIGtldHRsZSBsZWFrcy4=", headers="Content-Transfer-Encoding: base64\n")
    inner = part("Subject: old\n\nThe lid is cracked.", kind="message/rfc822")
    made = [
        message("The kettle leaks.\n-- \nAnn\nTel. 1"),
        message("caf=C3=A9 =\nleaks", headers="Content-Transfer-Encoding: quoted-printable\n"),
        message("one \ntwo\n> three \n> four", headers="Content-Type: text/plain; format=flowed\n"),
        message("x", head=HEAD.replace("Kettle", "=?utf-8?B?w6k=?= =?utf-8?Q?=C3=A9?=")),
        message(
            "Fwd\n\n---------- Forwarded message ----\nFrom: B <b@c>\nDate: 1\nSubject: s\n\nOld"
        ),
        multipart_message([plain, html], kind="alternative"),
        multipart_message(
            [multipart([plain, html], kind="alternative", boundary="b2"), coded, inner]
        ),
        multipart_message([coded, part("", kind="application/ms-tnef")]),
        message("Возврат".encode("koi8_r"), headers="Content-Type: text/plain; charset=koi8-r\n"),
        message("茶碗".encode("iso2022_jp")),
    ]
    if public is None:
        return made
    cases = sorted((public / "mail-cases").glob("*.eml"))
    fixtures = sorted((public / "data" / "email_fixtures").rglob("*.*"))
    found = [
        path.read_bytes()
        for path in [*cases, *fixtures]
        if path.suffix in {".eml", ".txt", ".html"}
    ]
    return made + [
        data if b":" in data[:80] else message(data) for data in found if len(data) < 40_000
    ]


def public_folder() -> Path | None:
    """Where the published cases lie, None when nobody said so."""
    folder = os.environ.get("ROUTING_PUBLIC_DATA")
    return Path(folder) if folder else None


def outlook_seeds() -> list[bytes]:
    """Sound .msg files."""
    return [path.read_bytes() for path in sorted(_EMAILS.glob("*.msg"))]


def damaged(sound: Sequence[bytes], random: Random) -> bytes:
    """One of ``sound`` after one to six mutations."""
    data = random.choice(sound)
    for _ in range(random.randint(1, 6)):
        data = random.choice(_MUTATIONS)(data, sound, random)
    return data[:300_000]


def _span(data: bytes, random: Random, longest: int = 400) -> tuple[int, int]:
    start = random.randint(0, len(data))
    return start, min(len(data), start + random.randint(1, longest))


def _flip(data: bytes, sound: Sequence[bytes], random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 20) if changed else 0):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _drop(data: bytes, sound: Sequence[bytes], random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:start] + data[end:]


def _double(data: bytes, sound: Sequence[bytes], random: Random) -> bytes:
    start, end = _span(data, random)
    return data[:end] + data[start:end] * random.choice([1, 1, 2, 30]) + data[end:]


def _cut(data: bytes, sound: Sequence[bytes], random: Random) -> bytes:
    return data[: random.randint(0, len(data))]


def _insert(data: bytes, sound: Sequence[bytes], random: Random) -> bytes:
    start, _ = _span(data, random)
    return data[:start] + random.choice(_BITS) * random.choice([1, 1, 1, 5, 40]) + data[start:]


def _splice(data: bytes, sound: Sequence[bytes], random: Random) -> bytes:
    other = random.choice(sound)
    return data[: random.randint(0, len(data))] + other[random.randint(0, len(other)) :]


def _shuffle(data: bytes, sound: Sequence[bytes], random: Random) -> bytes:
    lines = data.split(b"\n")
    end = random.randint(2, min(len(lines), 12)) if len(lines) > 2 else len(lines)
    head = lines[:end]
    random.shuffle(head)
    return b"\n".join(head + lines[end:])


def _nest(data: bytes, sound: Sequence[bytes], random: Random) -> bytes:
    depth = random.choice([1, 2, 5, 60])
    kind = random.choice([b"multipart/mixed", b"multipart/alternative", b"message/rfc822"])
    for level in range(depth):
        boundary = b"n%d" % level
        head = b"Subject: nested\nContent-Type: " + kind + b"; boundary=" + boundary + b"\n\n"
        wrap = kind.startswith(b"multipart")
        data = head + (b"--" + boundary + b"\n" if wrap else b"") + data
    return data


def _relabel(data: bytes, sound: Sequence[bytes], random: Random) -> bytes:
    line = random.choice(
        [
            b"Content-Type: text/plain; charset=" + random.choice(_LABELS),
            b"Content-Type: text/html; charset=" + random.choice(_LABELS),
            b"Content-Type: " + random.choice(_KINDS) + b"; boundary=b1",
            b"Content-Transfer-Encoding: " + random.choice(_ENCODINGS),
            b"Content-Disposition: " + random.choice([b"attachment", b"inline", b"\xff"]),
            b"Auto-Submitted: " + random.choice([b"no", b"auto-replied", b""]),
        ]
    )
    return line + b"\n" + data


def _ends(data: bytes, sound: Sequence[bytes], random: Random) -> bytes:
    return data.replace(b"\n", random.choice([b"\r\n", b"\r\r\n", b"\r", b"\n\n", b""]))


_MUTATIONS: list[Callable[[bytes, Sequence[bytes], Random], bytes]] = [
    _flip,
    _flip,
    _drop,
    _double,
    _cut,
    _insert,
    _insert,
    _insert,
    _splice,
    _shuffle,
    _nest,
    _relabel,
    _relabel,
    _ends,
]
