import csv
import json

import pyarrow.parquet as pq
import pytest

from routing import generate
from routing.corpus import output
from routing.corpus.cartwise import make_emails, make_pairs
from routing.corpus.pairs import read_pairs
from routing.errors import CorpusError


def test_without_options_six_emails_are_printed(capsys):
    assert generate.main([]) == 0
    printed = capsys.readouterr().out
    assert printed.count("[refunds, ") == printed.count("[delivery, ") == 3


def test_pairs_are_written_as_pairs(tmp_path):
    file = tmp_path / "pairs.jsonl"
    assert generate.main(["--pairs", "7", "--seed", "4", "--output", str(file)]) == 0
    assert read_pairs(file) == list(make_pairs(count=7, seed=4))


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_emails_are_written_as_rows(tmp_path, ending):
    file = tmp_path / f"emails.{ending}"
    assert generate.main(["--emails", "5", "--seed", "4", "--output", str(file)]) == 0
    match ending:
        case "jsonl":
            rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        case "csv":
            with file.open(encoding="utf-8", newline="") as stream:
                rows = list(csv.DictReader(stream))
        case _:
            rows = pq.read_table(file).to_pylist()
    emails = list(make_emails(count=5, seed=4))
    assert [row["text"] for row in rows] == [email.email.text for email in emails]
    assert [row["route"] for row in rows] == [email.route for email in emails]
    assert list(rows[0]) == ["id", "subject", "text", "route", "pair", "phenomenon"]


def test_a_folder_gets_parts_of_a_fixed_size(tmp_path, monkeypatch):
    monkeypatch.setattr(output, "ROWS_PER_FILE", 4)
    monkeypatch.setattr(output, "ROWS_PER_GROUP", 3)
    folder = tmp_path / "load"
    assert generate.main(["--emails", "9", "--output", str(folder)]) == 0
    sizes = [pq.read_table(file).num_rows for file in sorted(folder.iterdir())]
    assert sizes == [4, 4, 1]
    table = pq.read_table(folder)
    assert table["id"].to_pylist() == [e.email.id for e in make_emails(count=9, seed=0)]


def test_the_written_suite_can_be_printed(capsys):
    assert generate.main(["--suite", "written", "--emails", "3"]) == 0
    assert capsys.readouterr().out.count("[refunds, ") == 2


def test_an_ending_that_is_not_known_is_refused(tmp_path):
    with pytest.raises(CorpusError, match=r"ends in '\.txt': use \.jsonl, \.csv or \.parquet"):
        output.write_emails([], tmp_path / "a.txt")


@pytest.mark.parametrize("options", [["--pairs", "2"], ["--emails", "2"]])
def test_the_folder_of_a_file_is_made(tmp_path, options):
    file = tmp_path / "new" / "made.jsonl"
    assert generate.main([*options, "--output", str(file)]) == 0
    assert len(file.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.parquet", "folder"])
def test_a_place_that_cannot_be_written_is_one_line(tmp_path, capsys, name):
    (tmp_path / "taken").write_text("")
    file = tmp_path / "taken" / name
    assert generate.main(["--pairs", "2", "--output", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"routing.generate: cannot write {file} (")
    assert error.endswith("): name another, or make room there\n")


def test_an_unknown_suite_ends_with_2_and_one_line(capsys):
    assert generate.main(["--suite", "hard"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("routing.generate: suite 'hard' does not exist: choose from train")
    assert error.endswith(", written\n")
    assert error.count("\n") == 1


@pytest.mark.parametrize("option", ["--seed", "--noise"])
def test_what_the_written_suite_does_not_depend_on_is_refused(capsys, option):
    with pytest.raises(SystemExit) as stop:
        generate.main(["--suite", "written", option, "1"])
    assert stop.value.code == 2
    assert f"{option} does not go with --suite written" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--pairs", "--emails"])
def test_a_number_below_one_is_refused(capsys, option):
    with pytest.raises(SystemExit) as stop:
        generate.main([option, "0"])
    assert stop.value.code == 2
    assert f"{option} 0: give a number of 1 or more" in capsys.readouterr().err
