"""What Lightning costs: training steps of the fit command against a bare PyTorch loop.

Both take the same model, e-mails, batches, loss, clipping, optimizer and schedule, turn by turn in
one process. CPU time is what to compare on a machine that others use as well.

    OMP_NUM_THREADS=2 python tests/benchmarks/throughput.py --config configs/lstm.yaml
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightning
import torch
from rich.console import Console
from rich.table import Table
from torch import nn

from routing.corpus.sources import load_splits
from routing.flags import load_settings
from routing.router import build_model
from routing.settings import Settings
from routing.training.checkpoint import Checkpoints
from routing.training.data import RoutingData, encode
from routing.training.history import History
from routing.training.losses import drop_words, email_losses
from routing.training.module import RoutingModule
from routing.training.run import _make_reader
from routing.training.trainer import make_trainer, quiet

ROUTES = ("delivery", "refunds")


@dataclass
class Clock(lightning.Callback):
    """Seconds from the first step of an epoch to the end of its last."""

    wall: float = 0.0
    cpu: float = 0.0

    def start(self) -> None:
        self.wall, self.cpu = -time.perf_counter(), -time.process_time()

    def stop(self) -> None:
        self.wall += time.perf_counter()
        self.cpu += time.process_time()

    def on_train_epoch_start(self, *_: Any) -> None:
        self.start()

    def on_train_batch_end(self, trainer: lightning.Trainer, *arguments: Any) -> None:
        if arguments[-1] + 1 == trainer.num_training_batches:
            self.stop()


def prepare(settings: Settings, *, emails: int | None = None) -> RoutingData:
    """Return the first ``emails`` training e-mails (None: all) and a few to validate on."""
    splits = load_splits(settings)
    train = splits.train[:emails]
    reader = _make_reader(settings, train)
    return RoutingData(
        train=encode(train, reader, ROUTES),
        validation=encode(splits.validation[:8], reader, ROUTES),
        reader=reader,
        settings=settings.train,
    )


def padding(data: RoutingData) -> float:
    """Return the share of the places in an epoch's batches that hold no token."""
    batches = list(data._training_batches(0))
    places = sum(batch.token_ids.numel() for batch in batches)
    return 1 - sum(int(batch.lengths.sum()) for batch in batches) / places


def make_module(settings: Settings, data: RoutingData) -> RoutingModule:
    torch.manual_seed(0)
    model = build_model(settings.model, reader=data.reader, routes=2)
    steps = data.optimizer_steps(1)
    return RoutingModule(model, routes=2, settings=settings.train, steps=steps)


def run_lightning(settings: Settings, data: RoutingData, clock: Clock) -> None:
    with tempfile.TemporaryDirectory() as name, quiet():
        folder = Path(name)
        callbacks = [Checkpoints(folder, steps=500), History(folder / "history.csv"), clock]
        trainer = make_trainer(settings, folder=folder, callbacks=callbacks, progress=False)
        trainer.fit(make_module(settings, data), data)


def run_bare(settings: Settings, data: RoutingData, clock: Clock) -> None:
    module = make_module(settings, data)
    model, chosen = module.model, module.configure_optimizers()
    optimizer, scheduler = chosen["optimizer"], chosen["lr_scheduler"]["scheduler"]
    train = settings.train
    data.trainer = None
    model.train()
    clock.start()
    for batch in data._training_batches(0):
        batch = drop_words(batch, train.word_dropout)
        losses = email_losses(model(*batch.inputs()), batch, margin=train.margin)
        optimizer.zero_grad()
        (losses * batch.weights).sum().backward()
        nn.utils.clip_grad_norm_(model.parameters(), train.clip_norm)
        optimizer.step()
        scheduler.step()
    clock.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=Path("configs/lstm.yaml"))
    parser.add_argument("--emails", type=int, default=16_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    trainer = {"accelerator": "cpu", "precision": "32-true"}  # as the bare loop computes
    flags = {"train": {"epochs": 1}, "trainer": trainer}
    settings = load_settings(options.config, flags)
    free = load_settings(options.config, {**flags, "trainer": {**trainer, "deterministic": False}})
    data = prepare(settings, emails=options.emails)
    batches = list(data._training_batches(0))
    tokens = sum(int(batch.lengths.sum()) for batch in batches)
    run_bare(settings, data, Clock())
    ways = {
        "bare loop": (run_bare, settings),
        "Lightning": (run_lightning, free),
        "Lightning, deterministic": (run_lightning, settings),
    }
    times: dict[str, list[Clock]] = {name: [] for name in ways}
    for _ in range(options.rounds):
        for name, (run, chosen) in ways.items():
            torch.use_deterministic_algorithms(False)
            clock = Clock()
            run(chosen, data, clock)
            times[name].append(clock)
    best = {n: (min(c.wall for c in t), min(c.cpu for c in t)) for n, t in times.items()}
    table = Table(title=f"{options.config}: {tokens} tokens, {len(batches)} steps, best of rounds")
    for heading in ("", "tokens/s", "tokens/CPU-s", "of bare", "of bare (CPU)"):
        table.add_column(heading, justify="right")
    wall, cpu = best["bare loop"]
    for name, (seconds, busy) in best.items():
        table.add_row(
            name,
            f"{tokens / seconds:,.0f}",
            f"{tokens / busy:,.0f}",
            f"{wall / seconds:.3f}",
            f"{cpu / busy:.3f}",
        )
    console = Console()
    console.print(table)
    whole = prepare(settings)
    console.print(f"padding: {padding(whole):.2%} of the places, {len(whole.train.rows)} e-mails")


if __name__ == "__main__":
    main()
