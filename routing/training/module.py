"""One model under Lightning: losses, optimizer, validation.

Shape letters: B e-mails, K pairs, R routes.
"""

import math

import lightning
import torch
from torch import Tensor, nn
from torch.nn import functional
from torchmetrics.classification import MulticlassConfusionMatrix

from routing.corpus.batches import Batch
from routing.settings import TrainSettings


class RoutingModule(lightning.LightningModule):
    """Trains ``model`` on batches of labelled e-mails.

    Args:
        model: token ids -> logits (B, R).
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
        self.route_weights = route_weights
        self.confusion = MulticlassConfusionMatrix(routes)

    def training_step(self, batch: Batch, batch_idx: int) -> Tensor:
        """Return the loss of this rank's share of a batch (its mean over ranks is the loss)."""
        settings = self.train_settings
        batch = drop_words(batch, settings.word_dropout)
        logits = self.model(*batch.inputs())  # (B, R)
        loss = self._loss(logits, batch)
        self.log("train_loss", loss, on_step=False, on_epoch=True, sync_dist=True, batch_size=1)
        return loss

    def _loss(self, logits: Tensor, batch: Batch) -> Tensor:
        assert batch.routes is not None and batch.weights is not None
        losses = functional.cross_entropy(
            logits,
            batch.routes,
            weight=self.route_weights,
            label_smoothing=self.train_settings.label_smoothing,
            reduction="none",
        )  # (B,)
        if batch.teacher is not None:
            taught = -(batch.teacher * logits.log_softmax(dim=1)).sum(dim=1)  # (B,)
            losses = 0.5 * losses + 0.5 * taught
        if batch.pairs is not None and len(batch.pairs) and self.train_settings.margin:
            margins = pair_margin(logits, batch.routes, batch.pairs)  # (K,)
            losses = losses.index_add(0, batch.pairs[:, 0], self.train_settings.margin * margins)
        return (losses * batch.weights).sum()

    def validation_step(self, batch: Batch, batch_idx: int) -> None:
        """Count right and wrong routes."""
        assert batch.routes is not None and batch.weights is not None
        real = batch.weights > 0
        self.confusion.update(self.model(*batch.inputs())[real], batch.routes[real])

    def on_validation_epoch_end(self) -> None:
        """Log validation accuracy and macro-F1 over all ranks."""
        confusion = self.confusion.compute().double()
        totals = confusion.sum(0) + confusion.sum(1)
        scores = (2 * confusion.diagonal() / totals)[totals > 0]
        self.log("val_macro_f1", scores.mean().float(), prog_bar=True)
        accuracy = confusion.diagonal().sum() / confusion.sum()
        self.log("val_accuracy", accuracy.float(), prog_bar=True)
        self.confusion.reset()

    def configure_optimizers(self) -> dict[str, object]:
        """Return AdamW (Loshchilov & Hutter 2019) and its schedule, one step at a time."""
        settings = self.train_settings
        decay = [p for p in self.model.parameters() if p.ndim > 1]
        plain = [p for p in self.model.parameters() if p.ndim <= 1]
        optimizer = torch.optim.AdamW(
            [
                {"params": decay, "weight_decay": settings.weight_decay},
                {"params": plain, "weight_decay": 0.0},
            ],
            lr=settings.learning_rate,
        )
        scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, self._rate)
        return {
            "optimizer": optimizer,
            "lr_scheduler": {"scheduler": scheduler, "interval": "step"},
        }

    def _rate(self, step: int) -> float:
        """Return the share of the peak learning rate at ``step``."""
        warm = max(1, round(self.train_settings.warmup_share * self.steps))
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


def pair_margin(logits: Tensor, routes: Tensor, pairs: Tensor) -> Tensor:
    """Return softplus(-gap) (K,) of each pair.

    The gap is how much more the first member's logits favour its own route over its partner's
    than the second member's logits do: a bag of words has gap 0 on every exact pair.
    """
    first, second = pairs[:, 0], pairs[:, 1]
    mine, other = routes[first], routes[second]
    lead_first = logits[first, mine] - logits[first, other]
    lead_second = logits[second, mine] - logits[second, other]
    return functional.softplus(lead_second - lead_first)


def drop_words(batch: Batch, rate: float) -> Batch:
    """Return the batch with a share ``rate`` of its distinct words made unknown (word dropout)."""
    if rate == 0:
        return batch
    from dataclasses import replace

    keep = torch.rand(len(batch.word_ids), device=batch.word_ids.device) >= rate
    keep[0] = True
    return replace(
        batch,
        word_ids=torch.where(keep, batch.word_ids, 1),
        piece_ids=batch.piece_ids * keep[:, None],
    )
