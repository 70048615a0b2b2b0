"""Word states -> one vector for each e-mail.

Shape letters: B e-mails, T tokens, H width of a state.
"""

import torch
from torch import Tensor, nn


class AdditiveAttention(nn.Module):
    """Additive attention pooling (Bahdanau et al. 2015, eq. 6; Yang et al. 2016, eq. 5-7)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.keys = nn.Linear(width, width)
        self.query = nn.Linear(width, 1, bias=False)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the pooled states (B, H) and the weights (B, T), which sum to 1 over real tokens.

        ``states`` (B, T, H), ``mask`` (B, T) True for real tokens.
        """
        scores = self.query(torch.tanh(self.keys(states))).squeeze(-1)  # (B, T)
        weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=1)  # (B, T)
        return torch.einsum("bt,bth->bh", weights, states), weights


class AttentionAndMax(nn.Module):
    """Additive attention beside the largest value of every unit (Collobert et al. 2011)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.attention = AdditiveAttention(width)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return both, side by side (B, 2H), and the attention's weights (B, T)."""
        pooled, weights = self.attention(states, mask)  # (B, H), (B, T)
        highest = states.masked_fill(~mask[:, :, None], float("-inf")).amax(dim=1)  # (B, H)
        return torch.cat([pooled, highest], dim=1), weights


def mean_pooling(states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Return the mean of the real tokens' states (B, H) and the even weights (B, T)."""
    weights = mask / mask.sum(dim=1, keepdim=True)  # (B, T)
    return torch.einsum("bt,bth->bh", weights.to(states.dtype), states), weights
