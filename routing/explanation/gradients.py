"""Integrated gradients of the logit difference, through captum.

Shape letters: B points on the path, P pieces (tokens but for word pieces), E embedding.
"""

from collections.abc import Callable

import numpy as np
import torch
from captum.attr import IntegratedGradients
from torch import Tensor

from routing.explanation.attention import embed_email, embed_texts, network
from routing.explanation.records import Attribution, Completeness
from routing.explanation.variants import UNKNOWN_WORD, Asked, Floats

TOLERANCE = 0.01
"""Largest completeness gap, as a share of the logit difference to be explained."""

_FIRST_STEPS = 24
_MOST_STEPS = 768
_BATCH_TOKENS = 8192


def integrated_gradients(
    asked: Asked, *, against: int, tolerance: float = TOLERANCE
) -> tuple[Attribution, Completeness]:
    """Return each token's share of the logit difference and how well the shares add up.

    Sundararajan et al. 2017, section 3, along the straight path from the e-mail in which every
    token is the unknown word. The number of steps is doubled until the completeness gap is
    under ``tolerance`` or 768 steps are reached. The gradients of recurrent networks are taken
    without cuDNN, which gives none outside training.
    """
    vectors, lengths = embed_email(asked)  # (1, P, E), (1,)
    start, _ = embed_texts(asked, [UNKNOWN_WORD] * len(asked.piece_texts))  # (1, P, E)
    method = IntegratedGradients(_difference(asked, against=against, lengths=lengths))
    with torch.no_grad():
        whole = method.forward_func(torch.cat([vectors, start]))  # (2,)
    difference = float(whole[0] - whole[1])
    steps = _FIRST_STEPS
    while True:
        values = _integrate(method, vectors, start, steps=steps)  # (P,)
        gap = abs(float(values.sum()) - difference)
        found = Completeness(difference=difference, gap=gap, steps=steps, tolerance=tolerance)
        if found.within or steps >= _MOST_STEPS:
            break
        steps *= 2
    return _attribution(asked.by_token(values)), found


def _attribution(values: Floats) -> Attribution:
    return Attribution(
        method="integrated_gradients",
        values=tuple(map(float, values)),
        signed=True,
        note="share of the logit difference, against the same e-mail of unknown words",
    )


def _difference(asked: Asked, *, against: int, lengths: Tensor) -> Callable[[Tensor], Tensor]:
    """Return the function vectors (B, T, E) -> logit difference (B,)."""
    model, route = network(asked), asked.route

    def difference(vectors: Tensor) -> Tensor:
        logits = model.read(vectors, lengths.expand(len(vectors)))[0]  # (B, R)
        return logits[:, route] - logits[:, against]

    return difference


def _integrate(
    method: IntegratedGradients, vectors: Tensor, start: Tensor, *, steps: int
) -> Floats:
    """Return the integrated gradients summed over E (P,), in float64."""
    points = max(1, _BATCH_TOKENS // vectors.shape[1])
    with torch.backends.cudnn.flags(enabled=False):
        found = method.attribute(
            vectors, baselines=start, n_steps=steps, internal_batch_size=points
        )
    return np.asarray(found[0].double().sum(dim=1).detach().cpu().numpy())
