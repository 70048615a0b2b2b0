"""Tokenized e-mails -> padded batches, cut by length.

Shape letters: B e-mails, T tokens, U distinct words of a batch, P pieces of a word, K pairs.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from enum import IntEnum

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from routing.text.languages import COMMON_PLACES
from routing.text.tokens import is_word
from routing.text.vocabulary import MAX_PIECES, Vocabulary

Ints = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]
"""One e-mail as rows of a Lexicon."""


NOT_COMMON, NOT_ASCII = -1, -2
"""Of a word that is common in no language; of one that may be in another script."""


class WordKind(IntEnum):
    """What a token is, as far as it can be told without its e-mail."""

    MARK = 0
    """Punctuation, a line break, the end of the subject."""
    PLACEHOLDER = 1
    KNOWN = 2
    UNKNOWN = 3
    GIBBERISH = 4
    """Unknown, and unlike any known word."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded e-mails and the small table of words that stand in them.

    Attributes:
        token_ids: (B, T) rows of the word table below, 0 where there is padding.
        lengths: (B,) real tokens of each e-mail, at least 1.
        word_ids: (U,) vocabulary id of each distinct word; row 0 is padding.
        piece_ids: (U, P) hashed character n-grams of each distinct word, 0 where there is none.
        routes: (B,) index of the right route, None when it is not known.
        pairs: (K, 2) positions in the batch of the two members of each pair, None without.
        weights: (B,) weight of each e-mail in the loss, None for equal weights.
        teacher: (B, R) probabilities of a teacher, None without.
        swaps: (B, 4) first and last token of the two stretches that have to be swapped to get
            the other member of the pair, -1 where there are no such; None when not wanted.
    """

    token_ids: Tensor
    lengths: Tensor
    word_ids: Tensor
    piece_ids: Tensor
    routes: Tensor | None = None
    pairs: Tensor | None = None
    weights: Tensor | None = None
    teacher: Tensor | None = None
    swaps: Tensor | None = None

    def inputs(self) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return what a model is called with: token_ids, lengths, word_ids, piece_ids."""
        return self.token_ids, self.lengths, self.word_ids, self.piece_ids

    def to(self, device: torch.device | str) -> "Batch":
        """Return the batch with every tensor on ``device``."""
        moved = {f.name: getattr(self, f.name) for f in fields(self)}
        return replace(
            self,
            **{name: x.to(device, non_blocking=True) for name, x in moved.items() if x is not None},
        )


class Lexicon:
    """Distinct words seen so far, each with its word id, piece ids and kind.

    E-mails are kept as rows of it (4 bytes a token); a batch takes the few rows it needs.
    """

    def __init__(self, vocabulary: Vocabulary, *, max_words: int = 500_000) -> None:
        self.vocabulary = vocabulary
        self.max_words = max_words
        self._rows: dict[str, int] = {}
        self._word_ids = np.zeros(1024, np.int64)
        self._piece_ids = np.zeros((1024, MAX_PIECES), np.int32)
        self._kinds = np.zeros(1024, np.uint8)
        self._common = np.zeros(1024, np.int16)
        self._words: list[str] = []

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def is_full(self) -> bool:
        """True when it holds more than ``max_words`` words."""
        return len(self._rows) > self.max_words

    def forget(self) -> None:
        """Forget all words; rows given out earlier must have been made into batches by then."""
        self._rows.clear()
        self._words.clear()

    def rows(self, tokens: Sequence[str]) -> Rows:
        """Return the row of each token (T,), adding words not met before."""
        try:
            return np.fromiter(map(self._rows.__getitem__, tokens), np.int32, len(tokens))
        except KeyError:
            for token in tokens:
                if token not in self._rows:
                    self._add(token)
        return np.fromiter(map(self._rows.__getitem__, tokens), np.int32, len(tokens))

    def kinds(self, rows: Rows) -> npt.NDArray[np.uint8]:
        """Return the WordKind (T,) of an e-mail's rows."""
        return self._kinds[rows]

    def common(self, rows: Rows) -> npt.NDArray[np.int16]:
        """Return the place of each row's word (T,) among the common words of languages.

        NOT_COMMON for other words, NOT_ASCII for those that may be in another script.
        """
        return self._common[rows]

    def words(self, rows: Rows) -> list[str]:
        """Return the words of rows, marks left out."""
        return list(map(self._words.__getitem__, rows[self._kinds[rows] > 0].tolist()))

    def tell(self, rows: Rows, ask: Callable[[Iterable[str]], Ints]) -> Ints:
        """Return what ``ask`` says of the word of each row (T,), asked but once of each word."""
        seen = np.flatnonzero(np.bincount(rows))
        told = np.zeros(len(self), np.int64)
        told[seen] = ask(map(self._words.__getitem__, seen.tolist()))
        return told[rows]

    def _add(self, word: str) -> None:
        row = len(self._rows)
        if row == len(self._word_ids):
            for name in ("_word_ids", "_piece_ids", "_kinds", "_common"):
                table = getattr(self, name)
                setattr(self, name, np.concatenate([table, np.zeros_like(table)]))
        pieces = self.vocabulary.piece_ids(word)
        self._rows[word] = row
        self._words.append(word)
        self._word_ids[row] = self.vocabulary.word_id(word)
        self._piece_ids[row] = 0
        self._piece_ids[row, : len(pieces)] = pieces
        self._kinds[row] = kind = self._kind(word)
        strange = NOT_COMMON if word.isascii() or kind is WordKind.MARK else NOT_ASCII
        self._common[row] = COMMON_PLACES.get(word, strange)

    def _kind(self, word: str) -> WordKind:
        if not is_word(word):
            return WordKind.MARK
        if word[0] == "<":
            return WordKind.PLACEHOLDER
        if word in self.vocabulary:
            return WordKind.KNOWN
        return WordKind.UNKNOWN if self.vocabulary.resembles(word) else WordKind.GIBBERISH

    def batch(self, emails: Sequence[Rows]) -> Batch:
        """Return the padded batch of e-mails given as rows; an empty one becomes one unknown word.

        The word table holds just the batch's words.
        """
        lengths = np.array([max(1, len(rows)) for rows in emails], np.int64)
        flat = np.concatenate(emails) if emails else np.zeros(0, np.int32)
        distinct, places = np.unique(flat, return_inverse=True)
        word_ids = np.concatenate([[0], self._word_ids[distinct]])
        piece_ids = np.concatenate([np.zeros((1, MAX_PIECES), np.int32), self._piece_ids[distinct]])
        width = max(1, int((piece_ids != 0).sum(axis=1).max()))
        real = np.arange(lengths.max())[None, :] < np.array([len(r) for r in emails])[:, None]
        token_ids = np.zeros(real.shape, np.int64)  # (B, T)
        token_ids[real] = places.reshape(-1) + 1
        if not real[:, 0].all():
            word_ids = np.concatenate([word_ids, [1]])
            piece_ids = np.concatenate([piece_ids, np.zeros((1, MAX_PIECES), np.int32)])
            token_ids[~real[:, 0], 0] = len(word_ids) - 1
        return Batch(
            token_ids=torch.from_numpy(token_ids),
            lengths=torch.from_numpy(lengths),
            word_ids=torch.from_numpy(word_ids),
            piece_ids=torch.from_numpy(piece_ids[:, :width].astype(np.int64)),
        )


def cut_by_length(
    lengths: Sequence[int],
    units: Sequence[tuple[int, ...]],
    *,
    batch_emails: int,
    seed: int | None,
    pool_batches: int = 200,
) -> list[list[tuple[int, ...]]]:
    """Return batches of units (pairs or single e-mails), units of like length together.

    Every unit stands in exactly one batch of at most ``batch_emails`` e-mails (more only where
    one unit is larger). With a seed the units are shuffled, sorted by length inside even pools of
    about ``pool_batches`` batches, and the batches shuffled; without one all are sorted.
    """
    longest = [max(lengths[i] for i in unit) for unit in units]
    order = np.arange(len(units))
    pools = 1
    rng = np.random.default_rng(seed)
    if seed is not None:
        rng.shuffle(order)
        pools = max(1, round(sum(map(len, units)) / (pool_batches * batch_emails)))
    batches: list[list[tuple[int, ...]]] = []
    for pool in np.array_split(order, pools):
        part = sorted(pool, key=lambda i: longest[i])
        batches += _fill([units[i] for i in part], batch_emails=batch_emails)
    if seed is not None:
        rng.shuffle(batches)  # type: ignore[arg-type]
    return batches


def _fill(units: Sequence[tuple[int, ...]], *, batch_emails: int) -> list[list[tuple[int, ...]]]:
    batches: list[list[tuple[int, ...]]] = [[]]
    size = 0
    for unit in units:
        if batches[-1] and size + len(unit) > batch_emails:
            batches.append([])
            size = 0
        batches[-1].append(unit)
        size += len(unit)
    return [batch for batch in batches if batch]
