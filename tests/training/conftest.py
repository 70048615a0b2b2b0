"""A tiny corpus and a tiny model, for trainings of a few seconds."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from routing.flags import load_settings
from routing.settings import Settings

WORDS = ["charger", "lamp", "kettle", "scarf", "mug", "clock"]
WORDS += ["drill", "tent", "vase", "radio", "novel", "bowl"]
BOXES = ["parcel", "package", "box", "crate", "envelope", "carton"]


TINY: Mapping[str, Any] = {
    "model": {"kind": "recurrent", "embedding": 8, "hidden": 8, "layers": 1, "piece_buckets": 0},
    "corpus": {"pairs": 40, "written": False},
    "data": {"validation_share": 0.2, "test_share": 0},
    "train": {"epochs": 2, "batch_emails": 8, "checkpoint_steps": 3, "learning_rate": 0.01},
    "trainer": {"accelerator": "cpu"},
}


@pytest.fixture
def pairs_file(tmp_path: Path) -> str:
    """Return the name of a file of 41 pairs of 9 to 24 words, of no corpus that may change."""
    file = tmp_path / "pairs.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        for i in range(41):
            box, word = BOXES[i % 5], f"{WORDS[i % 12]} number{i}"
            more = " so I am writing once more" * (i % 4)
            pair = {
                "id": f"p{i}",
                "phenomenon": "role_swap",
                "refunds": f"The {box} came but never the {word} I paid for{more}.",
                "delivery": f"The {word} came but never the {box} I paid for{more}.",
            }
            stream.write(json.dumps(pair) + "\n")
    return str(file)


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

    def start(*arguments: str, start_new_session: bool = False) -> subprocess.Popen[str]:
        names = {"RANK", "LOCAL_RANK", "WORLD_SIZE", "NODE_RANK", "MASTER_PORT"}
        environment = {name: value for name, value in os.environ.items() if name not in names}
        return subprocess.Popen(
            [sys.executable, "-m", "routing.fit", *arguments],
            env={**environment, "OMP_NUM_THREADS": "1"},
            start_new_session=start_new_session,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start
