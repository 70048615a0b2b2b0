"""E-mails -> rows of numbers -> batches, the same way in training and serving."""

import json
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from routing.corpus.batches import NOT_ASCII, Batch, Lexicon, Rows, WordKind
from routing.corpus.pieces import PieceReader
from routing.records import Email, Token, Wording
from routing.text.chunks import ChunkReader
from routing.text.languages import COMMON_PLACES, guess_languages, guess_script, name_script
from routing.text.tokens import token_texts, tokenize
from routing.text.vocabulary import Vocabulary

_LOG = logging.getLogger(__name__)

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int16]


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
        self._chunks = ChunkReader(self._encode, placeholders=placeholders)

    def tokens(self, email: Email) -> list[Token]:
        """Return the tokens that are read, with their places in subject and text."""
        return tokenize(email, placeholders=self.placeholders)[: self.max_tokens]

    def texts(self, email: Email) -> list[str]:
        """Return the texts of the tokens that are read."""
        return token_texts(email, placeholders=self.placeholders)[: self.max_tokens]

    def words(self, email: Email) -> list[str]:
        """Return the words that are read, without punctuation (what naive Bayes counts)."""
        return self.row_words(self._rows(email)[: self.max_tokens])

    def row_words(self, rows: Rows) -> list[str]:
        """Return ``words`` of an e-mail given as rows."""
        return self.lexicon.words(rows)

    def rows(self, email: Email) -> Rows:
        """Return the e-mail as rows of the lexicon (T,); a warning counts what is left out."""
        rows = self._rows(email)
        if len(rows) > self.max_tokens:
            _LOG.warning(
                "e-mail %s: %d of %d tokens were left out; raise text.max_tokens (now %d)",
                *(email.id, len(rows) - self.max_tokens, len(rows), self.max_tokens),
            )
        return rows[: self.max_tokens]

    def read(self, emails: Sequence[Email]) -> tuple[list[Rows], list[Wording]]:
        """Return ``rows`` and ``wording`` of e-mails.

        When very many words are known they are forgotten first: rows given out earlier must have
        been made into batches by then.
        """
        if self.lexicon.is_full:
            self.lexicon.forget()
            self._chunks.forget()
        rows = [self.rows(email) for email in emails]
        return rows, self._wordings(rows)

    def wording(self, email: Email) -> Wording:
        """Return what the e-mail's words tell without a model."""
        return self._wordings([self._rows(email)[: self.max_tokens]])[0]

    def _wordings(self, emails: Sequence[Rows]) -> list[Wording]:
        flat = np.concatenate([*emails, np.zeros(0, np.int32)])
        owners = np.repeat(np.arange(len(emails)), list(map(len, emails)))
        kinds = owners * len(WordKind) + self.lexicon.kinds(flat)
        counts = np.bincount(kinds, minlength=len(emails) * len(WordKind))
        counts = counts.reshape(-1, len(WordKind))  # (B, kinds)
        words = counts[:, WordKind.PLACEHOLDER :].sum(axis=1)
        plain = np.maximum(1, counts[:, WordKind.KNOWN :].sum(axis=1))
        unknown = counts[:, WordKind.UNKNOWN :].sum(axis=1) / plain
        gibberish = counts[:, WordKind.GIBBERISH] / plain
        languages = self._languages(emails, owners, self.lexicon.common(flat), words)
        return list(map(Wording, words.tolist(), languages, unknown.tolist(), gibberish.tolist()))

    def _languages(
        self, emails: Sequence[Rows], owners: Ints, places: Places, words: Ints
    ) -> list[str | None]:
        """Return the language of each e-mail, told by ``places``, a column for each token."""
        found = np.zeros((len(emails), len(COMMON_PLACES) + 2), bool)
        found[owners, places] = True
        languages = guess_languages(found[:, :NOT_ASCII], words)
        for email in np.flatnonzero(found[:, NOT_ASCII]).tolist():
            script = guess_script("".join(self.row_words(emails[email])))
            languages[email] = name_script(script) or languages[email]
        return languages

    def _rows(self, email: Email) -> Rows:
        return np.frombuffer(b"".join(self._chunks.read_email(email)), np.int32)

    def _encode(self, tokens: Sequence[str]) -> bytes:
        return self.lexicon.rows(tokens).tobytes()

    def batch(self, emails: Sequence[Rows]) -> Batch:
        """Return the padded batch of e-mails given as rows."""
        return self.lexicon.batch(emails)

    def token_batch(self, emails: Sequence[Sequence[str]]) -> Batch:
        """Return the padded batch of e-mails given as token texts (for changed e-mails)."""
        return self.batch([self.lexicon.rows(tokens) for tokens in emails])

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
