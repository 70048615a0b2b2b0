"""The fit command."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from routing import fit

PAIR = '{{"id": "{i}", "refunds": "The box {i} came but never the lamp I paid for.",'
PAIR += ' "delivery": "The lamp I paid for came but never the box {i}."}}\n'
SMALL = (
    *("--train.epochs", "1", "--trainer.accelerator", "cpu", "--data.test_share", "0.3"),
    *("--explanation.checked_emails", "3"),
)


@pytest.fixture
def mail(tmp_path):
    file = tmp_path / "mail.jsonl"
    file.write_text("".join(PAIR.format(i=i) for i in range(20)), encoding="utf-8")
    return str(file)


def errors_of(capsys, *arguments: str) -> str:
    assert fit.main(list(arguments)) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    return errors


def test_setting_of_one_kind_is_refused_without_a_config(capsys):
    assert errors_of(capsys, "--model.cell", "gru") == (
        "routing.fit: --model.cell: not for all starters: add --config, e.g. configs/lstm.yaml\n"
    )


def test_unknown_setting_names_the_nearest(capsys):
    assert "did you mean train.epochs?" in errors_of(capsys, "--train.epoch", "3")


def test_resume_takes_nothing_else(capsys):
    found = errors_of(capsys, "--resume", "runs/x", "--train.epochs", "3")
    assert "--resume goes on with the run's own settings: give nothing else" in found


def test_resume_needs_a_run_folder(capsys, tmp_path):
    assert "is no run folder: it holds no settings.yaml" in errors_of(
        capsys, "--resume", str(tmp_path)
    )


def test_print_config_shows_every_starter_as_changed_by_flags(capsys):
    assert fit.main(["--print_config", "--train.epochs", "3", "--out", "there"]) == 0
    out = capsys.readouterr().out
    for name in ("naive_bayes", "lstm", "transformer"):
        assert f"# {Path('there', name)}\n" in out
    assert out.count("  epochs: 3\n") == 3


def test_one_router_is_fitted_on_own_mail(capsys, mail, tmp_path):
    run = tmp_path / "run"
    config = tmp_path / "mine.yaml"
    config.write_text("model: {kind: bayes}\n")
    assert fit.main(["--config", str(config), "--data.train", mail, "--out", str(run), *SMALL]) == 0
    assert capsys.readouterr().out.startswith(f"{run}: bayes, ")
    assert json.loads((run / "metrics.json").read_text())["test_accuracy"] is not None
    assert json.loads((run / "faithfulness.json").read_text())["emails"] == 3


def test_a_file_is_no_run_folder(capsys, mail):
    said = errors_of(capsys, "--model.kind", "bayes", "--data.train", mail, "--out", mail)
    assert f"{mail} cannot be a run folder: {mail} is a file; name another" in said


@pytest.mark.slow
def test_three_starters_are_fitted_and_compared(capsys, mail, tmp_path):
    assert fit.main(["--data.train", mail, "--out", str(tmp_path), *SMALL]) == 0
    out = capsys.readouterr().out
    assert [line.split(":")[0] for line in out.splitlines()[:3]] == [
        str(tmp_path / name) for name in ("naive_bayes", "lstm", "transformer")
    ]
    assert "test" in out.split("intervals")[1], "the comparison is on the test split"
    runs = [tmp_path / name / "provenance.json" for name in ("lstm", "transformer")]
    commands = [json.loads(run.read_text(encoding="utf-8"))["command"] for run in runs]
    assert commands[0] == commands[1], "not that of the process beside"


def test_help_needs_neither_torch_nor_lightning():
    code = (
        "import sys, routing.fit\n"
        "try: routing.fit.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'torch', 'lightning', 'sklearn'} & set(sys.modules)))"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert shown.endswith("[]\n")
    assert "--train.checkpoint_steps" in shown
