"""Rows of exports are e-mails, whatever the export looks like."""

import io
import json
from pathlib import Path

import pytest

from routing.errors import SourceError
from routing.mail import Columns, Limits, read_emails, read_rows
from routing.mail.rows import find_delimiter
from routing.records import Email


def jsonl(*rows: object) -> io.BytesIO:
    return io.BytesIO("\n".join(json.dumps(row) for row in rows).encode())


def test_json_lines_are_read_from_a_stream() -> None:
    row = {
        "id": "7",
        "subject": "Re: Kettle",
        "body": "It leaks.\n> old",
        "from": "Ann",
        "date": "4 May",
    }
    (email,) = read_emails(jsonl(row))
    assert (email.id, email.source, email.sender, email.date) == ("7", "-#1", "Ann", "4 May")
    assert (email.subject, email.text) == ("Re: Kettle", "It leaks.")


def test_text_column_stands_in_for_the_body() -> None:
    rows = [{"text": "a"}, {"body": "", "text": "b"}, {"BODY": "c"}, {"subject": "d"}]
    assert [email.text for email in read_emails(jsonl(*rows))] == ["a", "b", "c", ""]


def test_rows_without_an_id_are_called_after_their_place() -> None:
    assert [email.id for email in read_emails(jsonl({"text": "a"}, {"text": "b", "id": ""}))] == [
        "-#1",
        "-#2",
    ]


def test_ids_are_made_unique() -> None:
    rows = [{"id": 1, "text": "a"}, {"id": "1", "text": "b"}, {"id": 1, "text": "c"}]
    assert [email.id for email in read_emails(jsonl(*rows))] == ["1", "1 (2)", "1 (3)"]


def test_leading_subject_line_is_the_subject_where_there_is_no_column() -> None:
    (email,) = read_emails(jsonl({"text": "Subject: Kettle\nIt leaks."}))
    assert (email.subject, email.text) == ("Kettle", "It leaks.")
    (email,) = read_emails(jsonl({"text": "Subject: Kettle\nIt leaks.", "subject": "Pot"}))
    assert (email.subject, email.text) == ("Pot", "Subject: Kettle\nIt leaks.")


def test_html_in_a_row_is_read_as_html() -> None:
    (email,) = read_emails(jsonl({"text": "<p>It <b>leaks</b>.</p><p>Help!</p>"}))
    assert email.text == "It leaks.\n\nHelp!"


BROKEN = [
    (b"{broken", "line 1 is not JSON (Expecting property name enclosed in double quotes"),
    (b"[1, 2]", "line 1 is a JSON list; one JSON object a line is read"),
    (b'"text"', "line 1 is a JSON str; one JSON object a line is read"),
    (b'{"a": 1}', "the row has neither a column 'body' nor 'subject'; it has 'a'"),
    (b"{}", "the row has neither a column 'body' nor 'subject'; it has none"),
    (b"[" * 100_000, "line 1 is not JSON (maximum recursion depth exceeded"),
]


@pytest.mark.parametrize(("line", "error"), BROKEN, ids=range(len(BROKEN)))
def test_broken_line_is_an_error_and_nothing_else_is_lost(line: bytes, error: str) -> None:
    first, second = read_emails(io.BytesIO(line + b'\n\n{"id": "b", "text": "fine"}\n'))
    assert (first.error or "").startswith(error)
    assert (second.id, second.text, second.source) == ("b", "fine", "-#2")


def test_too_long_line_is_an_error_and_nothing_else_is_lost() -> None:
    stream = io.BytesIO(b'{"text": "' + b"x" * 100 + b'"}\n{"text": "y"}\n')
    first, second = read_emails(stream, limits=Limits(max_bytes=50))
    assert (first.error, second.text) == ("line 1 is longer than 50 bytes", "y")


def test_json_lines_may_start_with_a_mark_and_hold_odd_line_breaks() -> None:
    line = '{"text": "one\u2028two"}\r\n'.encode("utf-8-sig")
    assert [email.text for email in read_emails(io.BytesIO(line))] == ["one\ntwo"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a"])
def test_json_lines_may_be_in_utf_16(tmp_path: Path, name: str, encoding: str) -> None:
    lines = '{"text": "kaputt\u2028– ä"}\r\n' * 3_000 + '{"text": "b"}'
    *_, last, end = read_emails(write(tmp_path / name, lines, encoding))
    assert (last.text, end.text, end.id) == ("kaputt\n– ä", "b", f"{name}#3001")


def test_text_of_tabs_may_be_in_utf_16(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "id\tsubject\tbody\r\n1\tä\tü\r\n", "utf-16")
    assert [(email.subject, email.text) for email in read_emails(path)] == [("ä", "ü")]


def test_text_in_utf_16_is_one_e_mail(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "Subject: Kettle\n\nIt leaks – ä.", "utf-16")
    assert [(e.subject, e.text) for e in read_emails(path)] == [("Kettle", "It leaks – ä.")]


def test_cells_of_any_kind_become_text() -> None:
    ((_, row),) = read_rows(jsonl({"text": "a", "n": 1.5, "no": None, "yes": True, "list": [1]}))
    assert row == {"text": "a", "n": "1.5", "no": "", "yes": "True", "list": "[1]"}


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


TABLES = [
    ("a.csv", 'id,subject,body\n1,Kettle,"It leaks,\nbadly."\n2,Pot,Fine\n', "utf-8"),
    ("a.csv", 'id;subject;body\r\n1;Kettle;"It leaks,\nbadly."\r\n2;Pot;Fine\r\n', "utf-8-sig"),
    ("a.tsv", 'id\tsubject\tbody\n1\tKettle\t"It leaks,\nbadly."\n2\tPot\tFine', "utf-16"),
    ("export", 'Body,Id,Subject\n"It leaks,\nbadly.",1,Kettle\n\nFine,2,Pot\n', "utf-8"),
    ("a.txt", 'text|id|subject\n"It leaks,\nbadly."|1|Kettle\nFine|2|Pot|more\n', "utf-8"),
]


@pytest.mark.parametrize(("name", "text", "encoding"), TABLES)
def test_tables_are_read(tmp_path: Path, name: str, text: str, encoding: str) -> None:
    emails = list(read_emails(write(tmp_path / name, text, encoding)))
    assert [(email.id, email.subject, email.text) for email in emails] == [
        ("1", "Kettle", "It leaks,\nbadly."),
        ("2", "Pot", "Fine"),
    ]


def test_columns_may_have_other_names(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "nr,betreff,text,kanal\n7,Kessel,Er leckt.,refunds\n")
    columns = Columns(id="nr", subject="betreff", body="text", route="kanal")
    ((email, row),) = read_rows(path, columns=columns)
    assert email == Email(
        id="7", source=f"{path}#1", subject="Kessel", text="Er leckt.", body="Er leckt."
    )
    assert row["kanal"] == "refunds"


@pytest.mark.parametrize(
    ("header", "cells", "right"),
    [
        ("id,Subject,anliegen", "1,Kettle,It leaks.", "Kettle"),
        ("id,betreff,subject,anliegen", "1,Kessel,Kettle,It leaks.", "Kessel"),
        ("id,anliegen", "1,It leaks.", ""),
    ],
)
def test_subject_stands_in_for_a_subject_column_of_ones_own(
    tmp_path: Path, header: str, cells: str, right: str
) -> None:
    columns = Columns(subject="betreff", body="anliegen")
    row = dict(zip(header.split(","), cells.split(","), strict=True))
    files = [
        write(tmp_path / "a.csv", f"{header}\n{cells}\n"),
        write(tmp_path / "a.jsonl", json.dumps(row) + "\n"),
        write(tmp_path / "a.txt", f"{header}\n{cells}\n"),
    ]
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    files.append(tmp_path / "a.parquet")
    parquet.write_table(pyarrow.table({k: [v] for k, v in row.items()}), files[-1])
    for file in files:
        ((email, _),) = read_rows(file, columns=columns)
        assert (email.subject, email.text, email.warnings) == (right, "It leaks.", ())


def test_columns_are_found_in_any_case(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "ID,Body,ROUTE\n7,It leaks.,refunds\n")
    ((email, row),) = read_rows(path)
    assert (email.id, row["route"]) == ("7", "refunds")


def test_table_without_a_body_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "a,b\n1,2\n")
    with pytest.raises(SourceError, match=r"no column 'body', 'text' or 'subject'; it has"):
        list(read_emails(path))


HEADERS = ["id,subject,Message", "id,subject,E-Mail Body", "id,thread,nachricht", "id,date,CONTENT"]


@pytest.mark.parametrize("header", HEADERS)
def test_body_may_be_called_what_it_is_often_called(tmp_path: Path, header: str) -> None:
    path = write(tmp_path / "a.csv", f"{header}\n1,Kettle,It leaks.\n")
    ((email, _),) = read_rows(path)
    assert email.text == "It leaks."


def test_body_of_json_lines_may_be_called_what_it_is_often_called() -> None:
    (email,) = read_emails(jsonl({"subject": "Kettle", "description": "It leaks.", "comment": "x"}))
    assert (email.text, email.warnings) == ("It leaks.", ())


def test_body_of_parquet_may_be_called_what_it_is_often_called(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"subject": ["Kettle"], "message": ["It leaks."]})
    parquet.write_table(table, tmp_path / "a.parquet")
    assert [email.text for email in read_emails(tmp_path / "a.parquet")] == ["It leaks."]


def test_text_file_of_rows_is_known_by_subject_and_message(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "id\tsubject\tmessage\n1\tKettle\tIt leaks.\n")
    assert [email.text for email in read_emails(path)] == ["It leaks."]


def test_columns_with_another_meaning_are_not_the_body() -> None:
    row = {"subject": "Kettle", "message": "refunds"}
    ((email, _),) = read_rows(jsonl(row), columns=Columns(route="message"))
    assert (email.text, email.warnings) == ("", ())


def test_body_that_is_not_known_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    first, second = read_emails(
        jsonl({"subject": "Kettle", "anliegen": "It leaks."}, {"subject": ""})
    )
    assert first.warnings == (
        "only the subject is read: no column 'body' but 'anliegen'; call the column of the text "
        "'body', or train with data.text_column",
    )
    assert second.warnings == ()
    assert caplog.messages == list(first.warnings)


OPEN = "row 1 is not CSV (a quote is opened and not closed; close it, or double it)"
OPEN_QUOTES = [
    ("a.csv", 'id,subject,body\n1,a,"b\n2,c,d\n3,e,f\n', [OPEN, "d", "f"]),
    ("a.csv", 'id,subject,body\n1,a,"b\n2,c,d\n3,e,"f"\n4,g,h\n', [OPEN, "d", "f", "h"]),
    ("a.csv", 'body\n"b\nd\nf\n', [OPEN, "d", "f"]),
    ("a.tsv", 'id\tsubject\tbody\n1\ta\t"b\n2\tc\td\n', ['"b', "d"]),
    ("a.tsv", 'id\tsubject\tbody\n1\ta\t"b\n2\tc\td\n3\te\t"f\n', ['"b', "d", "f"]),
    ("a.csv", 'id,subject,body\n1,a,b\n2,c,"d\nand so on', ["b", "d\nand so on"]),
    ("a.csv", 'id,subject,body\n1,a,"b\n"no" is what"\n', ['b\nno" is what"']),
    ("a.csv", 'id,subject,body\n1,a,"b" is c\n2,c,5" of d\n', ["b is c", '5" of d']),
]


@pytest.mark.parametrize(("name", "text", "right"), OPEN_QUOTES)
def test_open_quote_does_not_swallow_the_rows_below(
    tmp_path: Path, name: str, text: str, right: list[str]
) -> None:
    emails = read_emails(write(tmp_path / name, text))
    assert [email.error or email.text for email in emails] == right


SURPLUS = [
    (
        "id,body\n1,the charger, never came\n",
        "row 1 has 3 cells, the header 2: quote cells that hold a comma",
    ),
    (
        "body;id\nit leaks; badly;1\n",
        "row 1 has 3 cells, the header 2: quote cells that hold a semicolon",
    ),
    ("id|body\n1|it|leaks\n", "row 1 has 3 cells, the header 2: quote cells that hold a bar"),
    ("id,body\n1,it leaks,,\n", "it leaks"),
    ("body\nthe charger, never came\n", "the charger, never came"),
]


@pytest.mark.parametrize(("text", "right"), SURPLUS)
def test_text_parted_by_its_own_commas_is_not_cut_short(
    tmp_path: Path, text: str, right: str
) -> None:
    (email,) = read_emails(write(tmp_path / "a.csv", text))
    assert (email.error or email.text) == right


ABOVE = ["\n \r\n", "sep=;\r\n", '"sep=;"\n', "# export, 2024\n\n", "#\nSEP=;\n"]


@pytest.mark.parametrize("above", ABOVE)
def test_lines_above_the_header_are_passed_over(tmp_path: Path, above: str) -> None:
    path = write(tmp_path / "a.csv", f"{above}id;subject;body\n1;a,b;It leaks, badly.\n")
    assert [(e.id, e.subject, e.text) for e in read_emails(path)] == [
        ("1", "a,b", "It leaks, badly.")
    ]


def test_first_column_may_be_called_by_a_number_sign(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "#,body\n1,It leaks.\n")
    assert [email.text for email in read_emails(path)] == ["It leaks."]


def test_refused_table_is_told_with_the_remedy(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "a,b\n1,2\n")
    with pytest.raises(
        SourceError, match=r"call the column of the text 'body', or train with data"
    ):
        list(read_emails(path))


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Посылка не пришла. Верните деньги за заказ", "cp1251"),
        ("Przesyłka jeszcze nie dotarła, więc proszę o zwrot pieniędzy", "cp1250"),
        ("返品したいので、返金してください。荷物が届きません。", "cp932"),
    ],
)
def test_table_in_an_old_charset_is_read(tmp_path: Path, text: str, encoding: str) -> None:
    rows = "x,plain\n" * 2_000 + f'1,"{text}"\n'
    *_, email = read_emails(write(tmp_path / "a.csv", f"id,body\n{rows}", encoding))
    assert email.text == text


def test_table_in_windows_1252_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "id,body\n1,Reçu hier – cassé\n", "cp1252")
    assert [email.text for email in read_emails(path)] == ["Reçu hier – cassé"]


def test_cell_may_be_longer_than_the_csv_module_likes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "id,body\n1," + "word " * 40_000 + "\n")
    assert [len(email.text) for email in read_emails(path)] == [199_999]


def test_nul_in_a_table_is_dropped(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "id,body\n1,a\0b\n2,c\n")
    assert [email.text for email in read_emails(path)] == ["ab", "c"]


def test_parquet_is_read(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table(
        {"ID": [1, 2], "body": ["It leaks.\n> old", None], "route": ["a", "b"], "extra": [0, 0]}
    )
    parquet.write_table(table, tmp_path / "a.parquet")
    emails = list(read_rows(tmp_path / "a.parquet"))
    assert [(email.id, email.text, row["route"]) for email, row in emails] == [
        ("1", "It leaks.", "a"),
        ("2", "", "b"),
    ]


def test_damaged_parquet_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "a.parquet").write_bytes(b"PAR1 nonsense")
    with pytest.raises(SourceError, match="no Parquet file that can be read after row 0"):
        list(read_emails(tmp_path / "a.parquet"))


def test_mail_is_no_file_of_rows(tmp_path: Path) -> None:
    path = write(tmp_path / "a.eml", "Subject: a\n\nb")
    with pytest.raises(SourceError, match="no rows; give a CSV, TSV, JSON-lines or Parquet file"):
        read_rows(path)


@pytest.mark.parametrize(
    ("line", "delimiter"),
    [("a,b", ","), ("a;b", ";"), ("a\tb", "\t"), ("a|b", "|"), ("a", ","), ("", ",")],
)
def test_delimiter_is_seen_from_the_header(line: str, delimiter: str) -> None:
    assert find_delimiter(line) == delimiter
