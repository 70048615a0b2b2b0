import json
import re
from pathlib import Path

import pytest

from routing.compare import main
from routing.flags import load_settings
from routing.training.run import fit_run


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with mail of two routes and a run that counts its words."""
    folder = tmp_path_factory.mktemp("desk")
    rows = [
        f'{i},"{"Please refund" if i % 2 else "Where is"} my parcel number {i}, I am <b>{i}</b>",'
        f"{'refunds' if i % 2 else 'delivery'}\n"
        for i in range(60)
    ]
    (folder / "mail.csv").write_text("id,text,route\n" + "".join(rows), encoding="utf-8")
    flags = {"model": {"kind": "bayes"}, "data": {"train": str(folder / "mail.csv")}}
    fit_run(load_settings(None, flags), folder=folder / "mine", progress=False)
    return folder


def test_runs_are_compared_on_own_mail(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(desk / "mine"), "--on", str(desk / "mail.csv"), "--audit"]
    assert main([*arguments, "--report", str(desk / "report")]) == 0
    out, err = capsys.readouterr()
    assert re.search(r"mail +100\.0 +100\.0 +100\.0", out)
    assert "order disturbed" in out
    assert "show memory, not skill" in " ".join(out.split())
    assert "report.html" in err.replace("\n", "")
    written = {file.name for file in (desk / "report").iterdir()}
    assert written == {
        "predictions.jsonl",
        "routers.json",
        "results.json",
        "report.md",
        "report.html",
    }


def test_json_is_all_that_goes_to_stdout(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(desk / "mine"), "--on", str(desk / "mail.csv"), "--json"]) == 0
    results = json.loads(capsys.readouterr().out)
    assert [suite["name"] for suite in results["suites"]] == ["mail"]
    assert {probe["kind"] for probe in results["probes"]} >= {"empty", "gibberish"}


def test_a_config_is_fitted_with_every_seed(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "counter.yaml"
    config.write_text(
        f"model: {{kind: bayes}}\ndata: {{train: {desk / 'mail.csv'}}}\n", encoding="utf-8"
    )
    arguments = [str(config), "--on", str(desk / "mail.csv"), "--seeds", "2", "--json"]
    assert main([*arguments, "--report", str(tmp_path / "report")]) == 0
    result = json.loads(capsys.readouterr().out)["suites"][0]["results"][0]
    assert (result["router"], result["seeds"]) == ("counter", 2)
    assert len(list((tmp_path / "report" / "fitted").iterdir())) == 2


def test_the_standard_suites_ask_for_their_routes(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mail.csv"
    file.write_text("text,route\nhello,billing\n", encoding="utf-8")
    assert main([str(desk / "mine"), "--on", str(file)]) == 2
    assert "mine knows none of the routes of mail (billing)" in capsys.readouterr().err


def test_runs_that_route_nothing_here_are_left_out(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mail = (desk / "mail.csv").read_text(encoding="utf-8")
    (tmp_path / "bills.csv").write_text(mail.replace("refunds", "billing").replace("delivery", "b"))
    flags = {"model": {"kind": "bayes"}, "data": {"train": str(tmp_path / "bills.csv")}}
    fit_run(load_settings(None, flags), folder=tmp_path / "bills", progress=False)
    notes = tmp_path / "note"
    notes.mkdir()
    (notes / "settings.yaml").write_text("model: {kind: note}\n", encoding="utf-8")
    runs = [str(run) for run in (tmp_path / "bills", desk / "mine", notes)]
    assert main([*runs, "--on", str(desk / "mail.csv"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {each["router"] for each in found["suites"][0]["results"]} >= {"mine"}
    assert {each["router"] for each in found["suites"][0]["results"]}.isdisjoint({"bills", "note"})
    said = " ".join(found["notes"])
    assert f"{tmp_path / 'bills'} is left out: it knows none of delivery, refunds." in said
    assert f"{notes} is left out: it writes case notes." in said
    assert main([str(notes)]) == 2
    err = capsys.readouterr().err
    assert "writes case notes and decides on no route" in err
    assert "training the controls" not in err


def test_ctrl_c_is_one_line(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt("go on with: python -m routing.fit --resume RUN")

    monkeypatch.setattr("routing.training.evidence.gather", stop)
    assert main([str(desk / "mine")]) == 130
    err = capsys.readouterr().err
    assert err == "\nrouting.compare: stopped; the same command keeps what is fitted\n"


def test_wrong_use_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "nothing")]) == 2
    err = capsys.readouterr().err
    assert err.startswith("routing.compare: ")
    assert "neither a run folder nor a YAML config" in err


def test_a_report_that_cannot_be_written_stops_before_the_work(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delattr("routing.training.evidence.gather")
    mail = desk / "mail.csv"
    assert main([str(desk / "mine"), "--on", str(mail), "--report", str(mail)]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"routing.compare: cannot write {mail} (File exists): name another")


def test_few_shot_prints_a_table_and_writes_the_same_report_again(
    desk: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "counter.yaml"
    config.write_text(
        f"model: {{kind: bayes}}\ndata: {{train: {desk / 'mail.csv'}, test_share: 0.2}}\n",
        encoding="utf-8",
    )
    report = tmp_path / "report"
    arguments = [str(config), "--seeds", "2", "--report", str(report), "--few-shot", "2", "16"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert re.search(r"router +2 +16", out)
    assert re.search(r"counter +\d+\.\d ± \d+\.\d +100\.0 ± 0\.0", out)
    assert err.count("fitting counter") == 4
    before = (report / "report.html").read_bytes()
    assert main([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert "fitting" not in err
    assert [point["per_route"] for point in json.loads(out)["few_shot"][0]["curves"][0]["points"]]
    assert (report / "report.html").read_bytes() == before


def test_few_shot_refuses_run_folders(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(desk / "mine"), "--few-shot"]) == 2
    assert "is a run folder, which has learned already" in capsys.readouterr().err


def test_audit_does_not_go_with_few_shot(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["configs/lstm.yaml", "--audit", "--few-shot"])
    assert stop.value.code == 2
    assert "--audit does not go with --few-shot: give one of them" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--seeds", "--pairs", "--few-shot"])
def test_numbers_below_one_are_refused(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["runs/lstm", flag, "0"])
    assert stop.value.code == 2
    assert f"{flag} 0: give a number of 1 or more" in capsys.readouterr().err
