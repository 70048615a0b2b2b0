"""Tokens -> numbers: the table of known words, and hashed character n-grams for all others.

A token has one word id (0 padding, 1 unknown word) and up to ``MAX_PIECES`` piece ids, the
hashes of its character 3- to 5-grams (Bojanowski et al. 2017, section 3.2), so that an unseen
or misspelt word still gets a vector that resembles its kin's.
"""

import ssl
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from functools import lru_cache
from io import StringIO
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from routing.errors import SettingsError

PADDING = 0
UNKNOWN = 1
MAX_PIECES = 20
"""Piece ids kept of one token."""

_LIKELY = 0.5
"""Share of a word's trigrams that known words should have: few typed names and typos have fewer
(2 to 8 % of the unknown words of other mail), most mashed keys do (89 to 98 %)."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The known words, in the order of their ids.

    Attributes:
        words: ``words[id]``; the first two are ``<padding>`` and ``<unknown>``.
        piece_buckets: rows of the hash table for character n-grams; 0 when they are not used.
    """

    words: tuple[str, ...]
    piece_buckets: int = 0
    _ids: dict[str, int] = field(init=False, repr=False, compare=False)
    _trigrams: set[str] = field(init=False, repr=False, compare=False, default_factory=set)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_ids", {word: i for i, word in enumerate(self.words)})

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: str) -> bool:
        return word in self._ids

    def word_id(self, word: str) -> int:
        """Return the id of ``word``, 1 when it is unknown."""
        return self._ids.get(word, UNKNOWN)

    def piece_ids(self, word: str) -> tuple[int, ...]:
        """Return the 1-based hash rows of the word's character n-grams, at most MAX_PIECES.

        Marks and placeholders have none, nor has any word when ``piece_buckets`` is 0.
        """
        if not self.piece_buckets or word.startswith("<"):
            return ()
        return _pieces(word, self.piece_buckets)

    def resembles(self, word: str) -> bool:
        """Return False for a word of letters with few of the trigrams that known words have."""
        if not word.isalpha():
            return True
        if not self._trigrams:
            known = filter(str.isalpha, self.words)
            self._trigrams.update(chain.from_iterable(map(trigrams, known)))
        grams = trigrams(word)
        return sum(gram in self._trigrams for gram in grams) >= _LIKELY * len(grams)


def build_vocabulary(
    emails: Iterable[Sequence[str]],
    *,
    min_count: int = 2,
    max_words: int = 50_000,
    piece_buckets: int = 0,
) -> Vocabulary:
    """Return the vocabulary of tokenized e-mails, most frequent words first.

    Words seen fewer than ``min_count`` times, and those after the ``max_words`` most frequent,
    are left out. Built by ``torchtext.vocab.Vocab``.
    """
    from torchtext.vocab import Vocab

    counts: Counter[str] = Counter()
    for tokens in emails:
        counts.update(tokens)
    table = Vocab(
        counts, min_freq=min_count, max_size=max_words, specials=["<padding>", "<unknown>"]
    )
    return Vocabulary(words=tuple(table.itos), piece_buckets=piece_buckets)


def read_vectors(file: Path, words: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return the vectors (V, E) that a GloVe or fastText text file has of ``words``.

    Rows of words that the file lacks are NaN.

    Raises:
        SettingsError: the file does not exist or is no file of vectors.
    """
    table = _open_vectors(file)
    found = np.full((len(words), table.dim), np.nan, np.float32)
    for row, word in enumerate(words):
        if word in table.stoi:
            found[row] = table.vectors[table.stoi[word]].numpy()
    return found


def vector_words(file: Path) -> list[str]:
    """Return the words that a file of vectors has, in its order; raises as ``read_vectors``."""
    return list(_open_vectors(file).itos)


def _open_vectors(file: Path) -> Any:
    """Return what ``torchtext.vocab.Vectors`` reads, its progress bar kept off the screen.

    torchtext stops checking certificates for the whole process when it reads; that is undone.
    """
    from torchtext.vocab import Vectors

    if not file.is_file():
        raise SettingsError(f"text.vectors {file} does not exist; give a GloVe or fastText file")
    checked = ssl._create_default_https_context
    try:
        with TemporaryDirectory() as cache, redirect_stderr(StringIO()):
            return Vectors(name=str(file), cache=cache)
    except (ValueError, TypeError, RuntimeError, OSError, EOFError, zlib.error):
        raise SettingsError(
            f"text.vectors {file} holds no word vectors: each line has to be a word and its "
            "numbers, parted by blanks"
        ) from None
    finally:
        ssl._create_default_https_context = checked


def trigrams(word: str) -> list[str]:
    """Return the runs of three characters of ``<word>``, its ends marked."""
    marked = f"<{word}>"
    return [marked[i : i + 3] for i in range(len(marked) - 2)]


@lru_cache(maxsize=200_000)
def _pieces(word: str, buckets: int) -> tuple[int, ...]:
    marked = f"<{word}>"
    grams = [
        marked[i : i + n] for n in (3, 4, 5) for i in range(len(marked) - n + 1) if n < len(marked)
    ]
    return tuple(_hash(gram) % buckets + 1 for gram in grams[:MAX_PIECES])


def _hash(text: str) -> int:
    """Return the 32-bit FNV-1a hash of ``text`` in UTF-8 (the same in every process)."""
    value = 2166136261
    for byte in text.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value
