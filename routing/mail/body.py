"""The text of a message, picked from its MIME parts."""

import re
from dataclasses import dataclass

from routing.mail.characters import plain_characters
from routing.mail.charset import decode
from routing.mail.courtesies import says_nothing
from routing.mail.flowed import join_flowed
from routing.mail.headers import charset_of
from routing.mail.html import decode_html, html_to_text, looks_like_html
from routing.mail.invitation import invitation_text
from routing.mail.mime import Part
from routing.mail.tnef import tnef_text
from routing.records import Removal

_STUB = re.compile(r"\b(?:html|mime|rich text|e-?mail (?:client|program|reader)|browser)\b", re.I)
_LONGEST_STUB = 300
_LONGEST_EMPTY = 400
_HTML_HEAD = ("<!doctype html", "<html")


@dataclass(frozen=True, slots=True)
class Body:
    """Decoded text, spans of it that its markup calls no news, and what was odd."""

    text: str = ""
    marks: tuple[Removal, ...] = ()
    plain: bool = True
    warnings: tuple[str, ...] = ()


def read_body(message: Part) -> Body:
    """The text of ``message``.

    Alternatives give their plain text unless that is blank or a stub; text parts in a row are
    joined; attachments are left out. With no text at all, the text of a ``winmail.dat``, then
    that of an attached message (also where the own text is no more than ``FYI``), of an invitation
    and at last that of the only part, a text file, is taken.
    """
    body = _text_of(message)
    if not body.text.strip():
        body = (
            _first_text(message, kinds=("application/ms-tnef", "application/vnd.ms-tnef")) or body
        )
    if _says_nothing(body):
        body = _attached_message(message) or body
    if not body.text.strip():
        body = _invitation(message) or _only_file(message) or body
    if not body.text.strip():
        return Body(warnings=("no text part; score the subject only",))
    return body


def _says_nothing(body: Body) -> bool:
    text = body.text.strip()
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    return len(text) <= _LONGEST_EMPTY and says_nothing(lines)


def _text_of(part: Part) -> Body:
    kind = part.kind
    match kind.partition("/")[0], kind:
        case "multipart", "multipart/alternative":
            return _alternative(part)
        case "multipart", "multipart/related":
            return _related(part)
        case "multipart", "multipart/signed":
            return _joined([_text_of(child) for child in part.children[:1]])
        case "multipart", _:
            return _mixed(part)
        case "text", _ if not _is_attachment(part):
            return leaf_text(part)
        case _:
            return Body()


def leaf_text(part: Part) -> Body:
    """The text of one text part."""
    label = charset_of(part.content_type)
    if part.kind in {"text/html", "text/x-amp-html"}:
        return _from_html(decode_html(part.content, label))
    if part.kind in {"text/calendar", "text/x-vcard", "text/vcard", "text/directory", "text/css"}:
        return Body()
    text = plain_characters(decode(part.content, label))
    if part.content_type.parameters.get("format", "").lower() == "flowed":
        delete = part.content_type.parameters.get("delsp", "").lower() == "yes"
        return Body(join_flowed(text, delete_space=delete))
    if part.kind in {"text/enriched", "text/richtext"}:
        return Body(re.sub(r"</?[A-Za-z][^<>\n]{0,80}>", "", text.replace("<<", "<")))
    declared = "content-type" in part.headers
    if looks_like_html(text) if not declared else text.lstrip()[:14].lower().startswith(_HTML_HEAD):
        return _from_html(text)
    return Body(text)


def _from_html(html: str) -> Body:
    text, marks = html_to_text(html)
    return Body(text, marks, plain=False)


def _alternative(part: Part) -> Body:
    """The plain text, or else the last alternative that has any; HTML is read when needed."""
    first_plain = sorted(part.children, key=lambda child: child.kind != "text/plain")
    filled: list[Body] = []
    for child in first_plain:
        body = _text_of(child)
        if body.plain and body.text.strip() and not _may_be_stub(body):
            return body
        if body.text.strip():
            filled.append(body)
    filled = [body for body in filled if not _may_be_stub(body)] or filled
    longest = max((len(body.text.strip()) for body in filled), default=0)
    plain = [body for body in filled if body.plain and len(body.text.strip()) == longest]
    return (plain or filled[::-1] or [Body()])[0]


def _may_be_stub(body: Body) -> bool:
    """True for a line or two that may just send the reader to the HTML part."""
    text = body.text.strip()
    return len(text) <= _LONGEST_STUB and bool(_STUB.search(text))


def _related(part: Part) -> Body:
    root = part.content_type.parameters.get("start", "").strip("<> ")
    for child in part.children:
        if root and root in child.headers.text("content-id"):
            return _text_of(child)
    return next((body for body in map(_text_of, part.children) if body.text.strip()), Body())


def _mixed(part: Part) -> Body:
    """All text parts in order; HTML after plain text is a signature and left out."""
    bodies: list[Body] = []
    for child in part.children:
        if bodies and _has_name(child):
            continue
        body = _text_of(child)
        if not body.text.strip():
            continue
        if not body.plain and bodies and all(map(_may_be_stub, bodies)):
            bodies = [body]
        elif body.plain or not any(known.plain for known in bodies):
            bodies.append(body)
    return _joined(bodies)


def _joined(bodies: list[Body]) -> Body:
    if len(bodies) == 1:
        return bodies[0]
    text, marks = "", []
    for body in bodies:
        text += "\n\n" if text else ""
        marks += [Removal(m.start + len(text), m.end + len(text), m.reason) for m in body.marks]
        text += body.text.strip("\n") if not body.marks else body.text
    return Body(text, tuple(marks), plain=all(body.plain for body in bodies))


def _is_attachment(part: Part) -> bool:
    """True for what is sent as a file; text without a name is not."""
    return part.disposition.main == "attachment" and _has_name(part)


def _has_name(part: Part) -> bool:
    return bool(
        part.disposition.parameters.get("filename") or part.content_type.parameters.get("name")
    )


def _first_text(message: Part, *, kinds: tuple[str, ...]) -> Body | None:
    for part in _walk(message):
        name = part.content_type.parameters.get("name", "").lower()
        if part.kind in kinds or name == "winmail.dat":
            text, marks, plain = tnef_text(part.content)
            if text.strip():
                return Body(text, marks, plain)
    return None


def _attached_message(message: Part) -> Body | None:
    for part in _walk(message):
        if part.kind in {"message/rfc822", "message/global"} and part.children:
            body = _text_of(part.children[0])
            if body.text.strip():
                note = "the text is that of an attached message"
                return Body(body.text, body.marks, body.plain, (note,))
    return None


def _invitation(message: Part) -> Body | None:
    for part in _walk(message):
        method = part.content_type.parameters.get("method", "").upper()
        if part.kind == "text/calendar" and method != "REPLY":
            text = invitation_text(decode(part.content, charset_of(part.content_type)))
            if text:
                return Body(plain_characters(text), warnings=("the text is that of an invitation",))
    return None


def _only_file(message: Part) -> Body | None:
    leaves = [part for part in _walk(message) if not part.kind.startswith("multipart/")]
    if len(leaves) != 1 or leaves[0].kind not in {"text/plain", "text/html"}:
        return None
    body = leaf_text(leaves[0])
    note = "the text is that of an attached file"
    return Body(body.text, body.marks, body.plain, (note,)) if body.text.strip() else None


def _walk(part: Part) -> list[Part]:
    found, waiting = [], [part]
    while waiting:
        current = waiting.pop()
        found.append(current)
        waiting.extend(reversed(current.children))
    return found
