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
from routing.corpus.readers import Reader
from routing.errors import SettingsError
from routing.records import LabelledEmail
from routing.settings import TrainSettings

POOL_BATCHES = 100
"""Batches' worth of shuffled e-mails that are sorted by length together: more, less padding."""


@dataclass(frozen=True, slots=True)
class Encoded:
    """A split as numbers.

    Attributes:
        rows: each e-mail as the reader's rows.
        routes: index of each e-mail's right route.
        units: places of the members of each pair, or of a single e-mail.
        teacher: (B, R) probabilities of a teacher, None without.
        swaps: (B, 4) as in ``Batch``, None when not wanted.
    """

    rows: Sequence[Rows]
    routes: Sequence[int]
    units: Sequence[tuple[int, ...]]
    teacher: np.ndarray | None = None
    swaps: np.ndarray | None = None


class Batches:
    """Batches of one rank; iterating gives one epoch, in an order fixed by seed and epoch.

    Args:
        split: the e-mails.
        reader: makes padded batches.
        batch_emails: e-mails in one batch over all ranks.
        seed: None: no shuffling.
        epoch: counted from 0; each has an order of its own.
        share: share in (0, 1] of the e-mails that is taken, the shortest ones.
        first: batch to start at (those before it are done already).
        rank: of this process.
        ranks: processes.
    """

    def __init__(
        self,
        split: Encoded,
        reader: Reader,
        *,
        batch_emails: int,
        seed: int | None,
        epoch: int = 0,
        share: float = 1.0,
        first: int = 0,
        rank: int = 0,
        ranks: int = 1,
    ) -> None:
        self.split = split
        self.reader = reader
        self.first = first
        self.rank = rank
        self.ranks = ranks
        lengths = [max(1, len(rows)) for rows in split.rows]
        self.batches = cut_by_length(
            lengths,
            shortest_units(lengths, split.units, share=share),
            batch_emails=batch_emails,
            seed=None if seed is None else seed * 1_000_003 + epoch,
            pool_batches=POOL_BATCHES,
        )

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self) -> Iterator[Batch]:
        for units in self.batches[self.first :]:
            yield self._batch(units)

    def _batch(self, units: Sequence[tuple[int, ...]]) -> Batch:
        """Return this rank's share; a rank without one gets an e-mail of no weight."""
        mine = units[self.rank :: self.ranks]
        total = sum(map(len, units))
        count = sum(map(len, mine))
        places = [i for unit in mine for i in unit] or [units[0][0]]
        starts = np.cumsum([0, *map(len, mine)])
        pairs = [(s, s + 1) for s, u in zip(starts, mine, strict=False) if len(u) == 2]
        batch = self.reader.batch([self.split.rows[i] for i in places])
        teacher, swaps = self.split.teacher, self.split.swaps
        return replace(
            batch,
            routes=torch.tensor([self.split.routes[i] for i in places]),
            pairs=torch.tensor(pairs, dtype=torch.long).reshape(-1, 2),
            weights=torch.full((len(places),), self.ranks / total if count else 0.0),
            teacher=None if teacher is None else torch.from_numpy(teacher[places]).float(),
            swaps=None if swaps is None else torch.from_numpy(swaps[places]),
        )


def shortest_units(
    lengths: Sequence[int], units: Sequence[tuple[int, ...]], *, share: float
) -> Sequence[tuple[int, ...]]:
    """Return the ``share`` of units whose longest e-mail is shortest, at least one, in order."""
    if share >= 1:
        return units
    longest = [max(lengths[i] for i in unit) for unit in units]
    count = max(1, round(share * len(units)))
    chosen = sorted(range(len(units)), key=lambda i: longest[i])[:count]
    return [units[i] for i in sorted(chosen)]


def curriculum_share(epoch: int, *, curriculum_epochs: float) -> float:
    """Return the share of e-mails taken in an epoch (counted from 0): it grows evenly to 1.

    Short e-mails come first (Bengio et al. 2009, section 3).
    """
    return min(1.0, (epoch + 1) / (curriculum_epochs + 1))


def deal(units: Sequence[tuple[int, ...]], *, parts: int, epoch: int) -> Sequence[tuple[int, ...]]:
    """Return the part of the units that an epoch (counted from 0) takes: every ``parts``-th.

    Raises SettingsError for more parts than units.
    """
    if parts > len(units):
        raise SettingsError(f"corpus.parts {parts} is more than there is to deal out: {len(units)}")
    return units[epoch % parts :: parts]


class Held:
    """A batch in a shell: strategies that copy what they pass on cannot copy a frozen record."""

    __slots__ = ("batch",)

    def __init__(self, batch: Batch) -> None:
        self.batch = batch


class Loader:
    """What Lightning iterates over: ``batches``, each held."""

    def __init__(self, batches: Batches) -> None:
        self.batches = batches

    def __len__(self) -> int:
        return len(self.batches)

    def __iter__(self) -> Iterator[Held]:
        return map(Held, self.batches)


class RoutingData(lightning.LightningDataModule):
    """The training and validation splits of one fit.

    Args:
        train: e-mails to learn from.
        validation: e-mails to stop by.
        reader: makes padded batches.
        settings: the optimization.
        parts: the training e-mails are dealt into so many; each epoch takes the next one.
    """

    def __init__(
        self,
        *,
        train: Encoded,
        validation: Encoded,
        reader: Reader,
        settings: TrainSettings,
        parts: int = 1,
    ) -> None:
        super().__init__()
        self.parts = parts
        self.train = train
        self.validation = validation
        self.reader = reader
        self.settings = settings

    def optimizer_steps(self, accumulate: int) -> int:
        """Return the optimizer steps of all epochs, ``accumulate`` batches to a step."""
        batches = (len(self._training_batches(epoch)) for epoch in range(self.settings.epochs))
        return sum(-(-count // accumulate) for count in batches)

    def train_dataloader(self) -> DataLoader[Held]:
        """Return this rank's batches of the current epoch that are still to be done."""
        assert self.trainer is not None
        loop = self.trainer.fit_loop
        first = loop.epoch_loop.batch_progress.current.ready if loop.restarting else 0
        epoch = self.trainer.current_epoch
        return Loader(self._training_batches(epoch, first=first))  # type: ignore[return-value]

    def _training_batches(self, epoch: int, *, first: int = 0) -> Batches:
        settings = self.settings
        units = deal(self.train.units, parts=self.parts, epoch=epoch)
        return Batches(
            replace(self.train, units=units),
            self.reader,
            batch_emails=settings.batch_emails,
            seed=settings.seed,
            epoch=epoch,
            share=curriculum_share(epoch, curriculum_epochs=settings.curriculum_epochs),
            first=first,
            rank=self.trainer.global_rank if self.trainer else 0,
            ranks=self.trainer.world_size if self.trainer else 1,
        )

    def val_dataloader(self) -> DataLoader[Held]:
        """Return this rank's share of the validation e-mails, each once."""
        assert self.trainer is not None
        batches = Batches(
            self.validation,
            self.reader,
            batch_emails=4 * self.settings.batch_emails,
            seed=None,
            rank=self.trainer.global_rank,
            ranks=self.trainer.world_size,
        )
        return Loader(batches)  # type: ignore[return-value]

    def transfer_batch_to_device(
        self, batch: Held, device: torch.device, dataloader_idx: int
    ) -> Held:
        """Return the batch on ``device``."""
        return Held(batch.batch.to(device))


def encode(emails: Sequence[LabelledEmail], reader: Reader, routes: Sequence[str]) -> Encoded:
    """Return labelled e-mails as numbers, the members of each pair in one unit."""
    units: dict[str, list[int]] = {}
    for place, item in enumerate(emails):
        units.setdefault(item.pair or f"\0{place}", []).append(place)
    index = {route: i for i, route in enumerate(routes)}
    return Encoded(
        rows=[reader.rows(item.email) for item in emails],
        routes=[index[item.route] for item in emails],
        units=[tuple(places) for places in units.values()],
    )
