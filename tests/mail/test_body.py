"""The text of a message is picked from its parts as a reader would."""

import base64
import struct
import sys

import pytest

from routing.mail.mime import Limits
from routing.mail.parse import email_from_bytes, email_from_text
from routing.records import Email
from tests.mail.messages import HEAD, message, multipart, multipart_message, part


def read(data: bytes, limits: Limits | None = None) -> Email:
    return email_from_bytes(data, id="x", limits=limits)


PLAIN = part("The kettle leaks.")
HTML = part("<p>The <b>kettle</b> leaks.</p>", kind="text/html")
PICTURE = part("iVBORw0K", kind="image/png", headers="Content-Transfer-Encoding: base64\n")
LOG = part("state=ok", headers='Content-Disposition: attachment; filename="log.txt"\n')
NOTE = part("state=ok", headers='Content-Disposition: inline; filename="log.txt"\n')
SAY_HTML = part("This message needs an HTML e-mail client.")
FOOTER = part("<p>Ann, sent with pride</p>", kind="text/html")
CALENDAR = part("BEGIN:VCALENDAR", kind="text/calendar")
INVITATION = part(
    "BEGIN:VEVENT\nBEGIN:VALARM\nDESCRIPTION:Soon\nEND:VALARM\nDESCRIPTION;LANGUAGE=en:Hello\\,\\n"
    "the ket\n tle\\; it leaks.\nEND:VEVENT",
    kind="text/calendar",
)
ATTACHED = part("Subject: old\n\nThe lid is cracked.", kind="message/rfc822")
RELATED = multipart([HTML, PICTURE], kind="related", boundary="b2")
ALTERNATIVE = multipart([PLAIN, HTML], kind="alternative", boundary="b3")

CHOICES = [
    ("alternative", [PLAIN, HTML], "The kettle leaks."),
    ("alternative", [part(" "), HTML], "The kettle leaks."),
    ("alternative", [SAY_HTML, HTML.replace("leaks", "leaks" * 20)], f"The kettle {'leaks' * 20}."),
    ("alternative", [part(f"View this in your browser: {'x' * 50}"), HTML], "The kettle leaks."),
    ("alternative", [part("Short."), HTML], "Short."),
    ("alternative", [part(""), RELATED], "The kettle leaks."),
    ("mixed", [ALTERNATIVE, PICTURE], "The kettle leaks."),
    ("mixed", [PLAIN, PICTURE, part("So does the pot.")], "The kettle leaks.\n\nSo does the pot."),
    ("mixed", [PLAIN, LOG], "The kettle leaks."),
    ("mixed", [PLAIN, NOTE], "The kettle leaks."),
    ("mixed", [PLAIN, FOOTER], "The kettle leaks."),
    ("mixed", [HTML, PICTURE, FOOTER], "The kettle leaks.\n\nAnn, sent with pride"),
    ("mixed", [PLAIN, CALENDAR], "The kettle leaks."),
    ("mixed", [PLAIN, ATTACHED], "The kettle leaks."),
    ("mixed", [part("FYI"), ATTACHED], "The lid is cracked."),
    ("mixed", [part("Hi Bo,\nFYI.\nBest regards\nAnn"), ATTACHED], "The lid is cracked."),
    ("mixed", [part("FYI"), PICTURE], "FYI"),
    ("mixed", [part("Zur Info:\n"), ATTACHED], "The lid is cracked."),
    ("mixed", [ATTACHED], "The lid is cracked."),
    ("mixed", [PICTURE, ATTACHED], "The lid is cracked."),
    ("alternative", [part(""), INVITATION], "Hello,\nthe kettle; it leaks."),
    ("alternative", [part(""), INVITATION.replace("calendar", "calendar; method=REPLY")], ""),
    ("mixed", [PLAIN, INVITATION], "The kettle leaks."),
    ("related", [HTML, PICTURE], "The kettle leaks."),
    ("signed", [PLAIN, part("x", kind="application/pgp-signature")], "The kettle leaks."),
    ("report", [PLAIN, part("Status: 5", kind="message/delivery-status")], "The kettle leaks."),
    ("digest", ["\nSubject: one\n\nThe lid is cracked."], "The lid is cracked."),
    ("nonsense", [PLAIN, PICTURE], "The kettle leaks."),
    ("mixed", [SAY_HTML, HTML], "The kettle leaks."),
    (
        "mixed",
        [part("", headers="Content-Disposition: attachment\n") + "The kettle leaks."],
        "The kettle leaks.",
    ),
    ("mixed", [part("<!DOCTYPE html><p>The kettle leaks.</p>")], "The kettle leaks."),
    ("mixed", [LOG], "state=ok"),
    ("mixed", [PICTURE, LOG], ""),
    ("mixed", [PICTURE], ""),
    ("mixed", [], ""),
]


@pytest.mark.parametrize(("kind", "parts", "text"), CHOICES)
def test_text_is_chosen_from_the_parts(kind: str, parts: list[str], text: str) -> None:
    email = read(multipart_message(parts, kind=kind))
    assert (email.text, email.error) == (text, None)


def test_message_without_text_says_so() -> None:
    assert read(multipart_message([PICTURE])).warnings == ("no text part; score the subject only",)


def test_text_of_an_attached_message_is_announced() -> None:
    warnings = read(multipart_message([ATTACHED])).warnings
    assert warnings == ("the text is that of an attached message",)


def test_message_that_is_an_attachment_has_no_text() -> None:
    headers = 'Content-Type: text/csv\nContent-Disposition: attachment; filename="a.csv"\n'
    assert read(message("a,b", headers=headers)).text == ""


@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
def test_message_that_is_a_text_file_has_its_text_and_says_so(kind: str) -> None:
    file = 'Content-Disposition: attachment; filename="a.txt"\n'
    email = read(message("The kettle leaks.", headers=f"Content-Type: {kind}\n{file}"))
    assert email.text == "The kettle leaks."
    assert email.warnings == ("the text is that of an attached file",)


def test_related_root_is_named_by_its_start() -> None:
    first = part("<p>frame</p>", kind="text/html", headers="Content-ID: <frame>\n")
    root = part("<p>The kettle leaks.</p>", kind="text/html", headers="Content-ID: <root>\n")
    data = multipart_message([first, root], kind='related; start="<root>"')
    assert read(data).text == "The kettle leaks."


LOST = [
    ("no boundary named", HEAD + "Content-Type: multipart/mixed\n\n--q\n" + PLAIN + "\n--q--\n"),
    (
        "another boundary named",
        HEAD
        + "Content-Type: multipart/mixed; boundary=zz\n\npreamble\n--q\n"
        + PLAIN
        + "\n--q--\n",
    ),
    ("never closed", HEAD + "Content-Type: multipart/mixed; boundary=q\n\n--q\n" + PLAIN),
    ("no part at all", HEAD + "Content-Type: multipart/mixed; boundary=q\n\nThe kettle leaks."),
    ("blanks after it", HEAD + "Content-Type: multipart/mixed; boundary=q\n\n--q  \n" + PLAIN),
]


@pytest.mark.parametrize("data", [data for _, data in LOST], ids=[name for name, _ in LOST])
def test_lost_boundary_is_found_again(data: str) -> None:
    assert read(data.encode()).text == "The kettle leaks."


def test_boundary_that_starts_like_another_is_told_apart() -> None:
    inner = multipart([PLAIN], kind="alternative", boundary="b10")
    assert read(multipart_message([inner, PICTURE])).text == "The kettle leaks."


def test_empty_line_before_a_part_means_it_has_no_headers() -> None:
    data = HEAD + "Content-Type: multipart/mixed; boundary=q\n\n--q\n\nThe kettle leaks.\n--q--\n"
    assert read(data.encode()).text == "The kettle leaks."


def nested(depth: int) -> bytes:
    inner = PLAIN
    for level in range(depth):
        inner = multipart([inner], boundary=f"deep{level}")
    return (HEAD + inner).encode()


def test_parts_nested_too_deep_are_an_error_of_that_message() -> None:
    email = read(nested(2_000))
    assert email.error == "MIME parts nested deeper than the limit"
    assert (email.subject, email.id, email.text) == ("Kettle", "kettle@example.com", "")


def test_parts_nested_up_to_the_limit_are_read() -> None:
    assert read(nested(50)).text == "The kettle leaks."


def test_too_many_parts_are_an_error_of_that_message() -> None:
    email = read(multipart_message([PLAIN] * 9), Limits(max_parts=9))
    assert email.error == "more MIME parts than the limit"


def test_too_many_bytes_are_an_error_of_that_message() -> None:
    email = read(message("x" * 100), Limits(max_bytes=99))
    assert email.error == "message of 214 bytes or more; the limit is 99"


@pytest.mark.parametrize("data", [b"", b" \n\r\n\t", b"\xef\xbb\xbf", b"\0\0"])
def test_empty_file_is_an_error(data: bytes) -> None:
    assert read(data).error == "empty file"


@pytest.mark.parametrize(
    "data", [b"%PDF-1.4\n%\xe2", b"Hello there\nhow are you", b"\x89PNG\r\n\x1a"]
)
def test_file_without_headers_is_an_error(data: bytes) -> None:
    assert read(data).error == "not an e-mail message: no header lines found"


BEGINNINGS = [b"\xef\xbb\xbf", b"\n\n", b"  \n", b"From ann@example.com Mon Jan  1 10:00:00 2024\n"]


@pytest.mark.parametrize("beginning", BEGINNINGS)
def test_what_stands_before_the_headers_is_passed_over(beginning: bytes) -> None:
    email = read(beginning + message("The kettle leaks."))
    assert (email.subject, email.text) == ("Kettle", "The kettle leaks.")


@pytest.mark.parametrize("end", [b"\r\n", b"\r\r\n", b"\r"])
def test_line_ends_of_any_kind_are_read(end: bytes) -> None:
    email = read(message("One.\n\nTwo.").replace(b"\n", end))
    assert (email.subject, email.text) == ("Kettle", "One.\n\nTwo.")


def test_message_saved_as_utf16_is_read() -> None:
    email = read(message("Crème brûlée").decode().encode("utf-16"))
    assert (email.subject, email.text) == ("Kettle", "Crème brûlée")


def test_html_without_a_content_type_is_read_as_html() -> None:
    assert read(message("<html><body><p>One</p><p>Two</p></body></html>")).text == "One\n\nTwo"


def test_enriched_text_loses_its_marks() -> None:
    data = message("<bold>The</bold> kettle", headers="Content-Type: text/enriched\n")
    assert read(data).text == "The kettle"


FLOWED = [
    ("one \ntwo\n", "", "one two"),
    ("one \ntwo\n", "; delsp=yes", "onetwo"),
    ("one \n\ntwo", "", "one\n\ntwo"),
    (" From here\n", "", "From here"),
    ("one \n-- \nAnn", "", "one"),
]


@pytest.mark.parametrize(("body", "delsp", "text"), FLOWED)
def test_flowed_lines_are_joined(body: str, delsp: str, text: str) -> None:
    data = message(body, headers=f"Content-Type: text/plain; format=flowed{delsp}\n")
    assert read(data).text == text


def test_flowed_quotes_are_joined_per_level() -> None:
    data = message(
        "mine\n> one \n> two\n>> three", headers="Content-Type: text/plain; format=flowed\n"
    )
    assert read(data).body == "mine\n> one two\n>> three"


def tnef(attributes: list[tuple[int, bytes]]) -> str:
    data = struct.pack("<IH", 0x223E9F78, 1)
    for name, value in attributes:
        data += struct.pack("<BII", 1, name, len(value)) + value + struct.pack("<H", 0)
    coded = base64.encodebytes(data).decode()
    headers = "Content-Transfer-Encoding: base64\n"
    return part(coded, kind='application/ms-tnef; name="winmail.dat"', headers=headers)


def test_text_inside_winmail_dat_is_read() -> None:
    page = struct.pack("<II", 1251, 0)
    parts = [
        part(" "),
        tnef([(0x00069007, page), (0x0002800C, "Чайник течёт.\r\n\0".encode("cp1251"))]),
    ]
    assert read(multipart_message(parts)).text == "Чайник течёт."


@pytest.mark.parametrize("attributes", [[], [(0x00069007, b"\1")], [(0x0002800C, b"")]])
def test_winmail_dat_without_text_is_passed_over(attributes: list[tuple[int, bytes]]) -> None:
    assert read(multipart_message([tnef(attributes)])).text == ""


def mapi(*properties: tuple[int, int, bytes]) -> bytes:
    """MAPI properties of a TNEF file, a number and a named one before them."""
    data = struct.pack("<IHHI", len(properties) + 2, 0x0003, 0x0E08, 7)
    name = "Keywords\0".encode("utf-16-le")
    padded = name + b"\0" * (-len(name) % 4)
    data += struct.pack("<HH16xII", 0x101F, 0x8001, 1, len(name)) + padded
    data += struct.pack("<II", 1, 4) + "ab".encode("utf-16-le")
    for kind, number, value in properties:
        data += (
            struct.pack("<HHII", kind, number, 1, len(value)) + value + b"\0" * (-len(value) % 4)
        )
    return data


WINMAIL = [
    (0x001F, 0x1000, "Чайник течёт.\0".encode("utf-16-le")),
    (0x001E, 0x1000, "Чайник течёт.\0".encode("cp1251")),
    (0x0102, 0x1013, "<p>Чайник <b>течёт</b>.</p>".encode("cp1251")),
]


@pytest.mark.parametrize("prop", WINMAIL, ids=["wide", "narrow", "html"])
def test_text_among_the_properties_of_winmail_dat_is_read(prop: tuple[int, int, bytes]) -> None:
    page = struct.pack("<II", 1251, 0)
    parts = [tnef([(0x00069007, page), (0x00069003, mapi(prop))])]
    assert read(multipart_message(parts)).text == "Чайник течёт."


def test_rtf_among_the_properties_of_winmail_dat_is_read() -> None:
    compressed_rtf = pytest.importorskip("compressed_rtf", reason="the extra msg is not installed")
    rtf = compressed_rtf.compress(rb"{\rtf1\ansi The kettle leaks.\par}")
    data = multipart_message([tnef([(0x00069003, mapi((0x0102, 0x1009, rtf)))])])
    assert read(data).text == "The kettle leaks."


def test_missing_extra_is_an_error_of_that_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "compressed_rtf", None)
    data = multipart_message([tnef([(0x00069003, mapi((0x0102, 0x1009, b"x")))])])
    error = "bodies in Outlook's RTF need the extra 'msg': pip install 'routing[msg]'"
    assert read(data).error == error


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_damaged_properties_of_winmail_dat_are_passed_over(cut: int) -> None:
    data = mapi(WINMAIL[0])[:-cut]
    assert read(multipart_message([tnef([(0x00069003, data)])])).error is None


AUTOMATIC = [
    ("Auto-Submitted: auto-replied\n", True),
    ("Auto-Submitted: auto-generated (rejected)\n", True),
    ("Auto-Submitted: no\n", False),
    ("X-Autoreply: yes\n", True),
    ("X-Auto-Response-Suppress: OOF\n", False),
    ("X-Auto-Response-Suppress: All\nIn-Reply-To: <a@b>\n", True),
    ("X-Auto-Response-Suppress: None\nIn-Reply-To: <a@b>\n", False),
    ("Precedence: auto_reply\n", True),
    ("Precedence: bulk\n", False),
    ("Return-Path: <>\n", True),
    ("Content-Type: multipart/report; boundary=x\n", True),
    ("X-Failed-Recipients: a@b\n", True),
    ("", False),
]


@pytest.mark.parametrize(("headers", "automatic"), AUTOMATIC)
def test_automatic_replies_are_flagged(headers: str, automatic: bool) -> None:
    assert read(message("Away until May.", headers=headers)).auto_reply is automatic


@pytest.mark.parametrize(
    ("subject", "automatic"),
    [
        ("Automatic reply: Kettle", True),
        ("Automatische Antwort: Kessel", True),
        ("Réponse automatique : bouilloire", True),
        ("自动回复: 水壶", True),
        ("My automatic kettle", False),
        ("Out of office hours delivery", False),
    ],
)
def test_subjects_of_absence_notes_are_flagged(subject: str, automatic: bool) -> None:
    assert read(f"Subject: {subject}\n\nx".encode()).auto_reply is automatic
    assert email_from_text("x", id="x", subject=subject).auto_reply is automatic


def test_message_without_an_id_takes_the_one_given() -> None:
    assert email_from_bytes(b"Subject: a\n\nb", id="a.eml").id == "a.eml"


@pytest.mark.parametrize(
    ("line", "id"),
    [("<a@b>", "a@b"), ("a@b", "a@b"), ("<a@b> (x)", "a@b"), ("<>", "<>"), ("", "x")],
)
def test_message_id_is_read(line: str, id: str) -> None:
    assert read(f"Subject: a\nMessage-ID: {line}\n\nb".encode()).id == id
