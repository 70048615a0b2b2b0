"""What training minimizes, and the noise it adds to e-mails.

Shape letters: B e-mails, K pairs, R routes, U distinct words of a batch.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from routing.corpus.batches import Batch

EFFECTIVE_BETA = 0.999
"""Beta of the effective number of e-mails (Cui et al. 2019, section 4.2)."""


def email_losses(
    logits: Tensor,
    batch: Batch,
    *,
    route_weights: Tensor | None = None,
    label_smoothing: float = 0.0,
    margin: float = 0.0,
) -> Tensor:
    """Return the loss (B,) of each e-mail.

    Cross-entropy (label smoothing: Szegedy et al. 2016, section 7) times the weight of the
    e-mail's route; with a teacher half of it is cross-entropy against the teacher's
    probabilities (Hinton et al. 2015). Each pair's margin loss stands at its first member.

    Args:
        logits: (B, R).
        batch: the e-mails, with routes.
        route_weights: (R,), None for equal weights.
        label_smoothing: share in [0, 1) of the target spread over all routes.
        margin: weight of the pair-margin loss.
    """
    assert batch.routes is not None
    losses = functional.cross_entropy(
        logits, batch.routes, label_smoothing=label_smoothing, reduction="none"
    )  # (B,)
    if batch.teacher is not None:
        taught = -(batch.teacher * logits.log_softmax(dim=1)).sum(dim=1)  # (B,)
        losses = 0.5 * losses + 0.5 * taught
    if route_weights is not None:
        losses = losses * route_weights[batch.routes]
    if margin and batch.pairs is not None and len(batch.pairs):
        margins = pair_margin(logits, batch.routes, batch.pairs)  # (K,)
        losses = losses.index_add(0, batch.pairs[:, 0], margin * margins)
    return losses


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


def weigh_routes(
    routes: Sequence[int], *, count: int, weighting: Literal["none", "balanced", "effective"]
) -> Tensor | None:
    """Return the weight (R,) of each of ``count`` routes, its mean over the e-mails 1.

    ``balanced`` weighs a route by one over its e-mails, ``effective`` by one over their
    effective number (Cui et al. 2019); None for ``none``. A route without e-mails weighs 0.
    """
    emails = np.bincount(np.asarray(routes, np.int64), minlength=count).astype(np.float64)
    match weighting:
        case "none":
            return None
        case "balanced":
            numbers = emails
        case "effective":
            numbers = (1 - EFFECTIVE_BETA**emails) / (1 - EFFECTIVE_BETA)
    weights = np.divide(1.0, numbers, out=np.zeros(count), where=numbers > 0)
    return torch.from_numpy(weights * emails.sum() / (weights * emails).sum()).float()


def drop_words(batch: Batch, rate: float) -> Batch:
    """Return the batch with a share ``rate`` of its distinct words made unknown (word dropout)."""
    if rate == 0:
        return batch
    keep = torch.rand(len(batch.word_ids), device=batch.word_ids.device) >= rate  # (U,)
    keep[0] = True
    return replace(
        batch,
        word_ids=torch.where(keep, batch.word_ids, 1),
        piece_ids=batch.piece_ids * keep[:, None],
    )
