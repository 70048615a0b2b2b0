"""Outlook's .msg files: an OLE container with one stream for each property ([MS-OXMSG])."""

import struct
from pathlib import Path
from typing import Any

from routing.errors import MissingExtraError
from routing.mail.body import Body
from routing.mail.characters import plain_characters
from routing.mail.charset import decode
from routing.mail.headers import Headers, sender_text, split_headers
from routing.mail.html import decode_html, html_to_text
from routing.mail.mime import Limits
from routing.mail.parse import is_auto_reply, make_email, message_id, too_large
from routing.mail.rtf import rtf_text
from routing.mail.trim import Trim
from routing.records import Email

_SUBJECT, _BODY, _HTML, _RTF, _HEADERS = 0x0037, 0x1000, 0x1013, 0x1009, 0x007D
_CLASS, _MESSAGE_ID = 0x001A, 0x1035
_SENDER_NAMES = (0x0C1A, 0x0042)
_SENDER_ADDRESSES = (0x5D01, 0x0C1F, 0x5D02, 0x0065)
_CODE_PAGES = (0x3FDE, 0x3FFD)
_ATTACHED = "__substg1.0_3701000D"
_MACHINE = ("report.", "ipm.note.rules.oof", "ipm.note.rules.reply", "ipm.outlook.recall")


def email_from_msg(path: Path, *, id: str, trim: Trim, limits: Limits) -> Email:
    """The e-mail in the .msg file at ``path``; one that is damaged has ``error`` set.

    Raises:
        MissingExtraError: the extra ``msg`` is not installed.
    """
    try:
        import olefile  # type: ignore[import-untyped]
    except ImportError:
        raise MissingExtraError("msg", "Outlook .msg files") from None
    size = path.stat().st_size
    if size > limits.max_bytes:
        return too_large(size, limits, id=id, source=str(path))
    try:
        with olefile.OleFileIO(path) as ole:
            if not any(names[0].startswith("__") for names in ole.listdir()):
                error = "no Outlook message: an older Office file; save a spreadsheet as CSV"
                return Email(id=id, source=str(path), error=error)
            message = _Message(ole)
            return _email(message, message.body(), id=id, source=str(path), trim=trim)
    except MissingExtraError:
        raise
    except Exception as problem:  # olefile raises whatever its damaged input makes Python raise
        error = f"damaged Outlook .msg file ({type(problem).__name__}: {problem})"
        return Email(id=id, source=str(path), error=error)


def _email(message: "_Message", body: Body, *, id: str, source: str, trim: Trim) -> Email:
    headers = message.headers()
    kind = message.text(_CLASS).lower()
    return make_email(
        body,
        id=message.text(_MESSAGE_ID).strip("<> ") or message_id(headers) or id,
        source=source,
        subject=" ".join(message.text(_SUBJECT).split()) or headers.text("subject"),
        sender=sender_text(headers) or message.sender(),
        date=headers.text("date"),
        auto_reply=is_auto_reply(headers) or kind.startswith(_MACHINE),
        trim=trim,
    )


class _Message:
    """The properties of one message; ``folder`` is where an attached one lies."""

    def __init__(self, ole: Any, folder: str = "") -> None:
        self.ole = ole
        self.folder = folder

    def stream(self, name: str) -> bytes:
        """The bytes of a stream, b"" when there is none."""
        path = f"{self.folder}{name}"
        return bytes(self.ole.openstream(path).read()) if self.ole.exists(path) else b""

    def binary(self, tag: int) -> bytes:
        """A binary property."""
        return self.stream(f"__substg1.0_{tag:04X}0102")

    def text(self, tag: int) -> str:
        """A text property, Unicode or not."""
        wide = self.stream(f"__substg1.0_{tag:04X}001F")
        if wide:
            return plain_characters(wide.decode("utf-16-le", "replace")).strip("\0")
        narrow = self.stream(f"__substg1.0_{tag:04X}001E")
        return plain_characters(decode(narrow.rstrip(b"\0"), self.charset())) if narrow else ""

    def charset(self) -> str | None:
        """The charset of text that is not Unicode."""
        entries = self.stream("__properties_version1.0")
        for wanted in _CODE_PAGES:
            for start in range(24 if self.folder else 32, len(entries) - 15, 16):
                kind, tag, _, page = struct.unpack_from("<HHII", entries, start)
                if tag == wanted and kind == 0x0003:
                    return "utf-8" if page == 65001 else f"cp{page}"
        return None

    def headers(self) -> Headers:
        """The header lines that came with the message from the internet."""
        text = self.text(_HEADERS).lstrip()
        return split_headers(text.encode("utf-8", "replace"))[0] if text else Headers()

    def sender(self) -> str:
        """Name and address of the sender, as far as they are known."""
        names = [name for name in map(self.text, _SENDER_NAMES) if name]
        addresses = [text for text in map(self.text, _SENDER_ADDRESSES) if "@" in text]
        name, address = (names or [""])[0], (addresses or [""])[0]
        if not address or address == name:
            return name or address
        return f"{name} <{address}>" if name else address

    def body(self) -> Body:
        """The text: plain, or that of the HTML, the RTF, or an attached message."""
        text = self.text(_BODY)
        if text.strip():
            return Body(text)
        for html in (self.binary(_HTML), self.text(_HTML).encode("utf-8", "replace")):
            text, marks = html_to_text(decode_html(html, self.charset())) if html else ("", ())
            if text.strip():
                return Body(text, marks, plain=False)
        text = rtf_text(self.binary(_RTF))
        if text.strip():
            return Body(text)
        return self.attached_body() or Body(warnings=("no text part; score the subject only",))

    def attached_body(self) -> Body | None:
        """The text of the first message that is attached to this one."""
        if self.folder.count("/") > 20:
            return None
        depth = self.folder.count("/")
        for path in self.ole.listdir(streams=False, storages=True):
            inner = "/".join(path) + "/"
            if len(path) == depth + 2 and path[-1] == _ATTACHED and inner.startswith(self.folder):
                body = _Message(self.ole, inner).body()
                if body.text.strip():
                    note = "the text is that of an attached message"
                    return Body(body.text, body.marks, body.plain, (note,))
        return None
