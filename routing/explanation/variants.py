"""Asking a router about changed versions of one e-mail.

A variant is an array of places of the e-mail's tokens, in any order, some left out; the place
``MASKED`` stands for the unknown word. So every change (deletion, mask, swap) is made on what
the model reads, never on text that is read anew.
Shape letters: K variants, T tokens, P pieces, R routes.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from routing.corpus.batches import Rows
from routing.corpus.readers import WordReader
from routing.models.bayes import BayesModel
from routing.records import Email, Token
from routing.router import Router, softmax
from routing.text.tokens import is_word

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

MASKED = -1
UNKNOWN_WORD = "<unknown>"
"""Text that every reader reads as a word without meaning."""


class Asked:
    """One e-mail as its router reads it, ready to be asked about in other versions.

    Args:
        router: any router.
        email: the e-mail.

    Attributes:
        router: as given.
        tokens: the e-mail's T tokens; the pieces of one word are one token here.
        piece_texts: what the model reads, as texts; P of them, the T tokens' own but for
            encoders that read word pieces.
        groups: places among the pieces of each token.
        route: index of its route.
        logits: (R,) of the e-mail itself.
    """

    def __init__(self, router: Router, email: Email) -> None:
        reader, self.router = router.reader, router
        pieces: list[Token] = reader.tokens(email)
        self.piece_texts = [piece.text for piece in pieces]
        self.groups: list[tuple[int, ...]]
        if isinstance(reader, WordReader):
            self.groups = [(place,) for place in range(len(pieces))]
            self.tokens = pieces
            unknown = reader.lexicon.rows([UNKNOWN_WORD])  # (1,)
        else:
            self.groups = reader.word_groups(pieces)
            self.tokens = [_join_pieces([pieces[i] for i in group]) for group in self.groups]
            unknown = np.array([reader.unknown_id or 0], np.int32)
        rows = reader.rows(email)  # (P,)
        self._rows: list[Rows] = [*(rows[list(group)] for group in self.groups), unknown]
        self._texts = [*(token.text for token in self.tokens), UNKNOWN_WORD]
        self.logits: Floats = self.ask([self.all_places()])[0]
        self.route = int(self.logits.argmax())

    def __len__(self) -> int:
        return len(self.tokens)

    def all_places(self) -> Places:
        """Return the variant that is the e-mail itself (T,)."""
        return np.arange(len(self.tokens))

    def by_token(self, values: Floats) -> Floats:
        """Return values of the pieces (..., P) added up to values of the tokens (..., T)."""
        if len(self.groups) == len(self.piece_texts):
            return values[..., : len(self)]
        sums = [values[..., list(group)].sum(axis=-1) for group in self.groups]
        return np.stack(sums, axis=-1)

    def ask(self, variants: Sequence[Places]) -> Floats:
        """Return the logits (K, R) of variants."""
        model = self.router.model
        if isinstance(model, BayesModel):
            texts = [[self._texts[i] for i in variant] for variant in variants]
            return model.logits([[t for t in words if is_word(t)] for words in texts])
        return self.router.row_logits([self._variant_rows(variant) for variant in variants])

    def _variant_rows(self, variant: Places) -> Rows:
        if not len(variant):
            return self._rows[0][:0]
        return np.concatenate([self._rows[i] for i in variant])

    def probabilities(self, variants: Sequence[Places]) -> Floats:
        """Return the calibrated probabilities (K, R) of variants."""
        if not variants:
            return np.zeros((0, len(self.logits)))
        return softmax(self.ask(variants) / self.router.calibration.temperature)

    def rival(self) -> int:
        """Return the index of the most probable route but one; the route itself if it is alone."""
        order = np.argsort(-self.logits)
        return int(order[1] if len(order) > 1 else order[0])


def without(places: Places, gone: Places, *, mask: bool) -> Places:
    """Return the variant ``places`` with the tokens ``gone`` deleted, or masked."""
    lost = np.isin(places, gone)
    return np.where(lost, MASKED, places) if mask else places[~lost]


def _join_pieces(pieces: Sequence[Token]) -> Token:
    """Return the pieces of one word as one token."""
    text = "".join(piece.text.removeprefix("##").lstrip("\u2581\u0120") for piece in pieces)
    return Token(text or pieces[0].text, pieces[0].start, pieces[-1].end, pieces[0].part)
