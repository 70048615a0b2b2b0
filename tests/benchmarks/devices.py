"""Training speed on 1, 2, 4 … devices: tokens per second, scaling, share of the machine's peak.

    python tests/benchmarks/devices.py --accelerator gpu --precision bf16-mixed
    python tests/benchmarks/devices.py --accelerator cpu --most 2 --embedding 64 --layers 1

Each number of devices trains a transformer of its own on made-up e-mails, the batch growing with
the devices. The share of peak is the model's floating-point operations (counted on one batch,
forward and backward) by those of a large matrix product that the same device does in a second;
"loading" is the share of the time that making the batches takes.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import lightning
import numpy as np
import torch
from rich.console import Console
from rich.table import Table
from torch.utils.flop_counter import FlopCounterMode

from routing.corpus.readers import WordReader
from routing.flags import load_settings
from routing.models.transformer import TransformerModel
from routing.settings import Settings
from routing.text.vocabulary import Vocabulary
from routing.training.data import Encoded, RoutingData
from routing.training.module import RoutingModule
from routing.training.run import is_first_process
from routing.training.trainer import make_trainer, quiet

WORDS, ROUTES, WARM_STEPS = 20_000, 16, 10


def make_data(settings: Settings, *, steps: int, tokens: int) -> RoutingData:
    """Return e-mails of random words, ``tokens`` long give or take a third."""
    rng = np.random.default_rng(0)
    words = tuple(f"w{i}" for i in range(WORDS))
    reader = WordReader(Vocabulary(words, 0), placeholders=False, max_tokens=4 * tokens)
    reader.lexicon.rows(words)
    count = steps * settings.train.batch_emails
    lengths = rng.integers(tokens * 2 // 3, tokens * 4 // 3, count)
    split = Encoded(
        rows=[rng.integers(2, WORDS, length).astype(np.int32) for length in lengths],
        routes=rng.integers(0, ROUTES, count).tolist(),
        units=[(i,) for i in range(count)],
    )
    few = Encoded(rows=split.rows[:64], routes=split.routes[:64], units=split.units[:64])
    return RoutingData(train=split, validation=few, reader=reader, settings=settings.train)


class Clock(lightning.Callback):
    """Seconds of the steps after the first ones."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def on_train_batch_end(self, trainer: lightning.Trainer, *arguments: Any) -> None:
        done = arguments[-1] + 1
        if done == WARM_STEPS:
            self._wait()
            self.seconds = -time.perf_counter()
        if done == trainer.num_training_batches:
            self._wait()
            self.seconds += time.perf_counter()

    def _wait(self) -> None:
        if torch.cuda.is_available():
            torch.cuda.synchronize()


def peak_flops(device: torch.device, dtype: torch.dtype) -> float:
    """Return the operations per second of a large matrix product."""
    width = 8192 if device.type == "cuda" else 1024
    one, other = (torch.randn(width, width, device=device, dtype=dtype) for _ in "ab")
    best = 0.0
    for _ in range(10):
        if device.type == "cuda":
            torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(5):
            one @ other
        if device.type == "cuda":
            torch.cuda.synchronize()
        best = max(best, 5 * 2 * width**3 / (time.perf_counter() - start))
    return best


def flops_per_token(model: TransformerModel, data: RoutingData) -> float:
    """Return the operations of forward and backward by token, counted on two e-mails."""
    batch = data.reader.batch(data.train.rows[:2])
    with FlopCounterMode(display=False) as counter:
        model(*batch.inputs()).sum().backward()
    model.zero_grad()
    return counter.get_total_flops() / batch.token_ids.numel()


def work(options: argparse.Namespace) -> None:
    """Train on ``options.devices`` devices and print the findings as one JSON line."""
    flags = {
        "train": {"batch_emails": options.emails * options.devices, "epochs": 1, "patience": 9},
        "trainer": {
            "devices": options.devices,
            "accelerator": options.accelerator,
            "strategy": "ddp" if options.devices > 1 else "auto",
            "precision": options.precision,
            "deterministic": False,
        },
    }
    settings = load_settings(flags=flags)
    data = make_data(settings, steps=options.steps, tokens=options.tokens)
    model = TransformerModel(
        words=WORDS,
        routes=ROUTES,
        embedding=options.embedding,
        heads=max(1, options.embedding // 64),
        layers=options.layers,
        feedforward=4 * options.embedding,
    )
    flops = flops_per_token(model, data)
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder, quiet():
        trainer = make_trainer(settings, folder=Path(folder), callbacks=[clock], progress=False)
        module = RoutingModule(model, routes=ROUTES, settings=settings.train, steps=options.steps)
        trainer.fit(module, data)
    if is_first_process():
        dtype = torch.bfloat16 if "bf16" in options.precision else torch.float32
        data.trainer = None
        batches = list(data._training_batches(0))[WARM_STEPS:]
        tokens = sum(int(batch.lengths.sum()) for batch in batches)
        start = time.perf_counter()
        for _ in data._training_batches(0):
            pass
        found = {
            "loading": (time.perf_counter() - start) * len(batches) / (len(batches) + WARM_STEPS),
            "seconds": clock.seconds,
            "tokens_per_second": tokens / clock.seconds,
            "flops_per_token": flops,
            "peak": peak_flops(trainer.strategy.root_device, dtype),
        }
        print(json.dumps(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--accelerator", default="gpu")
    parser.add_argument("--precision", default="bf16-mixed")
    parser.add_argument("--most", type=int, default=torch.cuda.device_count() or 1)
    parser.add_argument("--embedding", type=int, default=768)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--emails", type=int, default=64, help="in a batch, for each device")
    parser.add_argument("--tokens", type=int, default=256, help="of an e-mail, about")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--devices", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.devices:
        return work(options)
    title = f"embedding {options.embedding}, {options.layers} layers, {options.precision}"
    table = Table(title=title)
    for heading in ("devices", "tokens/s", "scaling", "share of peak", "loading"):
        table.add_column(heading, justify="right")
    counts = [n for n in (1, 2, 4, 8, 16, 32, 64) if n <= options.most]
    alone = 0.0
    for count in counts:
        line = subprocess.run(
            [sys.executable, *sys.argv, "--devices", str(count)],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout.splitlines()[-1]
        found = json.loads(line)
        speed = found["tokens_per_second"]
        alone = alone or speed
        loading = f"{found['loading'] / found['seconds']:.0%}"
        share = speed * found["flops_per_token"] / found["peak"] / count
        table.add_row(str(count), f"{speed:,.0f}", f"{speed / alone:.2f}", f"{share:.1%}", loading)
    Console().print(table)
    return None


if __name__ == "__main__":
    main()
