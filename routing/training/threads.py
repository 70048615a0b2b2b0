"""The gradient of a batch in several threads of a CPU, each of which takes some of its e-mails.

Where one product after the other is shared by the cores they wait for each other most of the
time; a thread with e-mails of its own waits once a step.

Shape letters: B e-mails, T tokens, R routes.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from routing.corpus.batches import Batch


def split_batch(batch: Batch, count: int) -> list[Batch]:
    """Return the batch cut into at most ``count`` batches of about equal size, pairs whole.

    The members of a pair stand side by side, as in training. Weights stay as they are.
    """
    emails = len(batch.lengths)
    pairs = torch.zeros(0, 2, dtype=torch.long) if batch.pairs is None else batch.pairs
    seconds = set(pairs[:, 1].tolist())
    bounds = [round(k * emails / count) for k in range(count + 1)]
    bounds = sorted({bound + (bound in seconds) for bound in bounds})
    return [_cut(batch, pairs, low, high) for low, high in pairwise(bounds)]


def _cut(batch: Batch, pairs: Tensor, low: int, high: int) -> Batch:
    """Return the e-mails ``low`` to ``high`` of a batch; the word table stays whole."""

    def part(rows: Tensor | None) -> Tensor | None:
        return None if rows is None else rows[low:high]

    lengths = batch.lengths[low:high]
    return replace(
        batch,
        token_ids=batch.token_ids[low:high, : int(lengths.max())],
        lengths=lengths,
        routes=part(batch.routes),
        pairs=pairs[(pairs[:, 0] >= low) & (pairs[:, 0] < high)] - low,
        weights=part(batch.weights),
        teacher=part(batch.teacher),
        swaps=part(batch.swaps),
    )


def add_losses(
    loss: Callable[[Batch], Tensor], batches: Sequence[Batch], model: nn.Module
) -> Tensor:
    """Return the sum of ``loss`` over the batches, each computed in a thread of its own.

    The gradients are computed with it: going back from the sum only hands them to the
    parameters of ``model``. Nothing in the model may be left to chance, for the threads draw
    their numbers from one generator.
    """
    learning = [p for p in model.parameters() if p.requires_grad]
    autocast = torch.autocast(
        "cpu",
        dtype=torch.get_autocast_dtype("cpu"),
        enabled=torch.is_autocast_enabled("cpu"),
        cache_enabled=torch.is_autocast_cache_enabled(),
    )

    def work(batch: Batch) -> tuple[Tensor, tuple[Tensor | None, ...]]:
        torch.set_num_threads(1)
        with copy(autocast):
            value = loss(batch)
        return value.detach(), torch.autograd.grad(value, learning, allow_unused=True)

    with ThreadPoolExecutor(len(batches)) as pool:
        found = list(pool.map(work, batches))
    torch.set_num_threads(torch.get_num_threads())  # for threads that are started later, too
    values = torch.stack([value for value, _ in found])
    gradients = [_add(parts) for parts in zip(*(parts for _, parts in found), strict=True)]
    total: Tensor = _Known.apply(values.sum(), gradients, *learning)  # type: ignore[no-untyped-call]
    return total


def _add(parts: Sequence[Tensor | None]) -> Tensor | None:
    known = [part for part in parts if part is not None]
    if not known:
        return None
    total = known[0]
    for part in known[1:]:
        total = total.add_(part)
    return total


class _Known(torch.autograd.Function):
    """A loss whose gradients are known already."""

    @staticmethod
    def forward(ctx: Any, loss: Tensor, gradients: Sequence[Tensor | None], *_: Tensor) -> Tensor:
        """Return the loss; keep the gradients for the way back."""
        ctx.gradients = gradients
        return loss.clone()

    @staticmethod
    def backward(ctx: Any, scale: Tensor) -> tuple[Tensor | None, ...]:
        """Return the kept gradients, times ``scale``."""
        return None, None, *(None if g is None else g * scale for g in ctx.gradients)
