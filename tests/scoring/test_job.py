import io
import json
import shutil
from pathlib import Path

import pytest

from routing.errors import RunError, SettingsError
from routing.mail import Columns, read_emails
from routing.router import Router
from routing.score import _job, _parse
from routing.scoring.job import Job, read_columns, run_job, usual_window
from routing.scoring.records import Scored, Tally, Wishes, split_routes
from tests.scoring.runs import ROUTES, make_run, read_lines, write_eml, write_rows


def score(*sources: Path, run: Path, **options: object) -> tuple[list[dict[str, object]], Tally]:
    wishes = {k: options.pop(k) for k in ("review_below", "routes", "only_review") if k in options}
    stdout = io.BytesIO()
    job = Job(sources=tuple(map(str, sources)), wishes=Wishes(run=str(run), **wishes), **options)
    tally = run_job(job, stdout=stdout)
    return read_lines(stdout.getvalue()), tally


@pytest.mark.parametrize("kind", ["bayes", "recurrent", "transformer"])
def test_lines_are_the_routers_decisions_in_input_order(tmp_path: Path, kind: str) -> None:
    run = make_run(tmp_path / "run", kind)
    file = write_rows(tmp_path / "mail.jsonl", 11)
    lines, tally = score(file, run=run, window=4, workers=1)
    decisions = Router.load(run).decide(list(read_emails(file)))
    assert [line["id"] for line in lines] == [f"m{n}" for n in range(11)]
    for line, decision in zip(lines, decisions, strict=True):
        assert line["route"] == decision.route
        assert line["probability"] == pytest.approx(decision.probability, abs=2e-5)
        assert line["review_reason"] == decision.review_reason
    assert tally.emails == 11
    assert sum(tally.routes.values()) == 11


@pytest.mark.parametrize("name", ["mail.csv", "mail.jsonl", "folder", "mail.parquet"])
def test_the_columns_are_those_of_the_training(tmp_path: Path, name: str) -> None:
    import pyarrow.csv
    import pyarrow.parquet

    columns = {"text_column": "nachricht von", "subject_column": "betreff"}
    run = make_run(tmp_path / "run", "bayes", train="mail.csv", **columns)
    table = tmp_path / "folder" / "mail.csv"
    table.parent.mkdir()
    table.write_text("betreff,nachricht von,body\norder,money back,parcel never came\n")
    (tmp_path / "mail.csv").write_bytes(table.read_bytes())
    row = {"betreff": "order", "nachricht von": "money back", "body": "parcel never came"}
    (tmp_path / "mail.jsonl").write_text(json.dumps(row))
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(table), tmp_path / "mail.parquet")
    (line,), _ = score(tmp_path / name, run=run)
    assert (line["subject"], line["route"]) == ("order", "refunds")


def test_a_router_of_the_built_in_corpus_reads_the_usual_columns(run: Path) -> None:
    assert read_columns(str(run)) == Columns()


def test_settings_that_cannot_be_read_are_told(tmp_path: Path, run: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    (copy / "settings.yaml").write_text("data: 7")
    with pytest.raises(RunError, match=r"copy: settings.yaml cannot be read \(.*\); fit it again"):
        score(write_rows(tmp_path / "mail.jsonl", 1), run=copy)


def test_a_line_has_the_fields_that_scripts_depend_on(tmp_path: Path, run: Path) -> None:
    (line,), _ = score(write_eml(tmp_path / "one.eml", 1), run=run)
    assert list(line) == [
        *("id", "source", "subject", "route", "probability", "probabilities"),
        *("decision", "review_reason", "auto_reply", "error"),
    ]
    assert set(line["probabilities"]) == set(ROUTES)
    assert sum(line["probabilities"].values()) == pytest.approx(1, abs=1e-5)


def test_an_unreadable_message_is_a_line_with_an_error(tmp_path: Path, run: Path) -> None:
    write_eml(tmp_path / "mail" / "a.eml", 1)
    (tmp_path / "mail" / "b.eml").write_text("")
    write_eml(tmp_path / "mail" / "c.eml", 2)
    lines, tally = score(tmp_path / "mail", run=run)
    assert [line["error"] for line in lines] == [None, "empty file", None]
    assert [line["route"] is None for line in lines] == [False, True, False]
    assert (tally.emails, tally.errors) == (3, 1)


@pytest.mark.slow
def test_worker_processes_give_the_same_lines_as_one_process(tmp_path: Path, run: Path) -> None:
    file = write_rows(tmp_path / "mail.jsonl", 60)
    alone, tally = score(file, run=run, window=7, workers=1)
    together, same = score(file, run=run, window=7, workers=3)
    assert together == alone
    assert same == tally


def test_repeated_ids_are_numbered_over_portions(tmp_path: Path, run: Path) -> None:
    file = write_rows(tmp_path / "mail.jsonl", 5, ids=["x", "y", "x", "x", "y"])
    lines, _ = score(file, run=run, window=2, workers=1)
    assert [line["id"] for line in lines] == ["x", "y", "x (2)", "x (3)", "y (2)"]


def test_only_what_is_wanted_is_written(tmp_path: Path, run: Path) -> None:
    file = write_rows(tmp_path / "mail.jsonl", 20)
    everything, _ = score(file, run=run)
    one, _ = score(file, run=run, routes=("refunds",))
    assert one == [line for line in everything if line["route"] == "refunds"]
    reviewed, tally = score(file, run=run, only_review=True, review_below=1.0)
    assert len(reviewed) == tally.reviews == 20
    assert "is below 1.00" in reviewed[0]["review_reason"]
    none, tally = score(file, run=run, only_review=True, review_below=0.0)
    assert none == [line for line in everything if line["decision"] == "review"]


def test_progress_hears_of_every_byte(tmp_path: Path, run: Path) -> None:
    file = write_rows(tmp_path / "mail.jsonl", 9)
    heard: list[Scored] = []
    job = Job(sources=(str(file),), wishes=Wishes(run=str(run)), window=4, workers=1)
    run_job(job, stdout=io.BytesIO(), report=heard.append)
    assert [one.tally.emails for one in heard] == [4, 4, 1]
    assert sum(one.size_bytes for one in heard) == file.stat().st_size


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"routes": ("billing",)}, "--routes billing: the run has the routes delivery, refunds"),
        ({"resume": True}, "--resume needs --output FILE"),
        ({"output": Path("out.txt")}, r"the name has to end in .jsonl, .csv, .parquet"),
        ({"output": Path("tests")}, "--output tests is a folder"),
    ],
)
def test_wrong_wishes_are_refused_before_the_start(
    tmp_path: Path, run: Path, options: dict[str, object], words: str
) -> None:
    with pytest.raises(SettingsError, match=words):
        score(write_rows(tmp_path / "mail.jsonl", 1), run=run, **options)


def test_standard_input_cannot_be_resumed(tmp_path: Path, run: Path) -> None:
    with pytest.raises(SettingsError, match="--resume cannot read standard input again"):
        score(Path("-"), run=run, resume=True, output=tmp_path / "out.jsonl")


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"is no run folder: it holds no routes.json"):
        score(write_rows(tmp_path / "mail.jsonl", 1), run=tmp_path)


def test_csv_and_parquet_say_what_json_lines_say(tmp_path: Path, run: Path) -> None:
    import csv

    import pyarrow.parquet as pq

    mail = tmp_path / "mail"
    write_eml(mail / "a.eml", 1)
    (mail / "b.eml").write_text("")
    for suffix in ("jsonl", "csv", "parquet"):
        score(mail, run=run, output=tmp_path / f"out.{suffix}")
    first, second = read_lines((tmp_path / "out.jsonl").read_text())
    with (tmp_path / "out.csv").open(newline="") as stream:
        good, bad = csv.DictReader(stream)
    assert float(good["probability"]) == first["probability"]
    assert float(good["probabilities.refunds"]) == first["probabilities"]["refunds"]
    assert (good["auto_reply"], bad["error"], bad["route"]) == ("false", "empty file", "")
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert rows[0] == first
    assert rows[1] == {**second, "probabilities": None}
    assert sorted(path.name for path in tmp_path.glob("out*")) == [
        *("out.csv", "out.jsonl", "out.parquet"),
    ]


@pytest.mark.parametrize(
    ("settings", "right"),
    [
        ("model: {kind: recurrent}", 1024),
        ("model: {kind: pretrained}", 128),
        ("model: {}", 1024),
        (": :", 1024),
        (None, 1024),
    ],
)
def test_portions_are_smaller_where_an_email_takes_longer(
    settings: str | None, right: int, tmp_path: Path
) -> None:
    if settings is not None:
        (tmp_path / "settings.yaml").write_text(settings)
    assert usual_window(str(tmp_path), device="cpu") == right


def test_portions_are_whole_on_a_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "settings.yaml").write_text("model: {kind: pretrained}")
    monkeypatch.setattr("routing.scoring.distributed._gpus", lambda device: ["cuda:0"])
    assert usual_window(str(tmp_path), device="auto") == 1024


@pytest.mark.parametrize(("given", "right"), [([], 128), (["--window", "7"], 7)])
def test_the_command_takes_the_usual_window(given: list[str], right: int, tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("model: {kind: pretrained}")
    options = _parse([str(tmp_path), "mail", "--device", "cpu", *given])
    assert _job(options).window == right


@pytest.mark.parametrize(
    ("names", "routes"),
    [
        ("", ()),
        ("refunds,delivery", ("refunds", "delivery")),
        (" refunds, delivery ,", ("refunds", "delivery")),
        ("Sales, EU", ("Sales, EU",)),
        ("refunds, Sales, EU, Sales", ("refunds", "Sales, EU", "Sales")),
        ("nowhere,refunds", ("nowhere", "refunds")),
    ],
)
def test_routes_are_told_apart_by_commas_unless_they_hold_some(
    names: str, routes: tuple[str, ...]
) -> None:
    assert split_routes(names, known=("refunds", "delivery", "Sales", "Sales, EU")) == routes
