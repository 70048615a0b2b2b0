"""A job neither reads what it writes nor writes over what it reads."""

import io
import os
from dataclasses import replace
from pathlib import Path

import pytest

from routing.errors import SettingsError
from routing.scoring.job import Job, run_job
from routing.scoring.own import own_files
from routing.scoring.portions import cut, source_bytes
from routing.scoring.records import Tally, Wishes
from tests.scoring.runs import write_eml, write_rows


def score(source: Path, *, run: Path, output: Path | None, stdout: object = None) -> Tally:
    job = Job(sources=(str(source),), wishes=Wishes(run=str(run)), output=output, workers=1)
    return run_job(job, stdout=stdout or io.BytesIO())


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_decisions_in_the_scored_folder_are_no_mail(tmp_path: Path, run: Path, suffix: str) -> None:
    write_eml(tmp_path / "b.eml", 1)
    for _ in range(3):
        assert score(tmp_path, run=run, output=tmp_path / f"a.{suffix}").emails == 1


def test_what_a_stopped_job_left_is_no_mail(tmp_path: Path, run: Path) -> None:
    mail, output = write_eml(tmp_path / "b.eml", 1), tmp_path / "a.jsonl"
    for ending in (".partial", ".journal", ".new"):
        write_rows(output.with_name(output.name + ending), 1)
    own = own_files(output)
    (portion,) = cut([tmp_path], emails=9, own=own)
    assert portion.content.paths == ((str(mail), "b.eml"),)
    assert source_bytes([tmp_path], own=own) == mail.stat().st_size


def test_large_decisions_in_the_scored_folder_are_no_mail(
    tmp_path: Path, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("routing.scoring.portions._LARGE_BYTES", 10)
    write_rows(tmp_path / "b.jsonl", 2)
    for _ in range(2):
        assert score(tmp_path, run=run, output=tmp_path / "a.jsonl").emails == 2


def test_a_job_goes_on_where_its_own_files_lie_in_the_scored_folder(
    tmp_path: Path, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_eml(tmp_path / "b.eml", 1)
    output = tmp_path / "a.jsonl"
    job = Job(sources=(str(tmp_path),), wishes=Wishes(run=str(run)), output=output, workers=1)
    with monkeypatch.context() as patch:
        patch.setattr("routing.scoring.writers.FileOutput.finish", lambda self: None)
        run_job(job, stdout=io.BytesIO())
    assert run_job(replace(job, resume=True), stdout=io.BytesIO()).emails == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "b.eml"]


def test_standard_output_in_the_scored_folder_is_no_mail(tmp_path: Path, run: Path) -> None:
    write_eml(tmp_path / "b.eml", 1)
    with (tmp_path / "a.jsonl").open("wb") as stdout:
        stdout.write(b'{"body": "an earlier line"}\n')
        stdout.flush()
        assert score(tmp_path, run=run, output=None, stdout=stdout).emails == 1


@pytest.mark.parametrize("output", ["mail.jsonl", "same.jsonl", "mail.jsonl.x.jsonl"])
def test_an_input_is_not_written_over(tmp_path: Path, run: Path, output: str) -> None:
    mail = write_rows(tmp_path / "mail.jsonl", 2)
    os.link(mail, tmp_path / "same.jsonl")
    os.link(mail, tmp_path / "mail.jsonl.x.jsonl.partial")
    before = mail.read_bytes()
    words = f"--output .*{output} would write over the input .*mail.jsonl; give another name"
    with pytest.raises(SettingsError, match=words):
        score(mail, run=run, output=tmp_path / output)
    assert mail.read_bytes() == before


def test_standard_output_is_no_input(tmp_path: Path, run: Path) -> None:
    mail = write_rows(tmp_path / "mail.jsonl", 2)
    with (
        mail.open("ab") as stdout,
        pytest.raises(SettingsError, match="standard output would write over the input"),
    ):
        score(mail, run=run, output=None, stdout=stdout)


def test_mail_in_the_scored_folder_is_not_written_over(tmp_path: Path, run: Path) -> None:
    write_rows(tmp_path / "sub.jsonl", 2)
    with pytest.raises(SettingsError, match="in a folder to be scored, and holds no decisions"):
        score(tmp_path, run=run, output=tmp_path / "sub.jsonl")
