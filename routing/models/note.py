"""Case notes: an encoder-decoder with additive attention that copies words it never learned.

A bidirectional LSTM reads the e-mail, an LSTM cell writes the note word by word (Sutskever et
al. 2014), looking at the e-mail's words by additive attention (Bahdanau et al. 2015, section 3)
and copying those it looks at (pointer-generator: See et al. 2017, section 2.2). It may go on to
the word after the one it last looked at, which is how a phrase is copied whole (after the
location-aware attention of Chorowski et al. 2015).

A word is a number: below V it is a word of notes, from V on it is V plus the row that it has in
the batch's table of distinct words.

Shape letters: B e-mails, T tokens, N note words, V words of notes, U distinct words of a batch,
E embedding, H hidden, K notes kept (beam).
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from routing.models.recurrent import RecurrentLayer, SameMaskDropout
from routing.models.words import WordVectors, lower, real_tokens

PADDING, END, UNKNOWN = 0, 1, 2
"""The first words of notes; a note starts after END and stops with END."""

_LEAST = 1e-9
"""Added to probabilities before their logarithm is taken."""


@dataclass(frozen=True, slots=True)
class Source:
    """An e-mail as the decoder sees it.

    Attributes:
        states: (B, T, 2H) what the encoder made of each token.
        keys: (B, T, H) the part of the attention's score that the tokens give.
        mask: (B, T) True for real tokens.
        token_ids: (B, T) rows of the batch's word table.
        row_words: (U,) word of notes that each row is, UNKNOWN where it is none.
        row_vectors: (U, E) vector of the word in each row.
    """

    states: Tensor
    keys: Tensor
    mask: Tensor
    token_ids: Tensor
    row_words: Tensor
    row_vectors: Tensor

    def repeat(self, times: int) -> "Source":
        """Return every e-mail ``times`` times, one after the other."""
        names = [field.name for field in fields(self) if not field.name.startswith("row_")]
        return replace(self, **{n: getattr(self, n).repeat_interleave(times, dim=0) for n in names})


@dataclass(frozen=True, slots=True)
class State:
    """Where the decoder stands.

    Attributes:
        hidden: (B, H) its state.
        memory: (B, H) the memory of its cell.
        context: (B, 2H) what it last saw of the e-mail.
        weights: (B, T) where it last looked, 0 at the start.
    """

    hidden: Tensor
    memory: Tensor
    context: Tensor
    weights: Tensor

    def take(self, places: Tensor) -> "State":
        """Return the states of ``places`` (B,)."""
        return State(*(getattr(self, field.name)[places] for field in fields(self)))


class NoteModel(nn.Module):
    """Reads e-mails, writes case notes.

    Args:
        words: size of the e-mails' vocabulary.
        note_words: V.
        embedding: E.
        hidden: H, of each direction and of the decoder.
        attention: look at the words and copy them; False leaves the decoder one vector, the
            bottleneck of Sutskever et al. 2014.
        dropout: rate, one mask over all steps.
        piece_buckets: rows of the table of character n-grams; 0: none.
    """

    def __init__(
        self,
        *,
        words: int,
        note_words: int,
        embedding: int = 96,
        hidden: int = 128,
        attention: bool = True,
        dropout: float = 0.1,
        piece_buckets: int = 0,
    ) -> None:
        super().__init__()
        self.attention = attention
        self.vectors = WordVectors(words=words, width=embedding, piece_buckets=piece_buckets)
        self.own_vectors = WordVectors(words=note_words, width=embedding, piece_buckets=0)
        self.encoder = RecurrentLayer(
            cell="lstm", inputs=embedding, hidden=hidden, bidirectional=True
        )
        self.start = nn.Linear(2 * hidden, hidden)
        self.cell = nn.LSTMCell(embedding + 2 * hidden, hidden)
        self.keys = nn.Linear(2 * hidden, hidden)
        self.query = nn.Linear(hidden, hidden, bias=False)
        self.score = nn.Linear(hidden, 1, bias=False)
        self.follow = nn.Linear(hidden, 1)
        self.out = nn.Linear(3 * hidden, note_words)
        self.gate = nn.Linear(3 * hidden + embedding, 1)
        self.dropout = SameMaskDropout(dropout)

    def forward(
        self,
        token_ids: Tensor,
        lengths: Tensor,
        word_ids: Tensor,
        piece_ids: Tensor,
        *,
        row_words: Tensor,
        notes: Tensor,
    ) -> Tensor:
        """Return the log-probability (B, N) of each word of ``notes`` (B, N), 0 at padding.

        Each word is foretold from the right ones before it (teacher forcing).
        """
        source, state = self.encode(token_ids, lengths, word_ids, piece_ids, row_words=row_words)
        before = self.vectors_of(source, functional.pad(notes, (1, -1), value=END))  # (B, N, E)
        states = []
        for word in before.unbind(dim=1):
            state = self.advance(source, state, word)
            states.append(state)
        logs = self.foretell(source, before, states).gather(2, notes[:, :, None]).squeeze(2)
        return logs.masked_fill(notes == PADDING, 0.0)  # (B, N)

    def encode(
        self,
        token_ids: Tensor,
        lengths: Tensor,
        word_ids: Tensor,
        piece_ids: Tensor,
        *,
        row_words: Tensor,
    ) -> tuple[Source, State]:
        """Return the e-mails as the decoder sees them, and where it starts."""
        table = self.vectors.table(word_ids, piece_ids)  # (U, E)
        embedded = self.dropout(functional.embedding(token_ids, table))  # (B, T, E)
        embedded = lower(embedded, training=self.training)
        states = self.dropout(self.encoder(embedded, lengths))  # (B, T, 2H)
        ahead, back = states.chunk(2, dim=2)  # each (B, T, H)
        emails = torch.arange(len(lengths), device=lengths.device)
        whole = torch.cat([ahead[emails, lengths - 1], back[:, 0]], dim=1)  # (B, 2H)
        hidden = torch.tanh(self.start(whole))  # (B, H)
        mask = real_tokens(lengths, token_ids.shape[1])
        source = Source(states, self.keys(states), mask, token_ids, row_words, table)
        weights = torch.zeros(mask.shape, device=mask.device)  # (B, T)
        return source, State(hidden, torch.zeros_like(hidden), whole, weights)

    def step(self, source: Source, state: State, word: Tensor) -> tuple[Tensor, State, Tensor]:
        """Return the log-probabilities of the next word, the new state, and where it looked.

        ``word`` (B,) is the one before; the log-probabilities are (B, V + U), the weights (B, T).
        """
        before = self.vectors_of(source, word)  # (B, E)
        state = self.advance(source, state, before)
        return self.foretell(source, before[:, None], [state])[:, 0], state, state.weights

    def vectors_of(self, source: Source, words: Tensor) -> Tensor:
        """Return the vectors (..., E) of words (...) of a note; a copied one has the e-mail's."""
        table = torch.cat([self.own_vectors.words.weight, source.row_vectors])  # (V + U, E)
        return functional.embedding(words, table)

    def advance(self, source: Source, state: State, before: Tensor) -> State:
        """Return where the decoder stands after the word whose vector is ``before`` (B, E)."""
        inputs = torch.cat([before, state.context], dim=1)  # (B, E + 2H)
        hidden, memory = self.cell(inputs, (state.hidden, state.memory))
        context, weights = state.context, state.weights
        if self.attention:
            context, weights = self.look(source, hidden, before=weights)
        return State(hidden, memory, context, weights)

    def foretell(self, source: Source, before: Tensor, states: Sequence[State]) -> Tensor:
        """Return the log-probabilities (B, N, V + U) of the words that follow N states.

        ``before`` (B, N, E) are the vectors of the words that led to them. Probabilities are
        float32, whatever the states are.
        """
        hidden, context, weights = (
            torch.stack([getattr(state, name) for state in states], dim=1)
            for name in ("hidden", "context", "weights")
        )  # (B, N, H), (B, N, 2H), (B, N, T)
        features = torch.cat([hidden, context], dim=2)  # (B, N, 3H)
        learned = self.out(features).float().softmax(dim=2)  # (B, N, V)
        copied = learned.new_zeros(*learned.shape[:2], len(source.row_words))  # (B, N, U)
        if self.attention:
            write = torch.sigmoid(self.gate(torch.cat([features, before], dim=2)).float())
            learned = write * learned
            copied = add_up(source.token_ids, (1 - write) * weights, len(source.row_words))
        return (join(learned, copied, source.row_words) + _LEAST).log()

    def look(self, source: Source, hidden: Tensor, *, before: Tensor) -> tuple[Tensor, Tensor]:
        """Return the context (B, 2H) and the weights (B, T) (Bahdanau et al. 2015, A.1.2).

        ``before`` (B, T) are the weights of the word before.
        """
        met = torch.tanh(source.keys + self.query(hidden)[:, None])  # (B, T, H)
        after = functional.pad(before, (1, -1))  # (B, T), each weight one token on
        scores = self.score(met).squeeze(2).float() + self.follow(hidden).float() * after  # (B, T)
        weights = scores.masked_fill(~source.mask, float("-inf")).softmax(dim=1)
        seen = torch.einsum("bt,bth->bh", weights.to(source.states.dtype), source.states)
        return seen, weights

    @torch.no_grad()
    def write(
        self,
        token_ids: Tensor,
        lengths: Tensor,
        word_ids: Tensor,
        piece_ids: Tensor,
        *,
        row_words: Tensor,
        beam: int = 1,
        max_words: int = 24,
    ) -> tuple[Tensor, Tensor]:
        """Return the likeliest notes (B, N), END and what follows left in, and looks (B, N, T).

        ``beam`` notes are kept at each step; 1 is greedy.
        """
        source, state = self.encode(token_ids, lengths, word_ids, piece_ids, row_words=row_words)
        emails = len(lengths)
        source = source.repeat(beam)
        state = state.take(torch.arange(emails, device=lengths.device).repeat_interleave(beam))
        firsts = torch.arange(emails, device=lengths.device)[:, None] * beam  # (B, 1)
        totals = torch.full((emails, beam), float("-inf"), device=lengths.device)  # (B, K)
        totals[:, 0] = 0.0
        notes = lengths.new_full((emails * beam, 1), END)  # (B*K, 1 + words so far)
        looks = source.states.new_zeros(emails * beam, 0, token_ids.shape[1])
        for step in range(max_words):
            chances, state, weights = self.step(source, state, notes[:, -1])
            chances = stay_ended(chances, notes) if step else chances  # (B*K, V + U)
            sums = totals[:, :, None] + chances.view(emails, beam, -1)  # (B, K, V + U)
            totals, best = sums.flatten(1).topk(beam, dim=1)  # (B, K)
            parents = (firsts + best // chances.shape[1]).flatten()  # (B*K,)
            words = (best % chances.shape[1]).view(-1, 1)
            state = state.take(parents)
            notes = torch.cat([notes[parents], words], dim=1)
            looks = torch.cat([looks, weights[:, None]], dim=1)[parents]
            if bool((notes[:, -1] == END).all()):
                break
        return notes[::beam, 1:], looks[::beam]


def add_up(token_ids: Tensor, weights: Tensor, rows: int) -> Tensor:
    """Return the sums (B, N, U) of the weights (B, N, T) of each row of the table, U = ``rows``.

    ``token_ids`` (B, T). Flat, for which CUDA has a repeatable algorithm.
    """
    emails, words = weights.shape[:2]
    firsts = rows * torch.arange(emails * words, device=token_ids.device).view(emails, words, 1)
    sums = weights.new_zeros(emails * words * rows)
    places = (firsts + token_ids[:, None]).flatten()  # (B*N*T,)
    return sums.scatter_add(0, places, weights.flatten()).view(emails, words, rows)


def join(learned: Tensor, copied: Tensor, row_words: Tensor) -> Tensor:
    """Return one distribution (..., V + U) of words written (..., V) and words copied (..., U).

    The copies of words that notes know count for those words.
    """
    known = row_words != UNKNOWN  # (U,)
    learned = learned.index_add(-1, row_words[known], copied[..., known])
    return torch.cat([learned, copied.masked_fill(known, 0.0)], dim=-1)


def stay_ended(chances: Tensor, notes: Tensor) -> Tensor:
    """Return log-probabilities (B, V + U) in which ended notes (B, N) stay as they are."""
    ended = notes[:, -1:] == END  # (B, 1)
    kept = torch.full_like(chances, float("-inf"))
    kept[:, END] = 0.0
    return torch.where(ended, kept, chances)
