"""Word vectors with word pieces of meaning, shared by the models trained from scratch.

Shape letters: B e-mails, T tokens, U distinct words of a batch, P pieces of a word, E embedding.
"""

import torch
from torch import Tensor, nn

_START = 0.5
"""Standard deviation of fresh vectors: with width**-0.5, minimal pairs take off epochs later."""


class WordVectors(nn.Module):
    """A vector per known word plus the mean of its character n-grams' (Bojanowski et al. 2017).

    Args:
        words: size of the vocabulary (rows 0 and 1: padding, unknown word).
        width: E.
        piece_buckets: rows of the table of hashed n-grams; 0: words only.
    """

    def __init__(self, *, words: int, width: int, piece_buckets: int) -> None:
        super().__init__()
        self.words = nn.Embedding(words, width, padding_idx=0)
        self.pieces = (
            nn.EmbeddingBag(piece_buckets + 1, width, mode="mean", padding_idx=0)
            if piece_buckets
            else None
        )
        nn.init.normal_(self.words.weight, std=_START)
        with torch.no_grad():
            self.words.weight[0] = 0
            if self.pieces is not None:
                nn.init.normal_(self.pieces.weight, std=_START)
                self.pieces.weight[0] = 0

    def start_from(self, vectors: Tensor) -> None:
        """Start words from pretrained ``vectors`` (V, E); rows of NaN stay as they are."""
        known = ~vectors.isnan().any(dim=1)  # (V,)
        with torch.no_grad():
            self.words.weight[known] = vectors[known].to(self.words.weight)

    def forward(self, token_ids: Tensor, word_ids: Tensor, piece_ids: Tensor) -> Tensor:
        """Return the vector of every token (B, T, E); padding is zero."""
        return nn.functional.embedding(token_ids, self.table(word_ids, piece_ids))

    def table(self, word_ids: Tensor, piece_ids: Tensor) -> Tensor:
        """Return the vectors (U, E) of a batch's distinct words."""
        table: Tensor = self.words(word_ids)  # (U, E)
        return table if self.pieces is None else table + self.pieces(piece_ids)


def real_tokens(lengths: Tensor, width: int) -> Tensor:
    """Return the mask (B, T) that is True for real tokens, T = ``width``."""
    return torch.arange(width, device=lengths.device)[None, :] < lengths[:, None]


def lower(states: Tensor, *, training: bool) -> Tensor:
    """Return states in bfloat16 where a CPU trains under autocast in it, else as they are.

    Autocast leaves what layers pass on in float32 and converts it before every product and after:
    where a layer is given bfloat16 it passes that on, and a step takes a third less time.
    """
    wanted = training and states.device.type == "cpu" and torch.is_autocast_enabled("cpu")
    if not wanted or torch.get_autocast_dtype("cpu") != torch.bfloat16:
        return states
    return states.bfloat16()
