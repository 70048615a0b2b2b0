"""A small pre-norm transformer encoder (Vaswani et al. 2017; Xiong et al. 2020).

Shape letters: B e-mails, T tokens, E embedding, N heads, C width of a head, L layers, R routes.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

from routing.models.pooling import AdditiveAttention, AttentionAndMax, mean_pooling
from routing.models.second_look import SwapFinder, read_twice
from routing.models.words import WordVectors, lower, real_tokens

SHORT = 160
"""Tokens up to which a CPU trains with plain attention: backwards, the fused one is slower."""


def sinusoidal_positions(steps: int, width: int) -> Tensor:
    """Return the sinusoidal position encodings (T, E) (Vaswani et al. 2017, section 3.5)."""
    rates = torch.exp(torch.arange(0, width, 2) * (-math.log(10_000.0) / width))  # (E/2,)
    angles = torch.arange(steps)[:, None] * rates[None, :]  # (T, E/2)
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)[:, :width]


def rotate(heads: Tensor) -> Tensor:
    """Return ``heads`` (B, N, T, C) turned by their positions (RoFormer, Su et al. 2021, 3.4.2).

    Works along whole rows (T, N*C), which a processor does several times faster than halves.
    """
    count, steps, width = heads.shape[1:]
    half = width // 2
    rates = 10_000.0 ** (-torch.arange(half, device=heads.device) / half)  # (C/2,)
    angles = torch.arange(steps, device=heads.device)[:, None] * rates[None, :]  # (T, C/2)
    cos, sin, rest = angles.cos(), angles.sin(), angles.new_ones(steps, width - 2 * half)
    cos = torch.cat([cos, cos, rest], dim=1).to(heads.dtype).repeat(1, count)  # (T, N*C)
    sin = torch.cat([-sin, sin, 0 * rest], dim=1).to(heads.dtype).repeat(1, count)  # (T, N*C)
    rows = heads.transpose(1, 2)  # (B, T, N, C)
    halves = [rows[..., half : 2 * half], rows[..., :half], rows[..., 2 * half :]]
    turned = torch.addcmul(rows.flatten(2) * cos, torch.cat(halves, dim=3).flatten(2), sin)
    return turned.view(rows.shape).transpose(1, 2)


class SelfAttention(nn.Module):
    """Multi-head scaled dot-product attention (Vaswani et al. 2017, section 3.2)."""

    def __init__(self, *, width: int, heads: int, rotary: bool, causal: bool) -> None:
        super().__init__()
        self.heads = heads
        self.rotary = rotary
        self.causal = causal
        self.project = nn.Linear(width, 3 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(
        self, states: Tensor, mask: Tensor, *, weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Return the mixed states (B, T, E) and, when asked, the weights (B, N, T, T)."""
        emails, steps, width = states.shape
        projected = self.project(states)  # (B, T, 3E)
        heads = projected.view(emails, steps, 3 * self.heads, -1).transpose(1, 2)  # (B, 3N, T, C)
        looking, values = heads.split([2 * self.heads, self.heads], dim=1)
        queries, keys = (rotate(looking) if self.rotary else looking).chunk(2, dim=1)
        looked = None
        short = self.training and mask.device.type == "cpu" and steps <= SHORT
        if weights or short:
            mixed, looked = plain_attention(queries, keys, values, self.allowed(mask))
        else:
            # Padding stands at the end: where only earlier tokens count, it never does.
            mixed = functional.scaled_dot_product_attention(
                queries,
                keys,
                values,
                attn_mask=None if self.causal else mask[:, None, None, :],
                is_causal=self.causal,
            )
        mixed = mixed.transpose(1, 2).reshape(emails, steps, width)
        return self.out(mixed), looked if weights else None

    def allowed(self, mask: Tensor) -> Tensor:
        """Return which tokens each token may look at, (B, 1, 1, T), causal: (B, 1, T, T)."""
        keys = mask[:, None, None, :]
        if not self.causal:
            return keys
        steps = mask.shape[1]
        return keys & torch.ones(steps, steps, dtype=torch.bool, device=mask.device).tril()


def plain_attention(
    queries: Tensor, keys: Tensor, values: Tensor, allowed: Tensor
) -> tuple[Tensor, Tensor]:
    """Return softmax(q k' / sqrt(C)) v (B, N, T, C) and the softmax (B, N, T, T)."""
    scores = queries / math.sqrt(queries.shape[-1]) @ keys.transpose(-2, -1)  # (B, N, T, T)
    looked = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
    return looked @ values, looked


class LocalMixing(nn.Module):
    """Adds to each word what its neighbours say: a convolution over ``width`` words.

    A transformer alone takes very long to find out that order matters; with its neighbours in
    reach it starts at once (a convolution beside attention: Gulati et al. 2020, section 2.2;
    So et al. 2021, section 3.2).
    """

    def __init__(self, *, embedding: int, width: int, causal: bool) -> None:
        super().__init__()
        self.before = width - 1 if causal else width // 2
        self.after = width - 1 - self.before
        self.mix = nn.Linear(width * embedding, embedding)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """Return the mixed states (B, T, E); padding counts as zero."""
        real = states * mask[:, :, None]  # (B, T, E)
        padded = functional.pad(real, (0, 0, self.before, self.after))
        near = [padded[:, i : i + states.shape[1]] for i in range(self.before + self.after + 1)]
        return states + functional.gelu(self.mix(torch.cat(near, dim=2)))  # (B, T, E)


class Block(nn.Module):
    """A look at the neighbours, then attention and a feed-forward part, each behind a layer norm
    and beside a residual.

    The products of these add no biases (PaLM, Chowdhery et al. 2022, section 2): on a processor
    each would be a pass over the output.
    """

    def __init__(
        self,
        *,
        width: int,
        heads: int,
        feedforward: int,
        neighbours: int,
        rotary: bool,
        causal: bool,
        dropout: float,
    ) -> None:
        super().__init__()
        self.local = (
            LocalMixing(embedding=width, width=neighbours, causal=causal)
            if neighbours > 1
            else None
        )
        self.attention_norm = nn.LayerNorm(width)
        self.attention = SelfAttention(width=width, heads=heads, rotary=rotary, causal=causal)
        self.feedforward_norm = nn.LayerNorm(width)
        self.feedforward = nn.Sequential(
            nn.Linear(width, feedforward, bias=False),
            nn.ReLU(inplace=True),
            nn.Linear(feedforward, width, bias=False),
        )
        self.dropout = nn.Dropout(dropout)

    def forward(
        self, states: Tensor, mask: Tensor, *, weights: bool = False
    ) -> tuple[Tensor, Tensor | None]:
        """Return the new states (B, T, E) and, when asked, the attention (B, N, T, T)."""
        states = states if self.local is None else self.local(states, mask)
        mixed, looked = self.attention(self.attention_norm(states), mask, weights=weights)
        states = states + self.dropout(mixed)
        return states + self.dropout(self.feedforward(self.feedforward_norm(states))), looked


def _pooling(name: str, width: int) -> nn.Module | None:
    match name:
        case "attention":
            return AdditiveAttention(width)
        case "attention+max":
            return AttentionAndMax(width)
        case _:
            return None


class TransformerModel(nn.Module):
    """Word vectors, positions, pre-norm blocks, pooling, a linear head.

    Args:
        words: size of the vocabulary.
        routes: R.
        embedding: E.
        heads: N, must divide E.
        layers: L.
        feedforward: width of the feed-forward part.
        neighbours: words mixed by the convolution at the start of each block; 1: none.
        positions: ``sinusoidal`` or ``rotary``.
        causal: a token attends only to itself and earlier ones.
        pooling: ``attention``, ``attention+max`` or ``mean``.
        dropout: rate.
        piece_buckets: rows of the table of character n-grams; 0: none.
        second_look: lead in logits under which an e-mail is read twice; 0: never.
    """

    def __init__(
        self,
        *,
        words: int,
        routes: int,
        embedding: int = 128,
        heads: int = 4,
        layers: int = 3,
        feedforward: int = 256,
        neighbours: int = 5,
        positions: str = "rotary",
        causal: bool = False,
        pooling: str = "attention",
        dropout: float = 0.1,
        piece_buckets: int = 0,
        second_look: float = 0.0,
    ) -> None:
        super().__init__()
        self.sinusoidal = positions == "sinusoidal"
        self.vectors = WordVectors(words=words, width=embedding, piece_buckets=piece_buckets)
        self.dropout = nn.Dropout(dropout)
        self.blocks = nn.ModuleList(
            Block(
                width=embedding,
                heads=heads,
                feedforward=feedforward,
                neighbours=neighbours,
                rotary=not self.sinusoidal,
                causal=causal,
                dropout=dropout,
            )
            for _ in range(layers)
        )
        self.norm = nn.LayerNorm(embedding)
        both = pooling == "attention+max"
        self.pooling = _pooling(pooling, embedding)
        self.head = nn.Linear(2 * embedding if both else embedding, routes)
        self.second_look = second_look
        self.finder = SwapFinder(embedding) if second_look else None

    def forward(
        self, token_ids: Tensor, lengths: Tensor, word_ids: Tensor, piece_ids: Tensor
    ) -> Tensor:
        """Return the logits (B, R) of a batch (see ``routing.corpus.batches.Batch``)."""
        return read_twice(self, self.embed(token_ids, word_ids, piece_ids), lengths)

    def embed(self, token_ids: Tensor, word_ids: Tensor, piece_ids: Tensor) -> Tensor:
        """Return the word vectors (B, T, E), before positions."""
        vectors: Tensor = self.vectors(token_ids, word_ids, piece_ids)
        return vectors

    def read(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits (B, R), pooling weights (B, T), states (B, T, E) of vectors (B, T, E)."""
        states, _ = self._states(embedded, lengths, weights=False)
        mask = real_tokens(lengths, embedded.shape[1])  # (B, T)
        pooled, weights = (self.pooling or mean_pooling)(states, mask)
        return self.head(pooled), weights, states

    def attention(self, embedded: Tensor, lengths: Tensor) -> Tensor:
        """Return every head's attention weights (B, L, N, T, T)."""
        return torch.stack(self._states(embedded, lengths, weights=True)[1], dim=1)

    def _states(
        self, embedded: Tensor, lengths: Tensor, *, weights: bool
    ) -> tuple[Tensor, list[Tensor]]:
        """Return the tokens' last states (B, T, E) and, when asked, each block's attention."""
        mask = real_tokens(lengths, embedded.shape[1])  # (B, T)
        states = lower(embedded, training=self.training)
        if self.sinusoidal:
            positions = sinusoidal_positions(embedded.shape[1], embedded.shape[2])
            states = states + positions.to(states)
        states = self.dropout(states)
        looks = []
        for block in self.blocks:
            states, looked = block(states, mask, weights=weights)
            if looked is not None:
                looks.append(looked)
        return self.norm(states), looks
