"""What a run keeps on the way: the best weights, and a checkpoint to go on from exactly.

``checkpoints/last.ckpt`` is written inside an epoch only, after an optimizer step: every
``train.checkpoint_steps`` steps, at the first step of each later epoch, and on Ctrl-C. A run
killed at any other moment repeats the few steps since, bit by bit.
"""

from pathlib import Path
from typing import Any

import lightning
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

AGREE_STEPS = 10
"""Steps between two looks of several processes at whether one was told to stop."""


class StoppedError(Exception):
    """Training was told to stop and has written its checkpoint."""


class Checkpoints(lightning.Callback):
    """Keeps the best weights and the last checkpoint of a run.

    Args:
        folder: the run folder.
        steps: optimizer steps between checkpoints.

    Attributes:
        stop: set it to stop at the next step, with a checkpoint.
    """

    def __init__(self, folder: Path, *, steps: int) -> None:
        self.last = folder / "checkpoints" / "last.ckpt"
        self.best = folder / "checkpoints" / "best.safetensors"
        self.steps = steps
        self.stop = False
        self._best_score = (float("-inf"), float("-inf"))

    def state_dict(self) -> dict[str, Any]:
        """Return the best score so far."""
        return {"best_score": list(self._best_score)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over the best score so far."""
        first, second = state_dict["best_score"]
        self._best_score = (first, second)

    def on_validation_end(
        self, trainer: lightning.Trainer, pl_module: lightning.LightningModule
    ) -> None:
        """Keep the weights when macro-F1 is higher, or as high with a lower loss."""
        metrics = trainer.callback_metrics
        score = (float(metrics["val_macro_f1"]), -float(metrics["val_loss"]))
        if score <= self._best_score:
            return
        self._best_score = score
        state = trainer.strategy.lightning_module_state_dict()
        if trainer.is_global_zero:
            _write_weights(self.best, state)
        trainer.strategy.barrier()

    def on_train_batch_end(
        self,
        trainer: lightning.Trainer,
        pl_module: lightning.LightningModule,
        outputs: Any,
        batch: Any,
        batch_idx: int,
    ) -> None:
        """Write a checkpoint where one is due; raise StoppedError after it when told to stop."""
        done = batch_idx + 1
        accumulate = trainer.accumulate_grad_batches
        if done % accumulate or done == trainer.num_training_batches:
            return
        step = trainer.global_step
        stop = self._agree_to_stop(trainer, step)
        first = done == accumulate and trainer.current_epoch > 0
        if stop or first or step % self.steps == 0:
            self._write(trainer)
        if stop:
            raise StoppedError

    def _agree_to_stop(self, trainer: lightning.Trainer, step: int) -> bool:
        """Return True when any process was told to stop; the same in every process."""
        if trainer.world_size == 1:
            return self.stop
        if step % AGREE_STEPS:
            return False
        return bool(trainer.strategy.reduce_boolean_decision(self.stop, all=False))

    def _write(self, trainer: lightning.Trainer) -> None:
        part = self.last.with_suffix(".part")
        trainer.save_checkpoint(part)
        if trainer.is_global_zero:
            part.replace(self.last)
        trainer.strategy.barrier()


def _write_weights(file: Path, state: dict[str, Tensor]) -> None:
    """Write the model's weights in one go, so that a kill leaves the old file or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    prefix = "model."
    save_file(
        {
            name.removeprefix(prefix): tensor.detach().cpu().contiguous().clone()
            for name, tensor in state.items()
            if name.startswith(prefix)
        },
        part,
    )
    part.replace(file)


def read_weights(file: Path) -> dict[str, Tensor]:
    """Return the weights that ``Checkpoints`` kept as the best ones."""
    weights: dict[str, Tensor] = load_file(file)
    return weights


def read_checkpoint(file: Path) -> dict[str, Any]:
    """Return a checkpoint; nothing in it is unpickled but tensors and plain values."""
    checkpoint: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
    return checkpoint
