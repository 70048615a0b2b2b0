import io
from pathlib import Path

import pytest

from routing.errors import SourceError
from routing.mail import read_emails
from routing.records import Email
from routing.scoring.portions import check_sources, cut, read_portion, source_bytes
from tests.scoring.runs import make_text, write_eml, write_rows


def emails_of(*sources: Path, window: int = 2) -> list[Email]:
    portions = list(cut([str(source) for source in sources], emails=window))
    assert [portion.number for portion in portions] == list(range(len(portions)))
    return [e for p in portions for e in read_portion(p.content, trim="all")[0]]


def rows_with_trouble(file: Path) -> Path:
    write_rows(file, 3)
    with file.open("a", encoding="utf-8") as stream:
        stream.write('\n  \n{"broken": \n{"text": "the parcel never came"}\n[1]\n{"body": "last"}')
    return file


def in_utf_16(file: Path) -> Path:
    file.write_text(file.read_text(encoding="utf-8"), encoding="utf-16")
    return file


def csv_file(file: Path) -> Path:
    lines = ["id,subject,body"] + [f'r{n},s{n},"{make_text(n)}\nsecond line"' for n in range(5)]
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def parquet_file(file: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"id": list("abcde"), "text": [make_text(n) for n in range(5)]}), file)
    return file


def mbox_file(file: Path) -> Path:
    letters = [write_eml(file.parent / "one.eml", n).read_text() for n in range(10, 15)]
    (file.parent / "one.eml").unlink()
    file.write_text("".join(f"From a Mon Jan 5 10:00:00 2026\n{one}\n" for one in letters))
    return file


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("mail.jsonl", rows_with_trouble),
        ("wide.jsonl", lambda file: in_utf_16(rows_with_trouble(file))),
        ("mail.csv", csv_file),
        ("mail.parquet", parquet_file),
        ("mail.mbox", mbox_file),
        ("one.eml", lambda file: write_eml(file, 1)),
    ],
)
def test_portions_hold_the_e_mails_of_the_whole_source(
    tmp_path: Path, name: str, make: object
) -> None:
    file = make(tmp_path / name)
    assert emails_of(file) == list(read_emails(file))
    assert sum(p.size_bytes for p in cut([file], emails=2)) > 0


def test_a_folder_gives_every_message_of_its_files_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routing.scoring.portions._LARGE_BYTES", 400)
    for number in (3, 1, 2):
        write_eml(tmp_path / f"sub{number % 2}" / f"{number}.eml", number)
    rows_with_trouble(tmp_path / "rows.jsonl")
    mbox_file(tmp_path / "box.mbox")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4)
    (tmp_path / "void.eml").write_text("")
    found = emails_of(tmp_path)
    assert found == list(read_emails(tmp_path))
    assert len(found) == 3 + 7 + 5 + 1
    passed = [read_portion(p.content, trim="all")[1] for p in cut([tmp_path], emails=2)]
    assert sum(passed) == 1


def test_lines_on_standard_input_are_numbered_over_portions() -> None:
    stream = io.BytesIO(b'{"body": "one"}\n\n{"body": "two"}\n{"body": "three"}\n')
    portions = cut(["-"], emails=1, stdin=stream)
    found = [e.id for p in portions for e in read_portion(p.content, trim="all")[0]]
    assert found == ["-#1", "-#2", "-#3"]


def test_a_line_without_end_is_an_error_and_the_next_one_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from routing.mail import Limits

    monkeypatch.setattr("routing.scoring.portions._LIMITS", Limits(max_bytes=60))
    file = tmp_path / "long.jsonl"
    file.write_text('{"body": "' + "x" * 500 + '"}\n{"body": "short"}\n')
    first, second = emails_of(file, window=1)
    assert first.error == "line 1 is longer than 60 bytes"
    assert (second.id, second.text) == ("long.jsonl#2", "short")


def test_cutting_twice_gives_the_same_portions(tmp_path: Path) -> None:
    file = rows_with_trouble(tmp_path / "rows.jsonl")
    assert list(cut([file], emails=3)) == list(cut([file], emails=3))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("nothing.jsonl", None, "nothing.jsonl: no such file or folder"),
        ("one.json", '{\n"a": 1}', "a JSON document; write JSON lines"),
        ("one.csv", "id,status\n1,open\n", "no column 'body', 'text' or 'subject'; it has"),
        ("one.parquet", "PAR1", "no Parquet file that can be read after row 0"),
    ],
)
def test_a_source_that_cannot_be_read_is_refused_before_the_start(
    tmp_path: Path, name: str, content: str | None, words: str
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(SourceError, match=words):
        check_sources([tmp_path / name])


def test_a_folder_that_may_not_be_read_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(SourceError, match=r"cannot be opened \(Permission denied\); give a folder"):
        check_sources([tmp_path])


def test_bytes_of_all_files_are_counted(tmp_path: Path) -> None:
    one, two = write_eml(tmp_path / "a.eml", 1), write_eml(tmp_path / "b" / "c.eml", 2)
    assert source_bytes([tmp_path, one]) == 2 * one.stat().st_size + two.stat().st_size
