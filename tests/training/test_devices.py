"""Several processes do what one process does, and end together."""

import csv
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

TWO = ("--trainer.devices", "2", "--trainer.strategy", "ddp")
EXACT = {"epochs": 2, "batch_emails": 10, "word_dropout": 0.0, "checkpoint_steps": 3}

FAILING = """
import os, sys
from routing.errors import TrainingError
from routing.fit import main
from routing.training.module import RoutingModule

plain = RoutingModule.training_step

def fail(self, batch, batch_idx):
    if batch_idx == 2 and os.environ.get("LOCAL_RANK") == "{rank}":
        raise TrainingError("the loss is nan at step 2")
    return plain(self, batch, batch_idx)

RoutingModule.training_step = fail
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def config(tiny, pairs_file, tmp_path):
    file = tmp_path / "tiny.yaml"
    settings = tiny(
        train=EXACT, model={"kind": "recurrent", "dropout": 0.0}, data={"train": pairs_file}
    )
    file.write_text(yaml.safe_dump(settings.model_dump(mode="json")), encoding="utf-8")
    return str(file)


def history(run: Path) -> list[dict[str, str]]:
    with (run / "history.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


@pytest.mark.slow
def test_two_processes_give_the_numbers_of_one(config, command, tmp_path):
    one = command("--config", config, "--out", str(tmp_path / "one"))
    said, errors = one.communicate(timeout=300)
    assert one.returncode == 0, errors
    two = command("--config", config, "--out", str(tmp_path / "two"), *TWO)
    said, errors = two.communicate(timeout=300)
    assert two.returncode == 0, errors
    assert len(said.splitlines()) == 1 and errors == "", "only the first process prints"
    alone, together = history(tmp_path / "one"), history(tmp_path / "two")
    assert len(alone) == len(together) == 2
    for row, other in zip(alone, together, strict=True):
        assert row["step"] == other["step"]
        for name in ("train_loss", "val_loss", "val_accuracy", "val_macro_f1"):
            assert math.isclose(float(row[name]), float(other[name]), abs_tol=1e-5), name


@pytest.mark.slow
@pytest.mark.parametrize("rank", [0, 1])
def test_failing_process_ends_the_run_with_its_error(config, tmp_path, rank):
    script = tmp_path / "failing.py"
    script.write_text(FAILING.format(rank=rank), encoding="utf-8")
    started = subprocess.run(
        [sys.executable, script, "--config", config, "--out", str(tmp_path / "run"), *TWO],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(Path.cwd()), *sys.path])),
        },
    )
    assert started.returncode != 0
    process = f"process {rank}: " if rank else ""
    assert f"routing.fit: {process}the loss is nan at step 2" in started.stderr
    assert not (tmp_path / "run" / "metrics.json").exists()


@pytest.mark.slow
def test_interrupt_stops_both_processes_with_a_checkpoint(config, command, tmp_path):
    run = tmp_path / "run"
    options = ("--train.epochs", "500", "--train.patience", "500")
    process = command("--config", config, "--out", str(run), *TWO, *options, start_new_session=True)
    while not (run / "checkpoints" / "last.ckpt").exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert f"--resume {run}" in errors
