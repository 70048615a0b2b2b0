"""E-mails -> rows of numbers -> batches, the same way in training and serving."""

import json
from collections.abc import Sequence
from pathlib import Path

from routing.corpus.batches import Batch, Lexicon, Rows
from routing.corpus.pieces import PieceReader
from routing.records import Email, Token
from routing.text.tokens import is_word, token_texts, tokenize
from routing.text.vocabulary import Vocabulary


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
        """Return the e-mail as rows of the lexicon (T,)."""
        return self.lexicon.rows(self.texts(email))

    def batch(self, emails: Sequence[Rows]) -> Batch:
        """Return the padded batch of e-mails given as rows."""
        return self.lexicon.batch(emails)

    def token_batch(self, emails: Sequence[Sequence[str]]) -> Batch:
        """Return the padded batch of e-mails given as token texts (for changed e-mails)."""
        return self.batch([self.lexicon.rows(tokens) for tokens in emails])

    def unknown_share(self, email: Email) -> float:
        """Return the share of the e-mail's words that training has not seen, 0 without words."""
        words = [word for word in self.words(email) if not word.startswith("<")]
        return sum(word not in self.vocabulary for word in words) / len(words) if words else 0.0

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
