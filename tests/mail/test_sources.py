"""Any file or folder is a stream of e-mails."""

import io
import logging
import os
from pathlib import Path

import pytest

from routing.errors import SourceError
from routing.mail import read_emails
from routing.mail import sources as sources_module
from routing.mail.folders import file_name, mail_files
from routing.mail.kinds import Kind, look
from routing.mail.rows import Columns
from tests.mail.messages import message

MBOX = "From ann Mon Mar  4 16:18:00 2024\nSubject: {0}\nMessage-ID: <{0}>\n\nBody {0}.\n\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one of everything."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.eml").write_bytes(message("Two.").replace(b"kettle@", b"two@"))
    (tmp_path / "a.mbox").write_text(MBOX.format("m1") + MBOX.format("m2"))
    (tmp_path / "c.jsonl").write_text('{"id": "r1", "text": "Row."}\nbroken\n')
    (tmp_path / "d.eml").write_text("not a message")
    (tmp_path / "e.html").write_text("<p>Page.</p>")
    (tmp_path / "f.txt").write_text("Subject: Note\nWords.")
    (tmp_path / "g.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "h.json").write_text('{\n "a": 1\n}\n')
    (tmp_path / "i").write_bytes(message("No suffix.").replace(b"kettle@", b"i@"))
    (tmp_path / "j.csv").write_text("x,y\n1,2\n")
    (tmp_path / ".hidden.eml").write_bytes(message("Hidden."))
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.eml").write_bytes(message("Hidden."))
    return tmp_path


def test_folder_is_read_in_order_of_its_paths(folder: Path) -> None:
    emails = [
        (email.id, email.text or (email.error or "").split(" (")[0])
        for email in read_emails(folder)
    ]
    assert emails == [
        ("m1", "Body m1."),
        ("m2", "Body m2."),
        ("two@example.com", "Two."),
        ("r1", "Row."),
        ("c.jsonl#2", "line 2 is not JSON"),
        ("d.eml", "not an e-mail message: no header lines found"),
        ("e.html", "Page."),
        ("f.txt", "Words."),
        ("i@example.com", "No suffix."),
        ("j.csv", f"{folder}/j.csv: no column 'body', 'text' or 'subject'; it has ['x', 'y']"),
    ]


def test_files_that_hold_no_mail_are_passed_over_aloud(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        list(read_emails(folder))
    assert [record.getMessage() for record in caplog.records] == [
        f"{folder}: passed over 2 files that hold no mail (g.png, h.json)"
    ]


def test_source_names_the_file_and_the_position(folder: Path) -> None:
    places = [email.source for email in read_emails(folder / "a.mbox")]
    assert places == [f"{folder}/a.mbox#1", f"{folder}/a.mbox#2"]


def test_file_that_holds_no_mail_is_an_error_when_it_is_named(folder: Path) -> None:
    (email,) = read_emails(folder / "g.png")
    assert (email.id, email.error) == ("g.png", "not an e-mail message: no header lines found")


def test_spreadsheet_is_an_error_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "mail.xlsx").write_bytes(b"PK\x03\x04\x14\0\6\0")
    (email,) = read_emails(tmp_path / "mail.xlsx")
    assert (email.error or "").endswith("an Office file; save a spreadsheet as CSV")


def test_json_document_is_refused_with_the_remedy(folder: Path) -> None:
    with pytest.raises(SourceError, match=r"h\.json: a JSON document; write JSON lines"):
        read_emails(folder / "h.json")


def test_missing_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file or folder"):
        read_emails(tmp_path / "nothing.eml")


def test_pipe_is_refused_in_place_of_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="neither a file nor a folder"):
        read_emails(tmp_path / "pipe")


def test_file_that_cannot_be_opened_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.eml"
    path.write_bytes(message("x"))

    def refuse(*_: object, **__: object) -> io.BytesIO:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceError, match=r"cannot be opened \(Permission denied\)"):
        read_emails(path)
    assert [email.error for email in read_emails(tmp_path)] == [
        f"{path}: cannot be opened (Permission denied)"
    ]


def test_maildir_is_read_without_tmp_and_flags(tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp", ".Sent/cur", ".Sent/new"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "cur" / "1709.1.host:2,FS").write_text("Subject: a\n\nSeen.")
    (tmp_path / "new" / "1709.2.host").write_text("Subject: b\n\nNew.")
    (tmp_path / "tmp" / "1709.3.host").write_text("Subject: c\n\nHalf.")
    (tmp_path / ".Sent/cur" / "1709.4.host:2,").write_text("no message")
    assert [(email.id, email.text or email.error) for email in read_emails(tmp_path)] == [
        (".Sent/cur/1709.4.host", "not an e-mail message: no header lines found"),
        ("cur/1709.1.host", "Seen."),
        ("new/1709.2.host", "New."),
    ]


def test_standard_input_is_json_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b'{"text": "Row."}\n'))
    monkeypatch.setattr(sources_module.sys, "stdin", stream)
    assert [email.text for email in read_emails("-")] == ["Row."]


def test_apple_mail_file_is_read_without_its_frame(tmp_path: Path) -> None:
    data = message("Words.")
    (tmp_path / "1.emlx").write_bytes(f"{len(data)}\n".encode() + data + b"<plist></plist>")
    assert [email.text for email in read_emails(tmp_path / "1.emlx")] == ["Words."]


def test_empty_text_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(" \n")
    assert [email.error for email in read_emails(tmp_path)] == ["empty file"]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_table_may_start_with_a_column_from(tmp_path: Path, name: str) -> None:
    lines = "From Address,Subject,Body\na@b.c,Kettle,It leaks.\n"
    (tmp_path / name).write_text(lines.replace(",", "\t" if name == "a.tsv" else ","))
    assert [email.text for email in read_emails(tmp_path / name)] == ["It leaks."]


def test_text_may_start_with_from(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("From the start it was wrong.\nThe charger never came.\n")
    (email,) = read_emails(tmp_path / "a.txt")
    assert email.text == "From the start it was wrong.\nThe charger never came."


def test_mailbox_by_name_needs_no_header(tmp_path: Path) -> None:
    (tmp_path / "a.mbox").write_text("From ann at home\n\nFirst.\n")
    assert [email.id for email in read_emails(tmp_path / "a.mbox")] == ["a.mbox#1"]


def test_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "a.eml").write_bytes(message("Once."))
    assert [email.text for email in read_emails(tmp_path)] == ["Once."]


class _Endless(io.BytesIO):
    def readline(self, size: int | None = -1) -> bytes:
        return b'{"text": "again"}\n'


def test_emails_come_one_at_a_time() -> None:
    emails = read_emails(_Endless())
    assert [next(emails).text for _ in range(3)] == ["again"] * 3


def test_a_small_file_is_looked_at_and_read_at_once(tmp_path: Path) -> None:
    small, large = tmp_path / "small.eml", tmp_path / "large.eml"
    small.write_bytes(b"From: a@b.c\n\nhi")
    large.write_bytes(b"From: a@b.c\n\n" + b"hi there\n" * 10_000)
    assert look(small, columns=Columns()) == (Kind.MESSAGE, b"From: a@b.c\n\nhi")
    assert look(large, columns=Columns()) == (Kind.MESSAGE, None)


def test_files_stand_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b/x.eml", "b.eml", "a/z.eml", "B.eml", ".c.eml", "ä.eml", "10.eml", "9.eml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("From: a@b.c\n\nhi")
    (tmp_path / "link.eml").symlink_to(tmp_path / "9.eml")
    (tmp_path / "broken.eml").symlink_to(tmp_path / "none.eml")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "folder").symlink_to(tmp_path / "a")
    names = [file_name(path, tmp_path) for path in mail_files(tmp_path)]
    assert names == ["10.eml", "9.eml", "B.eml", "a/z.eml", "b/x.eml", "b.eml", "link.eml", "ä.eml"]
