"""Padded batches and their cutting by length."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from routing.corpus.batches import Lexicon, cut_by_length
from routing.text.vocabulary import MAX_PIECES, Vocabulary

WORDS = ("<padding>", "<unknown>", "parcel", "late")


def lexicon(**options: int) -> Lexicon:
    return Lexicon(Vocabulary(WORDS, piece_buckets=9), **options)


def test_a_batch_holds_just_its_own_words() -> None:
    words = lexicon()
    words.rows(["not", "in", "it"])
    batch = words.batch([words.rows(["parcel", "late", "parcel"]), words.rows(["xyz"])])
    assert batch.lengths.tolist() == [3, 1]
    assert batch.word_ids.tolist() == [0, 2, 3, 1]
    assert batch.token_ids.tolist() == [[1, 2, 1], [3, 0, 0]]
    assert batch.piece_ids.shape[0] == 4
    assert batch.piece_ids[0].sum() == 0
    assert batch.piece_ids[3].tolist()[:3] == list(Vocabulary(WORDS, 9).piece_ids("xyz"))[:3]


def test_an_empty_email_is_one_unknown_word() -> None:
    words = lexicon()
    batch = words.batch([words.rows([]), words.rows(["late"])])
    assert batch.lengths.tolist() == [1, 1]
    assert batch.word_ids[batch.token_ids[:, 0]].tolist() == [1, 3]
    alone = words.batch([words.rows([])])
    assert alone.word_ids[alone.token_ids[0, 0]] == 1


def test_rows_are_the_same_for_the_same_word() -> None:
    words = lexicon()
    assert words.rows(["late", "a", "late"]).tolist() == [0, 1, 0]
    assert words.rows(["a"]).tolist() == [1]
    assert len(words) == 2


def test_the_table_grows_and_keeps_what_it_knows() -> None:
    words = lexicon()
    rows = words.rows([f"w{i}" for i in range(3_000)] + ["parcel"])
    batch = words.batch([rows[-1:]])
    assert batch.word_ids.tolist() == [0, 2]


def test_too_many_words_are_forgotten_when_asked() -> None:
    words = lexicon(max_words=5)
    words.rows(["a", "b", "c", "d", "e"])
    assert not words.is_full
    assert words.rows(["f"]).tolist() == [5]
    assert words.is_full
    words.forget()
    assert (len(words), words.rows(["f"]).tolist()) == (0, [0])


def test_moving_a_batch_keeps_what_is_none() -> None:
    words = lexicon()
    moved = words.batch([words.rows(["late"])]).to("cpu")
    assert moved.routes is None
    assert torch.equal(moved.inputs()[1], torch.tensor([1]))


def test_at_most_twenty_pieces_of_a_word_are_kept() -> None:
    words = lexicon()
    batch = words.batch([words.rows(["donaudampfschifffahrtsgesellschaft"])])
    assert batch.piece_ids.shape[1] == MAX_PIECES


_LENGTHS = st.lists(st.integers(1, 50), max_size=60)


@settings(deadline=None, max_examples=50)
@given(_LENGTHS, st.integers(2, 9), st.sampled_from([None, 0, 3]))
def test_every_email_stands_in_one_batch(
    lengths: list[int], batch_emails: int, seed: int | None
) -> None:
    pairs = [(i, i + 1) for i in range(0, len(lengths) - 1, 2)]
    units: list[tuple[int, ...]] = [*pairs, *([(len(lengths) - 1,)] if len(lengths) % 2 else [])]
    batches = cut_by_length(lengths, units, batch_emails=batch_emails, seed=seed)
    assert sorted(i for batch in batches for unit in batch for i in unit) == list(
        range(len(lengths))
    )
    assert all(sum(map(len, batch)) <= batch_emails for batch in batches)


def test_emails_of_like_length_stand_together() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.lognormal(3.5, 0.6, 20_000).astype(int).clip(1).tolist()
    units = [(i,) for i in range(len(lengths))]
    padded = real = 0
    for batch in cut_by_length(lengths, units, batch_emails=64, seed=1):
        found = [lengths[i] for (i,) in batch]
        padded += max(found) * len(found)
        real += sum(found)
    assert 1 - real / padded <= 0.05


@pytest.mark.parametrize("seed", [0, 1])
def test_batches_repeat_from_their_seed(seed: int) -> None:
    lengths = [3, 1, 4, 1, 5, 9, 2, 6]
    units = [(i,) for i in range(8)]
    one, other = (cut_by_length(lengths, units, batch_emails=2, seed=seed) for _ in range(2))
    assert one == other
    assert one != cut_by_length(lengths, units, batch_emails=2, seed=7)


def test_without_a_seed_batches_are_sorted_throughout() -> None:
    batches = cut_by_length([3, 1, 2], [(0,), (1,), (2,)], batch_emails=2, seed=None)
    assert batches == [[(1,), (2,)], [(0,)]]
