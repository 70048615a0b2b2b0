"""A recurrent network with additive attention pooling.

Shape letters: B e-mails, T tokens, E embedding, H hidden, R routes, D directions (1 or 2).
"""

import torch
from torch import Tensor, nn

from routing.models.cells import CELLS, GateNorms, Gates, Reading, read_by_hand
from routing.models.pooling import AdditiveAttention, AttentionAndMax
from routing.models.second_look import SwapFinder, read_twice
from routing.models.words import WordVectors, real_tokens


class SameMaskDropout(nn.Module):
    """Dropout with one mask for all steps of an e-mail (Gal & Ghahramani 2016)."""

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate

    def forward(self, states: Tensor) -> Tensor:
        """Return ``states`` (B, T, H) with whole columns zeroed in training."""
        if not self.training or self.rate == 0:
            return states
        keep = states.new_full((states.shape[0], 1, states.shape[2]), 1 - self.rate)
        return states * torch.bernoulli(keep) / (1 - self.rate)


def reverse_within(states: Tensor, lengths: Tensor) -> Tensor:
    """Return ``states`` (B, T, H), each e-mail's real tokens in reverse; padding stays in place.

    In memory a token's states stand beside those of the other e-mails, as recurrence reads them.
    """
    emails, width = states.shape[:2]
    steps = torch.arange(width, device=states.device)[:, None]  # (T, 1)
    places = torch.where(steps < lengths, lengths - 1 - steps, steps)  # (T, B)
    rows = places * emails + torch.arange(emails, device=states.device)  # (T, B)
    by_step = states.transpose(0, 1)  # (T, B, H)
    turned = by_step.flatten(0, 1).index_select(0, rows.flatten())  # (T*B, H)
    return turned.view_as(by_step).transpose(0, 1)


def read_in_stretches(direction: nn.Module, inputs: Tensor, steps: int) -> Tensor:
    """Return the states (B, T, H); gradients stop at every ``steps``-th token (0: nowhere)."""
    if steps == 0:
        states: Tensor = direction(inputs)[0]
        return states
    found: list[Tensor] = []
    past = None
    for stretch in torch.split(inputs, steps, dim=1):
        states, past = direction(stretch, past)
        past = tuple(p.detach() for p in past) if isinstance(past, tuple) else past.detach()
        found.append(states)
    return torch.cat(found, dim=1) if len(found) > 1 else found[0]


class RecurrentLayer(nn.Module):
    """One layer, in one or both directions, blind to padding without packing."""

    def __init__(
        self, *, cell: str, inputs: int, hidden: int, bidirectional: bool, normed: bool = False
    ) -> None:
        super().__init__()
        sides = 2 if bidirectional else 1
        self.forwards = _fresh(cell=cell, inputs=inputs, hidden=hidden)
        self.backwards = _fresh(cell=cell, inputs=inputs, hidden=hidden) if sides == 2 else None
        self.norms = nn.ModuleList(
            GateNorms(cell=cell, hidden=hidden) for _ in range(sides if normed else 0)
        )

    def forward(self, states: Tensor, lengths: Tensor, *, truncate_steps: int = 0) -> Tensor:
        """Return the states (B, T, D*H) after reading ``states`` (B, T, inputs).

        Gradients stop at every ``truncate_steps``-th token (0: nowhere).
        """
        if len(self.norms):
            found = self.by_hand(states, lengths, truncate_steps=truncate_steps)
            return torch.cat([one for one, _ in found], dim=2)
        ahead = read_in_stretches(self.forwards, states, truncate_steps)  # (B, T, H)
        if self.backwards is None:
            return ahead
        turned = reverse_within(states, lengths)  # (B, T, inputs)
        back = read_in_stretches(self.backwards, turned, truncate_steps)
        return torch.cat([ahead, reverse_within(back, lengths)], dim=2)  # (B, T, 2H)

    def by_hand(
        self, states: Tensor, lengths: Tensor, *, truncate_steps: int = 0
    ) -> list[tuple[Tensor, Gates]]:
        """Return each direction's states (B, T, H) and gates, each (B, T, H), step by step."""
        norms = [*self.norms, None, None]
        steps = truncate_steps or states.shape[1]
        found = [read_by_hand(self.forwards, states, norms[0], truncate_steps=steps)]
        if self.backwards is not None:
            turned = reverse_within(states, lengths)  # (B, T, inputs)
            back, gates = read_by_hand(self.backwards, turned, norms[1], truncate_steps=steps)
            gates = {name: reverse_within(gate, lengths) for name, gate in gates.items()}
            found.append((reverse_within(back, lengths), gates))
        return found


def _fresh(*, cell: str, inputs: int, hidden: int) -> nn.RNNBase:
    """Return a direction: orthogonal recurrent, Xavier input weights, forget-gate bias 1."""
    direction = CELLS[cell](inputs, hidden, batch_first=True)
    for name, weight in direction.named_parameters():
        if name.startswith("weight_hh"):
            for gate in weight.data.chunk(weight.shape[0] // hidden):
                nn.init.orthogonal_(gate)
        elif name.startswith("weight_ih"):
            for gate in weight.data.chunk(weight.shape[0] // hidden):
                nn.init.xavier_uniform_(gate)
        else:
            nn.init.zeros_(weight)
            if cell == "lstm" and name.startswith("bias_ih"):
                weight.data[hidden : 2 * hidden] = 1.0
    return direction


class RecurrentModel(nn.Module):
    """Word vectors, stacked recurrent layers, additive attention pooling, a linear head.

    Args:
        words: size of the vocabulary.
        routes: R.
        cell: ``rnn``, ``lstm`` or ``gru``.
        embedding: E.
        hidden: H, for each direction.
        layers: stacked layers.
        bidirectional: also read backwards.
        dropout: rate, one mask over all steps.
        layer_norm: ``none``, ``output`` (of each layer) or ``recurrence`` (inside it; slow,
            since it goes step by step).
        pooling: ``attention`` or ``attention+max``.
        piece_buckets: rows of the table of character n-grams; 0: none.
        second_look: lead in logits under which an e-mail is read twice; 0: never.
    """

    def __init__(
        self,
        *,
        words: int,
        routes: int,
        cell: str = "lstm",
        embedding: int = 128,
        hidden: int = 128,
        layers: int = 2,
        bidirectional: bool = True,
        dropout: float = 0.3,
        layer_norm: str = "none",
        pooling: str = "attention",
        piece_buckets: int = 0,
        second_look: float = 0.0,
    ) -> None:
        super().__init__()
        width = hidden * (2 if bidirectional else 1)
        self.vectors = WordVectors(words=words, width=embedding, piece_buckets=piece_buckets)
        self.layers = nn.ModuleList(
            RecurrentLayer(
                cell=cell,
                inputs=width if i else embedding,
                hidden=hidden,
                bidirectional=bidirectional,
                normed=layer_norm == "recurrence",
            )
            for i in range(layers)
        )
        self.norms = nn.ModuleList(
            nn.LayerNorm(width) if layer_norm == "output" else nn.Identity() for _ in range(layers)
        )
        self.dropout = SameMaskDropout(dropout)
        both = pooling == "attention+max"
        self.pooling = AttentionAndMax(width) if both else AdditiveAttention(width)
        self.head = nn.Linear(2 * width if both else width, routes)
        self.second_look = second_look
        self.finder = SwapFinder(width) if second_look else None

    def forward(
        self, token_ids: Tensor, lengths: Tensor, word_ids: Tensor, piece_ids: Tensor
    ) -> Tensor:
        """Return the logits (B, R) of a batch (see ``routing.corpus.batches.Batch``)."""
        return read_twice(self, self.embed(token_ids, word_ids, piece_ids), lengths)

    def embed(self, token_ids: Tensor, word_ids: Tensor, piece_ids: Tensor) -> Tensor:
        """Return the word vectors (B, T, E), in memory step by step, as recurrence reads them."""
        vectors: Tensor = self.vectors(token_ids.T, word_ids, piece_ids)  # (T, B, E)
        return vectors.transpose(0, 1)

    def read(
        self, embedded: Tensor, lengths: Tensor, *, truncate_steps: int = 0
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits (B, R), pooling weights (B, T), states (B, T, D*H) of vectors (B, T, E).

        Gradients go back through time at most ``truncate_steps`` tokens (0: all; Williams &
        Peng 1990).
        """
        states = self.dropout(embedded)
        for layer, norm in zip(self.layers, self.norms, strict=True):
            read = layer(states, lengths, truncate_steps=truncate_steps)
            states = self.dropout(norm(read))  # (B, T, D*H)
        pooled, weights = self.pooling(states, real_tokens(lengths, states.shape[1]))
        return self.head(pooled), weights, states

    def gates(self, embedded: Tensor, lengths: Tensor) -> list[Reading]:
        """Return what every layer and direction did at every token of ``embedded`` (B, T, E)."""
        readings = []
        states = self.dropout(embedded)
        for number, (layer, norm) in enumerate(zip(self.layers, self.norms, strict=True)):
            assert isinstance(layer, RecurrentLayer)
            found = layer.by_hand(states, lengths)
            readings += [
                Reading(layer=number, backwards=bool(side), states=one, gates=gates)
                for side, (one, gates) in enumerate(found)
            ]
            states = self.dropout(norm(torch.cat([one for one, _ in found], dim=2)))
        return readings
