"""A pretrained encoder with a fresh linear head (Devlin et al. 2019, section 3.2).

The encoder stays as its makers wrote it (encoders.py finds and loads it). Around it stand the marks
that it expects, the windows into which long e-mails are cut, the pooling and the head.

Shape letters: B e-mails, T word pieces, W windows, S pieces of a window with its marks,
E embedding, H hidden, L layers, N heads, R routes.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from routing.errors import SettingsError
from routing.models.pooling import AdditiveAttention, mean_pooling
from routing.models.second_look import SwapFinder, read_twice
from routing.models.words import lower, real_tokens


class PretrainedModel(nn.Module):
    """An encoder read in windows, pooling over all of them, a linear head.

    Args:
        encoder: of ``load_encoder`` or ``empty_encoder``.
        routes: R.
        starts: ids of the marks before each window, e.g. that of ``[CLS]``.
        ends: ids of the marks after each window, e.g. that of ``[SEP]``.
        pooling: ``mean`` or ``attention`` over the pieces, ``cls``: the first mark's state,
            its mean over windows.
        frozen_layers: lowest layers that do not learn, the embeddings with them.
        frozen_embeddings: the embeddings, and what else stands outside the layers, do not learn.
        layer_decay: each lower layer learns this many times as fast as the one above.
        head_learning_rate: peak learning rate of pooling and head.
        gradient_checkpointing: recompute activations backwards.
        window_tokens: S, at most the encoder's number of positions.
        dropout: rate before the head (``load_encoder`` sets the encoder's own).
        second_look: lead in logits under which an e-mail is read twice; 0: never.

    Raises SettingsError for more frozen layers or longer windows than the encoder has.
    """

    def __init__(
        self,
        encoder: nn.Module,
        *,
        routes: int,
        starts: Sequence[int] = (),
        ends: Sequence[int] = (),
        pooling: str = "mean",
        frozen_layers: int = 0,
        frozen_embeddings: bool = False,
        layer_decay: float = 1.0,
        head_learning_rate: float = 1e-3,
        gradient_checkpointing: bool = False,
        window_tokens: int = 256,
        dropout: float = 0.1,
        second_look: float = 0.0,
    ) -> None:
        super().__init__()
        _check_fit(encoder, frozen_layers=frozen_layers, window_tokens=window_tokens)
        self.encoder = encoder
        self.starts = tuple(starts)
        self.ends = tuple(ends)
        self.layer_decay = layer_decay
        self.head_learning_rate = head_learning_rate
        self.window_tokens = window_tokens
        self.gradient_checkpointing = gradient_checkpointing
        self.first_mark = pooling == "cls"
        width = int(_config(encoder).hidden_size)
        self.pooling = AdditiveAttention(width) if pooling == "attention" else None
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(width, routes)
        self.second_look = second_look
        self.finder = SwapFinder(width) if second_look else None
        if gradient_checkpointing:
            encoder.gradient_checkpointing_enable({"use_reentrant": False})  # type: ignore[operator]
        for layer in _layers(encoder):
            layer.register_forward_pre_hook(_lower_inputs, with_kwargs=True)
        frozen = frozen_layers + 1 if frozen_layers or frozen_embeddings else 0
        for part in _depths(encoder)[:frozen]:
            for parameter in part:
                parameter.requires_grad_(False)

    def forward(
        self, token_ids: Tensor, lengths: Tensor, word_ids: Tensor, piece_ids: Tensor
    ) -> Tensor:
        """Return the logits (B, R) of a batch of word-piece ids (B, T); the rest is not used."""
        return read_twice(self, self.embed(token_ids, word_ids, piece_ids), lengths)

    def embed(self, token_ids: Tensor, word_ids: Tensor, piece_ids: Tensor) -> Tensor:
        """Return the word pieces' own vectors (B, T, E), before positions and context."""
        vectors: Tensor = self.encoder.get_input_embeddings()(token_ids)  # type: ignore[operator]
        return vectors

    def read(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits (B, R), pooling weights (B, T), states (B, T, H) of vectors (B, T, E).

        With pooling ``cls`` no piece's state is pooled: the weights are zero.
        """
        pooled, weights, states = self.pool(embedded, lengths)
        return self.head(self.dropout(pooled)), weights, states

    def pool(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return what the head reads of each e-mail (B, H), its weights and states (B, T, H)."""
        mask = real_tokens(lengths, embedded.shape[1])  # (B, T)
        windows, window_lengths, places = self._cut(embedded, lengths)
        inner = self._encode(windows, window_lengths).last_hidden_state  # (W, S, H)
        states = self._join(inner, places, embedded.shape[:2])
        if self.first_mark:
            pooled = _mean_by_email(inner[:, 0], places, emails=len(lengths))  # (B, H)
            weights = torch.zeros_like(mask, dtype=states.dtype)
        else:
            pool = self.pooling if self.pooling is not None else mean_pooling
            pooled, weights = pool(states, mask)
        return pooled, weights, states

    def attention(self, embedded: Tensor, lengths: Tensor) -> Tensor:
        """Return every head's attention weights among the word pieces (B, L, N, T, T).

        What goes to the marks is left out and the rest brought back to a sum of 1; pieces of
        different windows do not see each other; rows of padding are zero.
        """
        windows, window_lengths, places = self._cut(embedded, lengths)
        looks = torch.stack(self._looks(windows, window_lengths), dim=1)  # (W, L, N, S, S)
        first, room = len(self.starts), self._room()
        steps = min(room, embedded.shape[1])
        inner = looks[..., first : first + steps, first : first + steps]
        real = real_tokens(window_lengths, steps)[:, None, None]  # (W, 1, 1, steps)
        inner = inner * real[..., None, :] * real[..., :, None]
        inner = inner / inner.sum(dim=-1, keepdim=True).clamp_min(1e-12)
        emails, width = embedded.shape[:2]
        result = inner.new_zeros(emails, *inner.shape[1:3], width, width)
        for window, (email, number) in zip(inner, places.tolist(), strict=True):
            start = number * room
            end = min(start + steps, width)
            part = window[..., : end - start, : end - start]
            result[email, :, :, start:end, start:end] = part
        return result

    def parameter_groups(
        self, *, learning_rate: float, weight_decay: float
    ) -> list[dict[str, Any]]:
        """Return AdamW's groups: each depth at its own rate, the head at its own; biases and
        norms without decay (layer-wise rates: Howard & Ruder 2018, section 3.2)."""
        depths = _depths(self.encoder)
        rates = [learning_rate * self.layer_decay**down for down in range(len(depths))][::-1]
        inside = {id(p) for part in depths for p in part}
        head = [p for p in self.parameters() if id(p) not in inside]
        groups = []
        for part, rate in zip([*depths, head], [*rates, self.head_learning_rate], strict=True):
            learning = [p for p in part if p.requires_grad]
            for decayed in (True, False):
                chosen = [p for p in learning if (p.ndim > 1) == decayed]
                decay = weight_decay if decayed else 0.0
                if chosen:
                    groups.append({"params": chosen, "lr": rate, "weight_decay": decay})
        return groups

    def config_json(self) -> str:
        """Return the encoder's configuration, from which ``empty_encoder`` builds it again."""
        text: str = _config(self.encoder).to_json_string(use_diff=False)
        return text

    def _room(self) -> int:
        """Return the word pieces that fit into one window beside its marks."""
        return self.window_tokens - len(self.starts) - len(self.ends)

    def _cut(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return the windows (W, S, E) with marks, their pieces (W,), and (email, number) (W, 2).

        Windows without a piece are left out.
        """
        emails, steps, width = embedded.shape
        room = min(self._room(), steps)
        count = -(-steps // room)
        filled = nn.functional.pad(embedded, (0, 0, 0, count * room - steps))
        starts = torch.arange(count, device=lengths.device) * room  # (count,)
        inside = (lengths[:, None] - starts).clamp(0, room)  # (B, count)
        places = inside.nonzero()  # (W, 2)
        chosen = filled.view(emails, count, room, width)[places[:, 0], places[:, 1]]
        window_lengths = inside[places[:, 0], places[:, 1]]  # (W,)
        return self._frame(chosen, window_lengths), window_lengths, places

    def _frame(self, pieces: Tensor, lengths: Tensor) -> Tensor:
        """Return windows (W, S, E): the marks before and right after the pieces (W, T, E)."""
        table = self.encoder.get_input_embeddings()  # type: ignore[operator]
        marks = torch.tensor([*self.starts, *self.ends], dtype=torch.long, device=pieces.device)
        vectors = table(marks)  # (marks, E)
        first = len(self.starts)
        before = vectors[:first].expand(len(pieces), -1, -1)
        framed = torch.cat([before, nn.functional.pad(pieces, (0, 0, 0, len(self.ends)))], dim=1)
        steps = torch.arange(framed.shape[1], device=pieces.device)
        for number, vector in enumerate(vectors[first:]):
            here = steps == lengths[:, None] + first + number  # (W, S)
            framed = torch.where(here[..., None], vector, framed)
        return framed

    def _encode(self, windows: Tensor, lengths: Tensor, **options: Any) -> Any:
        marks = len(self.starts) + len(self.ends)
        mask = real_tokens(lengths + marks, windows.shape[1])  # (W, S)
        encoder: Any = self.encoder
        # Backwards, the CPU's fused attention takes twice as long as the plain one.
        plain = self.training and mask.device.type == "cpu" and not self.gradient_checkpointing
        way = "eager" if plain or options.get("output_attentions") else "sdpa"
        if encoder.config._attn_implementation != way:
            encoder.set_attn_implementation(way)
        return encoder(inputs_embeds=windows, attention_mask=mask.long(), **options)

    def _looks(self, windows: Tensor, lengths: Tensor) -> tuple[Tensor, ...]:
        """Return each layer's attention (W, N, S, S), by the plain algorithm that shows it."""
        looks: tuple[Tensor, ...] = tuple(
            self._encode(windows, lengths, output_attentions=True).attentions
        )
        return looks

    def _join(self, states: Tensor, places: Tensor, shape: Sequence[int]) -> Tensor:
        """Return the pieces' states (B, T, H) of the windows' states (W, S, H)."""
        emails, steps = shape
        room = min(self._room(), steps)
        count = -(-steps // room)
        first = len(self.starts)
        inner = states[:, first : first + room]  # (W, room, H)
        joined = inner.new_zeros(emails, count, room, inner.shape[2])
        joined = joined.index_put((places[:, 0], places[:, 1]), inner)
        return joined.flatten(1, 2)[:, :steps]


def _config(encoder: nn.Module) -> Any:
    return encoder.config


def _layers(encoder: nn.Module) -> nn.ModuleList:
    """Return the list of the encoder's layers, the lowest first."""
    count = _config(encoder).num_hidden_layers
    lists = (m for m in encoder.modules() if isinstance(m, nn.ModuleList))
    return next(found for found in lists if len(found) == count)


def _depths(encoder: nn.Module) -> list[list[nn.Parameter]]:
    """Return the parameters of the embeddings (and all else below or above), then each layer's."""
    layers = [list(layer.parameters()) for layer in _layers(encoder)]
    inside = {id(p) for layer in layers for p in layer}
    return [[p for p in encoder.parameters() if id(p) not in inside], *layers]


def _lower_inputs(
    layer: nn.Module, inputs: tuple[Any, ...], named: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Let a layer read its states and its mask in bfloat16 where ``lower`` says so."""

    def lowered(value: Any) -> Any:
        real = isinstance(value, Tensor) and value.is_floating_point()
        return lower(value, training=layer.training) if real else value

    return tuple(map(lowered, inputs)), {name: lowered(value) for name, value in named.items()}


def _check_fit(encoder: nn.Module, *, frozen_layers: int, window_tokens: int) -> None:
    layers = len(_layers(encoder))
    if frozen_layers > layers:
        raise SettingsError(
            f"model.frozen_layers {frozen_layers} is more than the encoder's {layers} layers"
        )
    positions = getattr(_config(encoder), "max_position_embeddings", window_tokens)
    if window_tokens > positions:
        raise SettingsError(
            f"model.window_tokens {window_tokens} is more than the encoder's {positions} positions"
        )


def _mean_by_email(states: Tensor, places: Tensor, *, emails: int) -> Tensor:
    """Return the mean (B, H) over each e-mail's windows of states (W, H)."""
    sums = states.new_zeros(emails, states.shape[1]).index_add(0, places[:, 0], states)
    counts = torch.bincount(places[:, 0], minlength=emails)[:, None]
    return sums / counts
