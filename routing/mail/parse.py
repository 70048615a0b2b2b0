"""The bytes of one message to an ``Email``."""

import re

from routing.errors import EmailError, MissingExtraError
from routing.mail.body import Body, read_body
from routing.mail.characters import plain_characters
from routing.mail.headers import Headers, parse_value, sender_text, split_headers
from routing.mail.html import html_to_text, looks_like_html
from routing.mail.mime import Limits, parse_parts
from routing.mail.spans import kept_text
from routing.mail.trim import Trim, trim_body
from routing.records import Email, Removal

_ZIP = b"PK\x03\x04"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_AUTOMATIC = (
    "automatic reply:",
    "auto reply:",
    "autoreply:",
    "auto-reply:",
    "out of office:",
    "out of office reply",
    "automatische antwort:",
    "abwesenheitsnotiz:",
    "abwesend:",
    "réponse automatique",
    "absence du bureau",
    "respuesta automática:",
    "fuera de la oficina:",
    "resposta automática:",
    "risposta automatica:",
    "fuori sede:",
    "automatisch antwoord:",
    "afwezig:",
    "autosvar:",
    "automatiskt svar:",
    "automatisk svar:",
    "automaattinen vastaus:",
    "odpowiedź automatyczna:",
    "autoodpowiedź:",
    "automatická odpověď:",
    "automatikus válasz:",
    "răspuns automat:",
    "автоответ:",
    "автоматический ответ:",
    "автоматична відповідь:",
    "otomatik yanıt:",
    "αυτόματη απάντηση:",
    "自动回复",
    "自動回覆",
    "自動応答",
    "자동 회신",
)
_TELLING = frozenset(
    [
        "auto-submitted",
        "x-auto-response-suppress",
        "x-autoreply",
        "x-autorespond",
        "x-auto-reply",
        "precedence",
        "return-path",
        "x-failed-recipients",
    ]
)
"""Headers that a machine's answer has one of."""

_SUBJECT = re.compile(r"\s*subject[ \t]{0,3}:[ \t]*([^\n]*)(?:\n|$)", re.IGNORECASE)


def email_from_bytes(
    data: bytes, *, id: str, source: str = "", trim: Trim = "all", limits: Limits | None = None
) -> Email:
    """The e-mail in ``data``, the content of an .eml file or of one message of an mbox.

    Args:
        data: the raw message.
        id: the id of a message without a Message-ID.
        source: where it came from.
        trim: what is cut from its text.
        limits: what it may cost.

    Returns:
        the e-mail; one that cannot be read has ``error`` set, with whatever headers it shows.
    """
    limits = limits or Limits()
    if len(data) > limits.max_bytes:
        return too_large(len(data), limits, id=id, source=source)
    data = _plain_lines(data)
    headers, start = split_headers(data)
    if not data.strip():
        return Email(id=id, source=source, error="empty file")
    if not headers.lines:
        return Email(id=id, source=source, error=_no_mail(data))
    error = None
    try:
        body = read_body(parse_parts(headers, data[start:], limits=limits))
    except (EmailError, MissingExtraError) as problem:
        body, error = Body(), str(problem)
    return make_email(
        body,
        id=message_id(headers) or id,
        source=source,
        subject=headers.text("subject"),
        sender=sender_text(headers),
        date=headers.text("date"),
        auto_reply=is_auto_reply(headers) or _says_automatic(headers.text("subject")),
        error=error,
        trim=trim,
    )


def email_from_text(
    text: str,
    *,
    id: str,
    source: str = "",
    subject: str | None = None,
    sender: str = "",
    date: str = "",
    trim: Trim = "all",
) -> Email:
    """The e-mail whose body is ``text``: a row of an export, or one written by hand.

    A leading ``Subject:`` line becomes the subject when ``subject`` is None. HTML is read as
    HTML. The text is trimmed as that of a mail file is.
    """
    body = plain_characters(text)
    if subject is None:
        match = _SUBJECT.match(body) if body[:40].lstrip()[:7].lower() == "subject" else None
        subject = match[1].strip() if match else ""
        body = body[match.end() :] if match else body
    marks: tuple[Removal, ...] = ()
    if "<" in body and looks_like_html(body):
        body, marks = html_to_text(body)
    return make_email(
        Body(body, marks),
        id=id,
        source=source,
        subject=" ".join(plain_characters(subject).split()),
        sender=sender,
        date=date,
        auto_reply=_says_automatic(subject),
        trim=trim,
    )


def make_email(
    body: Body,
    *,
    id: str,
    source: str,
    subject: str,
    sender: str,
    date: str,
    trim: Trim,
    auto_reply: bool = False,
    error: str | None = None,
) -> Email:
    """An e-mail with ``body``, trimmed."""
    removals, warnings = trim_body(body.text, trim=trim, marks=body.marks)
    return Email(
        id=id,
        source=source,
        subject=subject,
        sender=sender,
        date=date,
        text=kept_text(body.text, removals),
        auto_reply=auto_reply,
        warnings=(*body.warnings, *warnings),
        error=error,
        body=body.text,
        removals=removals,
    )


def too_large(size: int, limits: Limits, *, id: str, source: str) -> Email:
    """The error of a message of more bytes than the limit."""
    error = f"message of {size:,} bytes or more; the limit is {limits.max_bytes:,}"
    return Email(id=id, source=source, error=error)


def _no_mail(data: bytes) -> str:
    """Why bytes without header lines are no message."""
    if data.startswith(_ZIP):
        return "not an e-mail message: a ZIP archive or an Office file; save a spreadsheet as CSV"
    return "not an e-mail message: no header lines found"


def is_auto_reply(headers: Headers) -> bool:
    """True for out-of-office notes, bounces and what else a machine answered."""
    if parse_value(headers.raw("content-type")).main == "multipart/report":
        return True
    if _TELLING.isdisjoint(headers.first):
        return False
    submitted = headers.text("auto-submitted").strip().lower()
    suppress = headers.text("x-auto-response-suppress").strip().lower()
    answers = "in-reply-to" in headers or "references" in headers
    return (
        bool(submitted and not submitted.startswith("no"))
        or any(name in headers for name in ("x-autoreply", "x-autorespond", "x-auto-reply"))
        or bool(suppress and suppress != "none" and answers)
        or headers.text("precedence").strip().lower().startswith("auto")
        or headers.text("return-path").strip() == "<>"
        or "x-failed-recipients" in headers
    )


def _says_automatic(subject: str) -> bool:
    """True for the subjects that mail programs give to absence notes."""
    return subject[:40].strip().lower().startswith(_AUTOMATIC)


def message_id(headers: Headers) -> str:
    """The Message-ID without its angle brackets, "" when there is none."""
    value = headers.text("message-id")
    match = re.search(r"<([^<>\s]{1,900})>", value)
    return match[1] if match else "".join(value.split())[:900]


def _plain_lines(data: bytes) -> bytes:
    """``data`` from its first header line on, with ``\\n`` line ends."""
    if data.startswith(_UTF16):
        data = data.decode("utf-16", "replace").encode("utf-8", "replace")
    data = data.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in data:
        data = data.replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n")
        if b"\n" not in data[:2000]:
            data = data.replace(b"\r", b"\n")
    data = data.lstrip(b" \t\n\0")
    if data.startswith((b"From ", b">From ")):
        data = data[data.find(b"\n") + 1 :] if b"\n" in data else b""
    return data.lstrip(b" \t\n\0")
