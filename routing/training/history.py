"""The course of a training: one row of history.csv per epoch."""

import csv
import time
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import lightning


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One epoch.

    Attributes:
        epoch: counted from 1.
        step: optimizer steps so far.
        train_loss: mean training loss of the epoch, margin, swap loss and smoothing included.
        val_loss: mean cross-entropy on the validation e-mails.
        val_accuracy: share in [0, 1].
        val_macro_f1: in [0, 1].
        learning_rate: of the next step.
        seconds: since the start of the run, breaks left out.
    """

    epoch: int
    step: int
    train_loss: float
    val_loss: float
    val_accuracy: float
    val_macro_f1: float
    learning_rate: float
    seconds: float


class History(lightning.Callback):
    """Writes history.csv; a resumed run goes on with the rows that its checkpoint knew.

    Args:
        file: where to write.

    Attributes:
        rows: the epochs so far.
        seconds_before: training time of the run before it was resumed.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rows: list[HistoryRow] = []
        self.seconds_before = 0.0
        self._started = time.perf_counter()

    def state_dict(self) -> dict[str, Any]:
        """Return the rows and the seconds so far."""
        return {"rows": [asdict(row) for row in self.rows], "seconds": self.seconds()}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over the rows and the seconds so far."""
        self.rows = [HistoryRow(**row) for row in state_dict["rows"]]
        self.seconds_before = state_dict["seconds"]

    def seconds(self) -> float:
        """Return the seconds of training so far, breaks left out."""
        return self.seconds_before + time.perf_counter() - self._started

    def on_train_start(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule
    ) -> None:
        """Start the clock."""
        self._started = time.perf_counter()

    def on_train_epoch_end(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule
    ) -> None:
        """Add the row of the epoch."""
        metrics = {name: float(value) for name, value in trainer.callback_metrics.items()}
        row = HistoryRow(
            epoch=trainer.current_epoch + 1,
            step=trainer.global_step,
            train_loss=metrics["train_epoch_loss"],
            val_loss=metrics["val_loss"],
            val_accuracy=metrics["val_accuracy"],
            val_macro_f1=metrics["val_macro_f1"],
            learning_rate=trainer.optimizers[0].param_groups[0]["lr"],
            seconds=round(self.seconds(), 2),
        )
        self.rows.append(row)
        if trainer.is_global_zero:
            self._write()

    def _write(self) -> None:
        part = self.file.with_suffix(".part")
        with part.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(field.name for field in fields(HistoryRow))
            writer.writerows(asdict(row).values() for row in self.rows)
        part.replace(self.file)
