"""One model under Lightning: loss, optimizer, schedule, validation.

Shape letters: B e-mails, R routes.
"""

import math
import random
from typing import Any

import lightning
import numpy as np
import torch
from lightning.pytorch.utilities.types import OptimizerLRScheduler
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.lr_scheduler import LambdaLR, LinearLR, LRScheduler, ReduceLROnPlateau
from torchmetrics.classification import MulticlassConfusionMatrix

from routing.corpus.batches import Batch
from routing.errors import TrainingError
from routing.models.pretrained import PretrainedModel
from routing.models.second_look import swap_loss
from routing.settings import TrainSettings
from routing.training.data import Held
from routing.training.losses import drop_words, email_losses
from routing.training.threads import add_losses, split_batch

LARGEST_LOSS = 1e4
"""A loss beyond it has exploded (guessing among R routes costs log R)."""


class RoutingModule(lightning.LightningModule):
    """Trains ``model`` on batches of labelled e-mails.

    The chance in a step (dropout, word dropout) depends on seed, epoch, batch and rank alone,
    so a resumed run repeats what an uninterrupted one does.

    Args:
        model: token ids -> logits (B, R); its ``embed``, ``read`` and ``finder`` are as
            RecurrentModel has them.
        routes: R.
        settings: the optimization.
        steps: optimizer steps of the whole training, for the schedule.
        route_weights: (R,) weights of the routes in the loss, None for equal ones.
    """

    def __init__(
        self,
        model: nn.Module,
        *,
        routes: int,
        settings: TrainSettings,
        steps: int,
        route_weights: Tensor | None = None,
    ) -> None:
        super().__init__()
        self.model = model
        self.train_settings = settings
        self.steps = steps
        self.route_weights: Tensor | None
        self.register_buffer("route_weights", route_weights, persistent=False)
        self.confusion = MulticlassConfusionMatrix(routes)
        self.decayed = {name for name, p in model.named_parameters() if p.ndim > 1}
        self.plateau: ReduceLROnPlateau | None = None
        self._plateau_state: dict[str, Any] | None = None
        self._train_loss = torch.zeros(())
        self._validation_loss = torch.zeros(())

    def on_train_batch_start(self, batch: Held, batch_idx: int) -> None:
        """Seed the chance of this step."""
        place = (self.train_settings.seed, self.current_epoch, batch_idx, self.global_rank)
        seed = int(np.random.SeedSequence(place).generate_state(1)[0])
        random.seed(seed)
        np.random.seed(seed)
        torch.manual_seed(seed)

    def training_step(self, held: Held, batch_idx: int) -> Tensor:
        """Return the loss of this rank's share of a batch (its mean over ranks is the loss)."""
        batch = drop_words(held.batch, self.train_settings.word_dropout)
        shares = self._shares(batch)
        if len(shares) == 1:
            loss = self._loss(batch)
        else:
            loss = add_losses(self._loss, shares, self.model)
        self._train_loss = self._train_loss.to(loss.device) + loss.detach()
        self._check(loss.detach())
        self.log("train_loss", loss.detach(), prog_bar=True, batch_size=1)
        return loss

    def _shares(self, batch: Batch) -> list[Batch]:
        """Return the batch as the threads share it: whole but on a CPU."""
        threads = min(self.train_settings.threads, torch.get_num_threads())
        if threads == 1 or batch.lengths.device.type != "cpu":
            return [batch]
        return split_batch(batch, threads)

    def _loss(self, batch: Batch) -> Tensor:
        """Return the weighted sum of the e-mails' losses."""
        settings = self.train_settings
        truncation = {"truncate_steps": settings.truncate_steps} if settings.truncate_steps else {}
        model: Any = self.model
        embedded = model.embed(batch.token_ids, batch.word_ids, batch.piece_ids)
        logits, _, states = model.read(embedded, batch.lengths, **truncation)
        losses = email_losses(
            logits.float(),  # (B, R)
            batch,
            route_weights=self.route_weights,
            label_smoothing=settings.label_smoothing,
            margin=settings.margin,
        )  # (B,)
        if model.finder is not None and batch.swaps is not None:
            scores = model.finder(states, batch.lengths)  # (B, T, 4)
            losses = losses + settings.swap * swap_loss(scores, batch.swaps)
        assert batch.weights is not None
        return (losses * batch.weights).sum()

    def _check(self, loss: Tensor) -> None:
        """Raise TrainingError when the loss is no number or has exploded.

        On a CPU at every step; elsewhere, where looking makes the device wait, at every
        sixteenth (a loss that is no number stays so, for the weights are spoilt by then).
        """
        if (loss.device.type == "cpu" or self.global_step % 16 == 0) and not loss < LARGEST_LOSS:
            raise TrainingError(
                f"the loss is {float(loss):.4g} at step {self.global_step} "
                f"(epoch {self.current_epoch + 1}): lower train.learning_rate "
                f"(now {self.train_settings.learning_rate:g}) or train.clip_norm"
            )

    def on_validation_epoch_start(self) -> None:
        """Forget the last validation."""
        self.confusion.reset()
        self._validation_loss = torch.zeros((), device=self.device)

    def validation_step(self, held: Held, batch_idx: int) -> None:
        """Count right and wrong routes."""
        batch = held.batch
        assert batch.routes is not None and batch.weights is not None
        real = batch.weights > 0
        logits = self.model(*batch.inputs())[real].float()  # (B, R)
        routes = batch.routes[real]
        self._validation_loss += functional.cross_entropy(logits, routes, reduction="sum")
        self.confusion.update(logits, routes)

    def on_validation_epoch_end(self) -> None:
        """Log what training and validation came to over all ranks; lower the rate on a plateau."""
        confusion = self.confusion.compute().double()
        totals = confusion.sum(0) + confusion.sum(1)
        scores = (2 * confusion.diagonal() / totals)[totals > 0]
        loss = self.trainer.strategy.reduce(self._validation_loss, reduce_op="sum")
        mean = (loss / confusion.sum()).float()
        train_loss = self.trainer.strategy.reduce(self._train_loss, reduce_op="mean")
        self._train_loss = torch.zeros(())
        self.log("train_epoch_loss", train_loss / self.trainer.num_training_batches)
        self.log("val_loss", mean)
        self.log("val_accuracy", (confusion.diagonal().sum() / confusion.sum()).float())
        self.log("val_macro_f1", scores.mean().float(), prog_bar=True)
        if self.plateau is not None:
            self.plateau.step(float(mean))

    def configure_optimizers(self) -> OptimizerLRScheduler:
        """Return AdamW (Loshchilov & Hutter 2019) and its schedule, one step at a time."""
        settings = self.train_settings
        optimizer = torch.optim.AdamW(
            self._parameter_groups(), lr=settings.learning_rate, fused=True
        )
        scheduler = self._schedule(optimizer)
        return {
            "optimizer": optimizer,
            "lr_scheduler": {"scheduler": scheduler, "interval": "step"},
        }

    def _parameter_groups(self) -> list[dict[str, Any]]:
        """Return the groups that the model asks for, else one with and one without decay."""
        settings = self.train_settings
        if isinstance(self.model, PretrainedModel):
            return self.model.parameter_groups(
                learning_rate=settings.learning_rate, weight_decay=settings.weight_decay
            )
        named = list(self.model.named_parameters())
        decay = [p for name, p in named if name in self.decayed]
        plain = [p for name, p in named if name not in self.decayed]
        return [
            {"params": decay, "weight_decay": settings.weight_decay},
            {"params": plain, "weight_decay": 0.0},
        ]

    def _schedule(self, optimizer: torch.optim.Optimizer) -> LRScheduler:
        if self.train_settings.schedule != "plateau":
            return LambdaLR(optimizer, self._rate)
        self.plateau = ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
        if self._plateau_state is not None:
            self.plateau.load_state_dict(self._plateau_state)
        warm = self._warm_steps()
        return LinearLR(optimizer, start_factor=1 / warm, total_iters=warm - 1)

    def _warm_steps(self) -> int:
        return max(1, round(self.train_settings.warmup_share * self.steps))

    def _rate(self, step: int) -> float:
        """Return the share of the peak learning rate at ``step``, counted from 0."""
        warm = self._warm_steps()
        if step < warm:
            return (step + 1) / warm
        done = min(1.0, (step - warm) / max(1, self.steps - warm))
        match self.train_settings.schedule:
            case "cosine":
                return 0.5 * (1 + math.cos(math.pi * done))
            case "linear":
                return 1 - done
            case _:
                return 1.0

    def configure_gradient_clipping(
        self,
        optimizer: torch.optim.Optimizer,
        gradient_clip_val: float | None = None,
        gradient_clip_algorithm: str | None = None,
    ) -> None:
        """Clip the norm of the whole gradient, over all shards where it is sharded."""
        largest = self.train_settings.clip_norm
        if largest == 0:
            return
        sharded = getattr(self.trainer.model, "clip_grad_norm_", None)
        if sharded is not None:
            sharded(largest)
        else:
            nn.utils.clip_grad_norm_(self.model.parameters(), largest)

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Add the state of the plateau and the epoch's loss so far, over all ranks."""
        total = self.trainer.strategy.reduce(self._train_loss.clone(), reduce_op="mean")
        checkpoint["train_loss"] = torch.as_tensor(total).cpu()
        checkpoint["plateau"] = self.plateau.state_dict() if self.plateau else None

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Take over what ``on_save_checkpoint`` added."""
        self._train_loss = checkpoint["train_loss"]
        self._plateau_state = checkpoint["plateau"]
