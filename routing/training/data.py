"""Labelled e-mails as Lightning wants them: batches by length, pairs whole, ranks apart.

Every rank takes its share of each batch, so that all ranks together do what one process does
with the same batch: no e-mail is dropped or seen twice, in training and in validation.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import lightning
import numpy as np
import torch
from torch.utils.data import DataLoader

from routing.corpus.batches import Batch, Rows, cut_by_length
from routing.corpus.readers import WordReader


@dataclass(frozen=True, slots=True)
class Encoded:
    """A split as numbers.

    Attributes:
        rows: each e-mail as the reader's rows.
        routes: index of each e-mail's right route.
        units: places of the members of each pair, or of a single e-mail.
        teacher: (B, R) probabilities of a teacher, None without.
    """

    rows: Sequence[Rows]
    routes: Sequence[int]
    units: Sequence[tuple[int, ...]]
    teacher: np.ndarray | None = None


class Batches:
    """Batches of one rank; iterating gives one epoch, in an order fixed by seed and epoch.

    Args:
        split: the e-mails.
        reader: makes padded batches.
        batch_emails: e-mails in one batch over all ranks.
        seed: None: no shuffling.
        rank: of this process.
        ranks: processes.
    """

    def __init__(
        self,
        split: Encoded,
        reader: WordReader,
        *,
        batch_emails: int,
        seed: int | None,
        rank: int = 0,
        ranks: int = 1,
    ) -> None:
        self.split = split
        self.reader = reader
        self.batch_emails = batch_emails
        self.seed = seed
        self.rank = rank
        self.ranks = ranks
        self.epoch = 0
        self.lengths = [max(1, len(rows)) for rows in split.rows]

    def __len__(self) -> int:
        return len(self._cut())

    def __iter__(self) -> Iterator[Batch]:
        for units in self._cut():
            yield self._batch(units)

    def set_epoch(self, epoch: int) -> None:
        """Choose the epoch's order (Lightning calls it)."""
        self.epoch = epoch

    def _cut(self) -> list[list[tuple[int, ...]]]:
        seed = None if self.seed is None else self.seed * 1_000_003 + self.epoch
        return cut_by_length(
            self.lengths, self.split.units, batch_emails=self.batch_emails, seed=seed
        )

    def _batch(self, units: Sequence[tuple[int, ...]]) -> Batch:
        """Return this rank's share; a rank without one gets an e-mail of no weight."""
        mine = units[self.rank :: self.ranks]
        total = sum(map(len, units))
        count = sum(map(len, mine))
        places = [i for unit in mine for i in unit] or [units[0][0]]
        starts = np.cumsum([0, *map(len, mine)])
        pairs = [(s, s + 1) for s, u in zip(starts, mine, strict=False) if len(u) == 2]
        batch = self.reader.batch([self.split.rows[i] for i in places])
        teacher = self.split.teacher
        return replace(
            batch,
            routes=torch.tensor([self.split.routes[i] for i in places]),
            pairs=torch.tensor(pairs, dtype=torch.long).reshape(-1, 2),
            weights=torch.full((len(places),), self.ranks / total if count else 0.0),
            teacher=None if teacher is None else torch.from_numpy(teacher[places]).float(),
        )


class RoutingData(lightning.LightningDataModule):
    """The training and validation splits of one fit."""

    def __init__(
        self,
        *,
        train: Encoded,
        validation: Encoded,
        reader: WordReader,
        batch_emails: int,
        seed: int,
    ) -> None:
        super().__init__()
        self.train = train
        self.validation = validation
        self.reader = reader
        self.batch_emails = batch_emails
        self.seed = seed

    def train_dataloader(self) -> DataLoader[Batch]:
        """Return shuffled batches of this rank."""
        return self._loader(self.train, batch_emails=self.batch_emails, seed=self.seed)

    def val_dataloader(self) -> DataLoader[Batch]:
        """Return this rank's share of the validation e-mails, each once."""
        return self._loader(self.validation, batch_emails=4 * self.batch_emails, seed=None)

    def _loader(self, split: Encoded, *, batch_emails: int, seed: int | None) -> DataLoader[Batch]:
        trainer = self.trainer
        batches = Batches(
            split,
            self.reader,
            batch_emails=batch_emails,
            seed=seed,
            rank=trainer.global_rank if trainer else 0,
            ranks=trainer.world_size if trainer else 1,
        )
        return batches  # type: ignore[return-value]

    def transfer_batch_to_device(
        self, batch: Batch, device: torch.device, dataloader_idx: int
    ) -> Batch:
        """Return the batch on ``device``."""
        return batch.to(device)
