"""E-mails -> rows of numbers -> batches, the same way in training and serving."""

import json
import logging
from collections.abc import Sequence
from itertools import compress
from pathlib import Path

import numpy as np

from routing.corpus.batches import Batch, Lexicon, Rows, WordKind
from routing.corpus.pieces import PieceReader
from routing.records import Email, Token, Wording
from routing.text.tokens import is_word, token_texts, tokenize
from routing.text.vocabulary import Vocabulary

_LOG = logging.getLogger(__name__)


class WordReader:
    """Reads e-mails as words for the models trained from scratch, naive Bayes among them.

    Args:
        vocabulary: the known words.
        placeholders: replace private data by placeholder tokens.
        max_tokens: longest e-mail in tokens; the rest is not read.
    """

    def __init__(self, vocabulary: Vocabulary, *, placeholders: bool, max_tokens: int) -> None:
        self.vocabulary = vocabulary
        self.placeholders = placeholders
        self.max_tokens = max_tokens
        self.lexicon = Lexicon(vocabulary)

    def tokens(self, email: Email) -> list[Token]:
        """Return the tokens that are read, with their places in subject and text."""
        return tokenize(email, placeholders=self.placeholders)[: self.max_tokens]

    def texts(self, email: Email) -> list[str]:
        """Return the texts of the tokens that are read."""
        return token_texts(email, placeholders=self.placeholders)[: self.max_tokens]

    def words(self, email: Email) -> list[str]:
        """Return the words that are read, without punctuation (what naive Bayes counts)."""
        return [text for text in self.texts(email) if is_word(text)]

    def rows(self, email: Email) -> Rows:
        """Return the e-mail as rows of the lexicon (T,); a warning counts what is left out."""
        return self.lexicon.rows(self._texts_or_warning(email))

    def read(self, email: Email) -> tuple[Rows, Wording]:
        """Return ``rows`` and ``wording`` of the e-mail, cut into tokens once for both."""
        texts = self._texts_or_warning(email)
        rows = self.lexicon.rows(texts)
        return rows, self._wording(texts, rows)

    def _texts_or_warning(self, email: Email) -> list[str]:
        texts = token_texts(email, placeholders=self.placeholders)
        if len(texts) > self.max_tokens:
            _LOG.warning(
                "e-mail %s: %d of %d tokens were left out; raise text.max_tokens (now %d)",
                *(email.id, len(texts) - self.max_tokens, len(texts), self.max_tokens),
            )
        return texts[: self.max_tokens]

    def batch(self, emails: Sequence[Rows]) -> Batch:
        """Return the padded batch of e-mails given as rows."""
        return self.lexicon.batch(emails)

    def token_batch(self, emails: Sequence[Sequence[str]]) -> Batch:
        """Return the padded batch of e-mails given as token texts (for changed e-mails)."""
        return self.batch([self.lexicon.rows(tokens) for tokens in emails])

    def wording(self, email: Email) -> Wording:
        """Return the e-mail's words, and the shares that are unknown and look like no language."""
        texts = self.texts(email)
        return self._wording(texts, self.lexicon.rows(texts))

    def _wording(self, texts: Sequence[str], rows: Rows) -> Wording:
        kinds = self.lexicon.kinds(rows)
        counts = np.bincount(kinds, minlength=len(WordKind)).tolist()
        gibberish = counts[WordKind.GIBBERISH]
        unknown = counts[WordKind.UNKNOWN] + gibberish
        plain = counts[WordKind.KNOWN] + unknown
        return Wording(
            words=tuple(compress(texts, kinds.tolist())),
            unknown_share=unknown / plain if plain else 0.0,
            gibberish_share=gibberish / plain if plain else 0.0,
        )

    def save(self, folder: Path) -> None:
        """Write ``vocabulary.json``."""
        value = {
            "words": self.vocabulary.words,
            "piece_buckets": self.vocabulary.piece_buckets,
            "placeholders": self.placeholders,
            "max_tokens": self.max_tokens,
        }
        text = json.dumps(value, ensure_ascii=False)
        (folder / "vocabulary.json").write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "WordReader":
        """Read what ``save`` wrote."""
        value = json.loads((folder / "vocabulary.json").read_text(encoding="utf-8"))
        vocabulary = Vocabulary(tuple(value["words"]), value["piece_buckets"])
        return cls(vocabulary, placeholders=value["placeholders"], max_tokens=value["max_tokens"])


Reader = WordReader | PieceReader
"""What a router reads e-mails with: words, or a pretrained encoder's word pieces."""
