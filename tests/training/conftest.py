"""A tiny corpus and a tiny model, for trainings of a few seconds."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from routing.settings import Settings, load_settings

TINY: Mapping[str, Any] = {
    "model": {"kind": "recurrent", "embedding": 8, "hidden": 8, "layers": 1, "piece_buckets": 0},
    "corpus": {"pairs": 40, "written_repeat": 0},
    "data": {"validation_share": 0.2},
    "train": {"epochs": 2, "batch_emails": 8, "checkpoint_steps": 3, "learning_rate": 0.01},
    "trainer": {"accelerator": "cpu"},
}


@pytest.fixture
def tiny() -> Callable[..., Settings]:
    """Return a function: parts of settings -> the tiny settings changed by them."""

    def change(**parts: Mapping[str, Any]) -> Settings:
        values = {name: {**TINY.get(name, {}), **part} for name, part in parts.items()}
        return load_settings(flags={**TINY, **values})

    return change


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Return a function: arguments -> a started ``python -m routing.fit``, one thread."""

    def start(*arguments: str, **variables: str) -> subprocess.Popen[str]:
        names = {"RANK", "LOCAL_RANK", "WORLD_SIZE", "NODE_RANK", "MASTER_PORT"}
        environment = {name: value for name, value in os.environ.items() if name not in names}
        return subprocess.Popen(
            [sys.executable, "-m", "routing.fit", *arguments],
            env={**environment, "OMP_NUM_THREADS": "1", **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start
