"""E-mails -> word pieces for a pretrained encoder, the same way in training and serving.

The tokenizer is the encoder's own, kept in the run as ``tokenizer.json``. Order numbers and other
private data stay as pieces: the table of pieces is not made from anyone's mail.
"""

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from routing.corpus.batches import Batch, Rows
from routing.errors import MissingExtraError, RunError
from routing.records import Email, Token, Wording
from routing.text.clean import straighten
from routing.text.languages import guess_language
from routing.text.subject import subject_spans
from routing.text.tokens import is_word, token_texts

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_LOG = logging.getLogger(__name__)
_BLANKS = "\u2581\u0120"
"""Signs with which some tokenizers begin a piece that follows a blank."""

_LENGTH_STEP = 8
"""Batches are padded to a multiple of it, so that few shapes occur."""


class PieceReader:
    """Reads e-mails as word pieces; the marks that frame a window are the model's affair.

    Args:
        tokenizer: text -> pieces with offsets.
        max_tokens: longest e-mail in pieces; the rest is not read, and a warning counts it.
    """

    def __init__(self, tokenizer: "Tokenizer", *, max_tokens: int) -> None:
        self.tokenizer = tokenizer
        self.max_tokens = max_tokens
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.starts, self.ends = _frame(tokenizer)
        self.mark = str(tokenizer.id_to_token(self.ends[0])) if self.ends else "\n"
        self.unknown_id = tokenizer.token_to_id(_unknown_piece(tokenizer))

    def tokens(self, email: Email) -> list[Token]:
        """Return the pieces that are read, with their places in subject and text.

        A mark with an empty place stands between subject and text, as between two sentences.
        """
        pieces = [
            piece
            for start, end in subject_spans(email.subject)
            for piece in self._pieces(email.subject[start:end], "subject", start)
        ]
        if pieces:
            pieces.append(Token(self.mark, len(email.subject), len(email.subject), "subject"))
        pieces += self._pieces(email.text, "text", 0)
        return pieces[: self.max_tokens]

    def _pieces(self, text: str, part: str, shift: int) -> list[Token]:
        found = self.tokenizer.encode(straighten(text), add_special_tokens=False)
        return [
            Token(str(piece), start + shift, end + shift, part)
            for piece, (start, end) in zip(found.tokens, found.offsets, strict=True)
        ]

    def word_groups(self, tokens: Sequence[Token]) -> list[tuple[int, ...]]:
        """Return the places of the pieces of each word, in order; every place stands in one group.

        Pieces that touch, letter to letter, are one word's: add up their attributions.
        """
        groups: list[tuple[int, ...]] = []
        for place, token in enumerate(tokens):
            if place and _goes_on(tokens[place - 1], token):
                groups[-1] += (place,)
            else:
                groups.append((place,))
        return groups

    def texts(self, email: Email) -> list[str]:
        """Return the texts of the pieces that are read."""
        return [token.text for token in self.tokens(email)]

    def words(self, email: Email) -> list[str]:
        """Return the e-mail's words, without punctuation, as the other models count them."""
        return [text for text in token_texts(email) if is_word(text)]

    def rows(self, email: Email) -> Rows:
        """Return the piece ids (T,); a warning counts the pieces beyond ``max_tokens``."""
        spans = subject_spans(email.subject)
        ids = [id for start, end in spans for id in self._ids(email.subject[start:end])]
        ids += self.ends[:1] if ids else []
        ids += self._ids(email.text)
        if len(ids) > self.max_tokens:
            _LOG.warning(
                "e-mail %s: %d of %d word pieces were left out; raise text.max_tokens (now %d)",
                *(email.id, len(ids) - self.max_tokens, len(ids), self.max_tokens),
            )
        return np.array(ids[: self.max_tokens], np.int32)

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(straighten(text), add_special_tokens=False).ids
        return ids

    def batch(self, emails: Sequence[Rows]) -> Batch:
        """Return the padded batch of e-mails given as piece ids; an empty one gets one mark."""
        filled = [rows if len(rows) else self._empty() for rows in emails]
        lengths = np.array([len(rows) for rows in filled], np.int64)
        width = -(-int(lengths.max(initial=1)) // _LENGTH_STEP) * _LENGTH_STEP
        token_ids = np.zeros((len(filled), width), np.int64)  # (B, T)
        for place, rows in enumerate(filled):
            token_ids[place, : len(rows)] = rows
        return Batch(
            token_ids=torch.from_numpy(token_ids),
            lengths=torch.from_numpy(lengths),
            word_ids=torch.zeros(1, dtype=torch.long),
            piece_ids=torch.zeros(1, 1, dtype=torch.long),
        )

    def _empty(self) -> Rows:
        return np.array((self.ends or self.starts or [0])[:1], np.int32)

    def token_batch(self, emails: Sequence[Sequence[str]]) -> Batch:
        """Return the padded batch of e-mails given as texts of pieces (for changed e-mails)."""
        return self.batch([self._known_ids(texts) for texts in emails])

    def _known_ids(self, texts: Sequence[str]) -> Rows:
        ids = [self.tokenizer.token_to_id(text) for text in texts]
        unknown = self.unknown_id or 0
        return np.array([unknown if i is None else i for i in ids], np.int32)

    def unknown_share(self, email: Email) -> float:
        """Return the share of pieces that the encoder has no vector for, 0 without pieces."""
        rows = self.rows(email)
        return float(np.mean(rows == self.unknown_id)) if len(rows) else 0.0

    def read(self, emails: Sequence[Email]) -> tuple[list[Rows], list[Wording]]:
        """Return ``rows`` and ``wording`` of e-mails, each cut into pieces once for both."""
        rows = [self.rows(email) for email in emails]
        return rows, list(map(self._wording, emails, rows))

    def wording(self, email: Email) -> Wording:
        """Return what the e-mail's words tell; pieces spell any gibberish."""
        return self._wording(email, self.rows(email))

    def _wording(self, email: Email, rows: Rows) -> Wording:
        words = self.words(email)
        unknown = float(np.mean(rows == self.unknown_id)) if len(rows) else 0.0
        return Wording(words=len(words), language=guess_language(words), unknown_share=unknown)

    def save(self, folder: Path) -> None:
        """Write ``tokenizer.json`` and ``reader.json``."""
        self.tokenizer.save(str(folder / "tokenizer.json"))
        text = json.dumps({"max_tokens": self.max_tokens})
        (folder / "reader.json").write_text(text, encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "PieceReader":
        """Read what ``save`` wrote."""
        value = json.loads((folder / "reader.json").read_text(encoding="utf-8"))
        return cls.from_file(folder / "tokenizer.json", max_tokens=value["max_tokens"])

    @classmethod
    def from_file(cls, file: Path, *, max_tokens: int) -> "PieceReader":
        """Return a reader with the tokenizer of a ``tokenizer.json``.

        Raises:
            RunError: the file is missing or no tokenizer.
            MissingExtraError: the extra ``pretrained`` is not installed.
        """
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise MissingExtraError("pretrained", "pretrained encoders") from None
        try:
            return cls(Tokenizer.from_str(file.read_text(encoding="utf-8")), max_tokens=max_tokens)
        except Exception as error:  # tokenizers raises bare Exceptions
            raise RunError(
                f"{file} is no tokenizer ({error}): give an encoder that has a tokenizer.json"
            ) from None


def _goes_on(before: Token, token: Token) -> bool:
    """Return True when two pieces stand in one written word: they touch, letter to letter."""
    touches = token.part == before.part and token.start == before.end and token.end > token.start
    first, last = token.text.removeprefix("##")[:1], before.text[-1:]
    return touches and first.isalnum() and last.isalnum() and first not in _BLANKS


def _frame(tokenizer: "Tokenizer") -> tuple[list[int], list[int]]:
    """Return the ids that the tokenizer puts before and after one text."""
    inner = tokenizer.encode("a", add_special_tokens=False).ids
    whole = tokenizer.encode("a").ids
    place = next(i for i in range(len(whole)) if whole[i : i + len(inner)] == inner)
    return whole[:place], whole[place + len(inner) :]


def _unknown_piece(tokenizer: "Tokenizer") -> str:
    value = json.loads(tokenizer.to_str())["model"].get("unk_token")
    return value if isinstance(value, str) else "<unk>"
