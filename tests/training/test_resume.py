"""A stopped run that is resumed ends as one that never stopped."""

import csv
import signal
import time
from pathlib import Path

import pytest
import yaml

from routing.router import Router
from routing.training.checkpoint import read_checkpoint

LONGER = {"epochs": 3, "batch_emails": 4, "checkpoint_steps": 5}


@pytest.fixture
def config(tiny, pairs_file, tmp_path):
    file = tmp_path / "tiny.yaml"
    settings = tiny(
        train=LONGER, model={"kind": "recurrent", "dropout": 0.2}, data={"train": pairs_file}
    )
    file.write_text(yaml.safe_dump(settings.model_dump(mode="json")), encoding="utf-8")
    return str(file)


def wait_for(file: Path, process) -> None:
    while not file.exists():
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.005)


def history(run: Path) -> list[list[str]]:
    with (run / "history.csv").open(encoding="utf-8") as stream:
        return [row[:-1] for row in csv.reader(stream)]


def finish(process) -> str:
    out, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return out


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_stopped_run_ends_with_the_same_bits_when_resumed(config, command, tmp_path, number):
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    finish(command("--config", config, "--out", str(whole)))
    first = command("--config", config, "--out", str(parted))
    wait_for(parted / "checkpoints" / "last.ckpt", first)
    first.send_signal(number)
    _, errors = first.communicate(timeout=60)
    assert first.returncode == (-9 if number == signal.SIGKILL else 130)
    if number == signal.SIGINT:
        assert errors == (
            f"\nrouting.fit: stopped; go on with: python -m routing.fit --resume {parted}\n"
        )
    assert not (parted / "metrics.json").exists()
    checkpoint = read_checkpoint(parted / "checkpoints" / "last.ckpt")
    batches = checkpoint["loops"]["fit_loop"]["epoch_loop.batch_progress"]
    assert batches["current"]["ready"] % 16, "the checkpoint lies inside an epoch"
    finish(command("--resume", str(parted)))
    assert (parted / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()
    assert history(parted) == history(whole)
    assert Router.load(parted).routes == ("delivery", "refunds")
