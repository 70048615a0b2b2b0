"""A writer of case notes under Lightning: its batches, loss, optimizer and validation.

Shape letters: B e-mails, N note words, U distinct words of a batch.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import lightning
import numpy as np
import torch
from lightning.pytorch.utilities.types import OptimizerLRScheduler
from torch import Tensor, nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader

from routing.corpus.batches import Batch, cut_by_length
from routing.errors import TrainingError
from routing.models.note import END, PADDING, UNKNOWN, NoteModel
from routing.notes import NoteWriter, name_rows
from routing.records import Email
from routing.settings import TrainSettings
from routing.training.data import POOL_BATCHES, curriculum_share, deal, shortest_units
from routing.training.losses import drop_words

NoteBatch = tuple[Tensor, ...]
"""token_ids, lengths, word_ids, piece_ids, row_words (U,), notes (B, N): Lightning moves it."""


@dataclass(frozen=True, slots=True)
class NotedEmail:
    """An e-mail with the note that is right for it.

    Attributes:
        email: the e-mail.
        words: of the note, as ``routing.notes.note_tokens`` cuts it.
    """

    email: Email
    words: tuple[str, ...]


class NoteBatches:
    """Batches of one epoch, in an order fixed by seed and epoch.

    Args:
        items: the e-mails.
        writer: knows the words.
        settings: the optimization.
        epoch: counted from 0; None for validation, which is not shuffled.
        first: batches of the epoch that are already done.
    """

    def __init__(
        self,
        items: Sequence[NotedEmail],
        writer: NoteWriter,
        *,
        settings: TrainSettings,
        epoch: int | None,
        first: int = 0,
    ) -> None:
        self.items = items
        self.writer = writer
        self.first = first
        lengths = [max(1, len(item.email.text)) for item in items]
        units: Sequence[tuple[int, ...]] = [(place,) for place in range(len(items))]
        share = 1.0
        if epoch is not None:
            units = deal(units, parts=writer.settings.corpus.parts, epoch=epoch)
            share = curriculum_share(epoch, curriculum_epochs=settings.curriculum_epochs)
        self.batches = cut_by_length(
            lengths,
            shortest_units(lengths, units, share=share),
            batch_emails=settings.batch_emails,
            seed=None if epoch is None else settings.seed * 1_000_003 + epoch,
            pool_batches=POOL_BATCHES,
        )

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self) -> Iterator[NoteBatch]:
        for units in self.batches[self.first :]:
            yield make_batch([self.items[place] for (place,) in units], self.writer)


def make_batch(items: Sequence[NotedEmail], writer: NoteWriter) -> NoteBatch:
    """Return e-mails and notes as numbers."""
    texts = [writer.reader.texts(item.email) or ["<unknown>"] for item in items]
    batch = writer.reader.token_batch(texts)
    rows = name_rows(batch, texts)
    places = {word: row for row, word in enumerate(rows)}
    first = len(writer.words)

    def number(word: str) -> int:
        known = writer.numbers.get(word)
        if known is None:
            known = first + places[word] if _copies(writer, places, word) else UNKNOWN
        return known

    notes = torch.full((len(items), 1 + max(len(item.words) for item in items)), PADDING)
    for place, item in enumerate(items):
        numbers = [*map(number, item.words), END]
        notes[place, : len(numbers)] = torch.tensor(numbers)
    return (*batch.inputs(), writer.row_words(rows), notes)


def _copies(writer: NoteWriter, places: dict[str, int], word: str) -> bool:
    return writer.model.attention and word in places


class NoteData(lightning.LightningDataModule):
    """The e-mails of one fit, with their notes."""

    def __init__(
        self,
        writer: NoteWriter,
        *,
        train: Sequence[NotedEmail],
        validation: Sequence[NotedEmail],
    ) -> None:
        super().__init__()
        self.writer = writer
        self.train = train
        self.validation = validation
        for item in (*train, *validation):
            writer.reader.rows(item.email)  # words get their rows in one order, resumed or not

    def steps(self) -> int:
        """Return the steps of all epochs."""
        settings = self.writer.settings.train
        return sum(len(self._training(epoch)) for epoch in range(settings.epochs))

    def train_dataloader(self) -> DataLoader[NoteBatch]:
        """Return the batches of the current epoch that are still to be done."""
        assert self.trainer is not None
        loop = self.trainer.fit_loop
        first = loop.epoch_loop.batch_progress.current.ready if loop.restarting else 0
        return self._training(self.trainer.current_epoch, first)  # type: ignore[return-value]

    def val_dataloader(self) -> DataLoader[NoteBatch]:
        """Return the batches of the validation e-mails."""
        settings = self.writer.settings.train
        return NoteBatches(  # type: ignore[return-value]
            self.validation, self.writer, settings=settings, epoch=None
        )

    def _training(self, epoch: int, first: int = 0) -> NoteBatches:
        settings = self.writer.settings.train
        return NoteBatches(self.train, self.writer, settings=settings, epoch=epoch, first=first)


class NoteModule(lightning.LightningModule):
    """Trains a NoteModel by teacher forcing; what is left to chance hangs on the step alone.

    Args:
        model: the model.
        settings: the optimization.
        steps: of the whole training, for the schedule.
    """

    def __init__(self, model: NoteModel, settings: TrainSettings, *, steps: int) -> None:
        super().__init__()
        self.model = model
        self.train_settings = settings
        self.steps = steps
        self._losses: list[Tensor] = []
        self._validation_losses: list[Tensor] = []
        self._right: list[Tensor] = []

    def training_step(self, batch: NoteBatch, batch_idx: int) -> Tensor:
        """Return the mean loss of a word; a share of the e-mails' words is made unknown.

        A word made unknown can only be copied, as one of which not even a piece was seen. Raises
        TrainingError when the loss is no number.
        """
        settings = self.train_settings
        place = (settings.seed, self.current_epoch, batch_idx)
        torch.manual_seed(int(np.random.SeedSequence(place).generate_state(1)[0]))
        *inputs, row_words, notes = batch
        dropped = drop_words(Batch(*inputs), settings.word_dropout)
        loss = note_loss(self.model, (*dropped.inputs(), row_words, notes))
        if not torch.isfinite(loss):
            raise TrainingError(
                f"the loss is {float(loss):.4g} at step {self.global_step}: lower "
                f"train.learning_rate (now {settings.learning_rate:g})"
            )
        self._losses.append(loss.detach())
        return loss

    def validation_step(self, batch: NoteBatch, batch_idx: int) -> None:
        """Count the notes written word for word."""
        self._validation_losses.append(note_loss(self.model, batch))
        self._right.append(exact_matches(self.model, batch))

    def on_validation_epoch_end(self) -> None:
        """Log the losses and, as accuracy and score to stop by, the share of exact notes."""
        exact = torch.cat(self._right).float().mean()
        self.log("train_epoch_loss", torch.stack(self._losses).mean())
        self.log("val_loss", torch.stack(self._validation_losses).mean())
        self.log("val_accuracy", exact)
        self.log("val_macro_f1", exact, prog_bar=True)
        for found in (self._losses, self._validation_losses, self._right):
            found.clear()

    def on_save_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Add the losses of the epoch so far."""
        checkpoint["losses"] = torch.stack(self._losses)

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Take over what ``on_save_checkpoint`` added."""
        self._losses = list(checkpoint["losses"])

    def configure_optimizers(self) -> OptimizerLRScheduler:
        """Return AdamW, its rate rising and falling along half a cosine."""
        settings = self.train_settings
        optimizer = torch.optim.AdamW(
            self.parameters(), lr=settings.learning_rate, weight_decay=settings.weight_decay
        )
        warm = max(1, round(settings.warmup_share * self.steps))

        def rate(step: int) -> float:
            done = min(1.0, max(0, step - warm) / max(1, self.steps - warm))
            return min((step + 1) / warm, 0.5 * (1 + math.cos(math.pi * done)))

        scheduler = {"scheduler": LambdaLR(optimizer, rate), "interval": "step"}
        return {"optimizer": optimizer, "lr_scheduler": scheduler}  # type: ignore[return-value]

    def configure_gradient_clipping(
        self,
        optimizer: torch.optim.Optimizer,
        gradient_clip_val: float | None = None,
        gradient_clip_algorithm: str | None = None,
    ) -> None:
        """Clip the norm of the whole gradient."""
        if self.train_settings.clip_norm:
            nn.utils.clip_grad_norm_(self.parameters(), self.train_settings.clip_norm)


def note_loss(model: NoteModel, batch: NoteBatch) -> Tensor:
    """Return the mean loss of a word of the notes that can be written at all."""
    *inputs, row_words, notes = batch
    logs = model(*inputs, row_words=row_words, notes=notes)  # (B, N)
    counted = (notes != PADDING) & (notes != UNKNOWN)
    loss: Tensor = -(logs * counted).sum() / counted.sum()
    return loss


def exact_matches(model: NoteModel, batch: NoteBatch) -> Tensor:
    """Return which notes (B,) are written word for word, greedily."""
    *inputs, row_words, notes = batch
    written, _ = model.write(*inputs, row_words=row_words, max_words=notes.shape[1])
    width = max(written.shape[1], notes.shape[1])
    found = notes.new_full((len(notes), width), PADDING)
    found[:, : written.shape[1]] = written
    right = nn.functional.pad(notes, (0, width - notes.shape[1]), value=PADDING)
    return ((found == right) | (right == PADDING)).all(dim=1) & (notes != UNKNOWN).all(dim=1)
