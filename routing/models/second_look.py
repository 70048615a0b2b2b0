"""A second look at an e-mail in doubt: it is read again with two stretches of its words swapped.

The two members of a minimal pair have (almost) the same words and opposite routes. From pairs a
model learns, beside the route, which two stretches of an e-mail have to be swapped to get the
other member. So it can ask itself about an e-mail's opposite: words that speak for one route in
both versions prove nothing, and the less sure the first reading is, the more the second counts
against the route that it finds.

Shape letters: B e-mails, D e-mails in doubt, T tokens, E embedding, H width of a state,
R routes (2).
"""

from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from routing.models.words import real_tokens

LONGEST = 14
"""Tokens in the longest stretch that is swapped."""

_HIDDEN = 128
_PADDING = -1e4
_NEVER = -1e9


class ReadingModel(Protocol):
    """What is asked of a model: to read word vectors, and to find swaps where it has learned to."""

    second_look: float
    finder: "SwapFinder | None"
    training: bool

    def read(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits (B, R), pooling weights (B, T) and the tokens' states (B, T, H)."""


class SwapFinder(nn.Module):
    """Scores every token as first and last one of the two stretches (Wang & Jiang 2017, 2.2.2).

    Args:
        width: H.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.score = nn.Sequential(nn.Linear(width, _HIDDEN), nn.Tanh(), nn.Linear(_HIDDEN, 4))

    def forward(self, states: Tensor, lengths: Tensor) -> Tensor:
        """Return log-probabilities (B, T, 4) over the tokens of states (B, T, H).

        The four: first and last token of the earlier stretch, first and last of the later one.
        """
        scores: Tensor = self.score(states).float()
        mask = real_tokens(lengths, states.shape[1])  # (B, T)
        return scores.masked_fill(~mask[:, :, None], _PADDING).log_softmax(dim=1)


def swap_loss(scores: Tensor, swaps: Tensor) -> Tensor:
    """Return minus the log-probability (B,) of the swaps (B, 4); 0 where they are -1."""
    known = swaps[:, 0] >= 0  # (B,)
    found = scores.gather(1, swaps.clamp(min=0)[:, None, :]).squeeze(1)  # (B, 4)
    return -found.sum(dim=1) * known


def best_swap(scores: Tensor) -> Tensor:
    """Return the most probable swap (B, 4) of scores (B, T, 4): the ends of both stretches.

    A stretch has at most LONGEST tokens, and the later begins after the earlier. Of an e-mail of
    one token, that token four times.
    """
    steps = scores.shape[1]
    first, last, other_first, other_last = scores.unbind(dim=2)  # (B, T)
    early, back = _near(first, range(1 - LONGEST, 1)).max(dim=2)  # by the last token
    late, on = _near(other_last, range(LONGEST)).max(dim=2)  # by the first token
    both = (early + last)[:, :, None] + (late + other_first)[:, None, :]  # (B, T last, T first)
    place = torch.arange(steps, device=scores.device)
    both = both.masked_fill(place[:, None] >= place[None, :], _NEVER)
    best = both.flatten(1).argmax(dim=1, keepdim=True)  # (B, 1)
    ends, begins = best // steps, best % steps
    starts = ends + back.gather(1, ends) + 1 - LONGEST
    finishes = begins + on.gather(1, begins)
    found = torch.cat([starts, ends, begins, finishes], dim=1)
    return found.clamp(min=0).minimum(scores.new_tensor(steps - 1).long())


def _near(scores: Tensor, steps: range) -> Tensor:
    """Return for each token the scores (B, T, steps) of the tokens so many steps away."""
    width = scores.shape[1]
    padded = functional.pad(scores, (LONGEST, LONGEST), value=_NEVER)
    return torch.stack([padded[:, LONGEST + s : LONGEST + s + width] for s in steps], dim=2)


def swapped_places(swaps: Tensor, steps: int) -> Tensor:
    """Return which token stands at each place (B, T = ``steps``) after the swaps (B, 4)."""
    first, last, other_first, other_last = swaps[:, :, None].unbind(dim=1)  # (B, 1)
    place = torch.arange(steps, device=swaps.device)[None, :]  # (1, T)
    between = first + other_last - other_first + 1  # (B, 1): where the tokens between begin
    after = other_last - last + first  # where the earlier stretch begins
    return torch.where(
        (place < first) | (place > other_last),
        place,
        torch.where(
            place < between,
            place - first + other_first,
            torch.where(place < after, place - between + last + 1, place - after + first),
        ),
    )


def weigh(logits: Tensor, second: Tensor, limit: float) -> Tensor:
    """Return the logits (B, R) of both readings.

    The second is taken off, times 1 where the first has no lead, and ever less up to a lead of
    ``limit``, from which on it counts nothing.
    """
    lead = (logits[:, :1] - logits[:, 1:2]).abs()  # (B, 1)
    return logits - (1 - lead / limit).clamp(min=0) * second


def read_twice(model: ReadingModel, embedded: Tensor, lengths: Tensor) -> Tensor:
    """Return the logits (B, R) of word vectors (B, T, E), those in doubt read a second time.

    In training, and by a model without a finder, each e-mail is read once.
    """
    logits, _, states = model.read(embedded, lengths)
    if model.finder is None or model.training:
        return logits
    doubt = in_doubt(model, logits, lengths)  # (B,)
    rows = doubt.nonzero().squeeze(1)  # (D,)
    if torch.onnx.is_in_onnx_export():  # the graph reads one e-mail again where none is in doubt
        rows = torch.cat([rows, rows.new_zeros(1)])
    elif not len(rows):
        return logits
    swaps = best_swap(model.finder(states[rows], lengths[rows]))  # (D, 4)
    again = read_again(model, embedded[rows], lengths[rows], swaps)  # (D, R)
    second = torch.zeros_like(logits).index_copy(0, rows, again)
    return torch.where(doubt[:, None], weigh(logits, second, model.second_look), logits)


def in_doubt(model: ReadingModel, logits: Tensor, lengths: Tensor) -> Tensor:
    """Return which e-mails (B,) are read again after first readings of ``logits`` (B, R)."""
    return ((logits[:, 0] - logits[:, 1]).abs() < model.second_look) & (lengths > 1)


def doubtful_swap(model: ReadingModel, embedded: Tensor, lengths: Tensor) -> Tensor | None:
    """Return the swap (4,) with which one e-mail (1, T, E) is read again, None when it is not."""
    logits, _, states = model.read(embedded, lengths)
    if model.finder is None or not in_doubt(model, logits, lengths)[0]:
        return None
    return best_swap(model.finder(states, lengths))[0]


def read_twice_with(model: ReadingModel, embedded: Tensor, lengths: Tensor, swap: Tensor) -> Tensor:
    """Return the logits (B, R) with every e-mail looked at again, with the one ``swap`` (4,)."""
    logits = model.read(embedded, lengths)[0]
    again = read_again(model, embedded, lengths, swap.expand(len(embedded), -1))
    return weigh(logits, again, model.second_look)


def read_again(model: ReadingModel, embedded: Tensor, lengths: Tensor, swaps: Tensor) -> Tensor:
    """Return the logits (B, R) of word vectors (B, T, E) after the swaps (B, 4)."""
    places = swapped_places(swaps, embedded.shape[1])  # (B, T)
    swapped = embedded.gather(1, places[:, :, None].expand(-1, -1, embedded.shape[2]))
    return model.read(swapped, lengths)[0]
