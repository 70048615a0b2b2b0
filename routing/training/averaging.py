"""The moving average of the weights, which is validated and kept in place of the last ones."""

from typing import Any

import lightning
from lightning.pytorch.callbacks import WeightAveraging
from torch import Tensor


class Averaging(WeightAveraging):
    """Averages the weights exponentially over the steps (Polyak & Juditsky 1992).

    After n steps the average takes over min(``decay``, (n + 1) / (n + 10)) of itself and the rest
    from the weights, so that a short training does not keep the weights that it began with.

    It has to come before ``Checkpoints``, whose checkpoint holds the average after the same step.

    Args:
        decay: in (0, 1): 0.99 averages over about 100 steps.
    """

    def __init__(self, decay: float) -> None:
        def mix(average: Tensor, weights: Tensor, steps: Tensor | int) -> Tensor:
            taken = min(decay, (int(steps) + 1) / (int(steps) + 10))
            return average.lerp(weights, 1 - taken)

        super().__init__(use_buffers=False, avg_fn=mix)

    def on_validation_epoch_end(self, trainer: lightning.Trainer, pl_module: Any) -> None:
        """Leave the average in place for what comes after: ``Checkpoints`` keeps it."""

    def on_train_epoch_end(self, trainer: lightning.Trainer, pl_module: Any) -> None:
        """Go on with the weights themselves once the epoch has been validated."""
        super().on_validation_epoch_end(trainer, pl_module)
