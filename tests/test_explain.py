"""The command, from its arguments to what it prints."""

import json
from pathlib import Path

import pytest
import torch

from routing.explain import main
from routing.explanation.faithfulness import measure_faithfulness, write_faithfulness
from routing.flags import load_settings
from routing.models.recurrent import RecurrentModel
from routing.records import Email
from routing.router import Router
from tests.explanation.routers import REFUNDS, WORDS, make_router


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(0)
    sizes = {"embedding": 6, "hidden": 5, "layers": 1, "piece_buckets": 0}
    made = make_router(RecurrentModel(words=len(WORDS), routes=2, **sizes))
    settings = load_settings(None, {"model": {"kind": "recurrent", **sizes}})
    router = Router(settings=settings, routes=made.routes, reader=made.reader, model=made.model)
    folder = tmp_path_factory.mktemp("run")
    router.save(folder)
    return folder


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    file = tmp_path / "mail.eml"
    file.write_text(f"Subject: parcel\nFrom: a@b.example\nMessage-ID: <m1>\n\n{REFUNDS}\n")
    return file


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    file = tmp_path / "mail.jsonl"
    file.write_text('{"id": "a", "text": "the parcel"}\nbroken\n{"id": "b", "text": "never"}\n')
    return file


def explain(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def test_one_email_is_explained_in_the_terminal(
    run: Path, mail: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(run, mail, "--budget", 20) == 0
    printed = capsys.readouterr().out
    assert "integrated gradients" in printed
    assert "Faithfulness on this e-mail" in printed


def test_the_page_is_not_written_over_the_message(
    run: Path, mail: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = mail.read_bytes()
    with pytest.raises(SystemExit) as stop:
        explain(run, mail, "--html", mail)
    assert stop.value.code == 2
    assert f"--html {mail} would write over the message" in capsys.readouterr().err
    assert mail.read_bytes() == before


def test_json_is_all_that_goes_to_stdout(
    run: Path, mail: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(run, mail, "--json", "--html", tmp_path / "why.html", "--budget", 0) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["subject"] == "parcel"
    assert err == f"wrote {tmp_path / 'why.html'}\n"
    assert (tmp_path / "why.html").read_text().startswith("<!doctype html>")


def test_all_streams_one_line_per_email_and_tells_the_unreadable(
    run: Path, rows: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain(run, rows, "--all", "--json", "--budget", 0) == 1
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["id"] for line in lines] == ["a", "mail.jsonl#2", "b"]
    assert "line 2 is not JSON" in lines[1]["error"]
    assert "mail.jsonl#2" in err


def test_the_faithfulness_of_the_run_is_read(
    run: Path, mail: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    emails = [Email(id="a", text=REFUNDS), Email(id="b", text="the parcel")]
    write_faithfulness(run, measure_faithfulness(Router.load(run), emails, rankings=2))
    try:
        assert explain(run, mail, "--json", "--budget", 0) == 0
    finally:
        (run / "faithfulness.json").unlink()
    assert json.loads(capsys.readouterr().out)["faithfulness"]["model"]["emails"] == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--id", "zz"], "no e-mail has the id 'zz'"),
        (["--against", "returns"], "it cannot be set against 'returns'"),
        (["--baseline", "/nowhere"], "/nowhere is no run folder"),
        (["--device", "foo"], "--device foo: torch cannot use it on this machine; give cpu, or"),
        (["--html", "/nowhere/why.html", "--budget", "0"], "No such file or directory"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    run: Path,
    mail: Path,
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert explain(run, mail, *arguments) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--all"], "--all goes with --json"),
        (["--all", "--json", "--id", "a"], "leave out --html, --id and --against"),
        (["--budget", "-1"], "--budget -1: give 0 or more"),
    ],
)
def test_flags_that_do_not_fit_are_refused(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        explain("run", "mail.eml", *arguments)
    assert stop.value.code == 2
    assert words in capsys.readouterr().err
