"""Where the model looked: pooling weights, heads and rollout. Not why it decided.

Shape letters: L layers, N heads, T tokens.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol, cast

import numpy as np
import torch
from torch import Tensor, nn

from routing.explanation.records import Attribution
from routing.explanation.variants import Asked, Floats
from routing.models.second_look import ReadingModel

LONGEST_MAP = 512
"""Tokens of the longest e-mail whose heads are shown (their size grows with the square)."""


class Network(ReadingModel, Protocol):
    """What is asked of a neural model: to be entered half-way, at its word vectors."""

    def embed(self, token_ids: Tensor, word_ids: Tensor, piece_ids: Tensor) -> Tensor:
        """Return the token vectors (B, T, E)."""

    def attention(self, embedded: Tensor, lengths: Tensor) -> Tensor:
        """Return every head's attention (B, L, N, T, T); recurrent models have none."""

    def parameters(self) -> Iterator[nn.Parameter]:
        """Yield the weights."""


def network(asked: Asked) -> Network:
    """Return the model of a router that is not naive Bayes."""
    assert isinstance(asked.router.model, nn.Module)
    return cast(Network, asked.router.model)


def embed_texts(asked: Asked, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
    """Return the vectors (1, T, E) of token texts and lengths (1,), without gradients."""
    model = network(asked)
    device = next(model.parameters()).device
    batch = asked.router.reader.token_batch([texts]).to(device)
    with torch.no_grad():
        vectors = model.embed(batch.token_ids, batch.word_ids, batch.piece_ids)
    return vectors, batch.lengths


def embed_email(asked: Asked) -> tuple[Tensor, Tensor]:
    """Return the e-mail's own token vectors (1, T, E) and lengths (1,), without gradients."""
    return embed_texts(asked, asked.piece_texts)


def pooling_attention(asked: Asked) -> Attribution | None:
    """Return the weights (T,) with which the tokens' states are pooled; they sum to 1.

    None when the model pools evenly: then they say nothing.
    """
    weights = _pooling(asked)  # (P,)
    if len(weights) > 1 and np.ptp(weights) < 1e-6:
        return None
    weights = asked.by_token(weights)  # (T,)
    return Attribution(
        method="attention",
        values=tuple(map(float, weights)),
        signed=False,
        note="share of the pooled state taken from each word's state",
    )


def head_attention(asked: Asked) -> Floats | None:
    """Return every head's attention (L, N, P, P), rows sum to 1; None for models without.

    P pieces: the tokens themselves but for encoders that read word pieces.
    """
    model = network(asked)
    if not hasattr(model, "attention"):
        return None
    vectors, lengths = embed_email(asked)
    with torch.no_grad():
        heads = model.attention(vectors, lengths)[0]  # (L, N, P, P)
    size = len(asked.piece_texts)
    return np.asarray(heads[..., :size, :size].double().cpu().numpy())


def heads_by_token(asked: Asked, heads: Floats) -> Floats:
    """Return ``heads`` (L, N, P, P) of pieces as (L, N, T, T) of tokens; rows still sum to 1.

    A token looks as its pieces do on average, and is looked at as much as all its pieces.
    """
    columns = asked.by_token(heads)  # (L, N, P, T)
    rows = asked.by_token(columns.swapaxes(-1, -2)).swapaxes(-1, -2)  # (L, N, T, T)
    sizes = np.array([len(group) for group in asked.groups])  # (T,)
    return np.asarray(rows / sizes[:, None])


def rollout(heads: Floats) -> Floats:
    """Return how much of every input each last state holds (T, T); rows sum to 1.

    Attention rollout (Abnar & Zuidema 2020, section 3): the heads' mean, half of it given to
    the residual, multiplied through the layers. ``heads`` is (L, N, T, T).
    """
    mixed: Floats = np.eye(heads.shape[-1])  # (T, T)
    for layer in heads.mean(axis=1):  # (T, T)
        mixed = (0.5 * layer + 0.5 * np.eye(len(layer))) @ mixed
    return mixed


def rollout_attention(asked: Asked, heads: Floats) -> Attribution:
    """Return the rollout of ``heads`` (L, N, P, P), pooled as the model pools; sums to 1."""
    values = asked.by_token(_pooling(asked) @ rollout(heads))  # (T,)
    return Attribution(
        method="rollout",
        values=tuple(map(float, values)),
        signed=False,
        note="attention of all layers multiplied together (Abnar & Zuidema 2020)",
    )


def _pooling(asked: Asked) -> Floats:
    vectors, lengths = embed_email(asked)
    with torch.no_grad():
        weights = network(asked).read(vectors, lengths)[1][0, : len(asked.piece_texts)]  # (P,)
    return np.asarray(weights.double().cpu().numpy())
