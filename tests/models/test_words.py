"""Word vectors with character n-grams."""

import pytest
import torch

from routing.models.words import WordVectors, lower, real_tokens


def test_a_vector_is_the_word_plus_the_mean_of_its_pieces() -> None:
    vectors = WordVectors(words=4, width=3, piece_buckets=5)
    token_ids = torch.tensor([[1, 2], [2, 0]])
    word_ids = torch.tensor([0, 3, 1])
    piece_ids = torch.tensor([[0, 0], [4, 5], [2, 0]])
    found = vectors(token_ids, word_ids, piece_ids)  # (2, 2, 3)
    words, pieces = vectors.words.weight, vectors.pieces.weight
    first = words[3] + (pieces[4] + pieces[5]) / 2
    second = words[1] + pieces[2]
    assert torch.allclose(found, torch.stack([first, second, second, torch.zeros(3)]).view(2, 2, 3))


def test_without_buckets_only_words_count() -> None:
    vectors = WordVectors(words=4, width=3, piece_buckets=0)
    found = vectors(torch.tensor([[1]]), torch.tensor([0, 2]), torch.tensor([[0], [9]]))
    assert torch.equal(found[0, 0], vectors.words.weight[2])


def test_fresh_vectors_spread_by_a_half_and_padding_is_zero() -> None:
    torch.manual_seed(0)
    vectors = WordVectors(words=400, width=100, piece_buckets=300)
    for table in (vectors.words.weight, vectors.pieces.weight):
        assert table[0].abs().sum() == 0
        assert 0.49 < table[1:].std() < 0.51


def test_real_tokens_come_first() -> None:
    mask = real_tokens(torch.tensor([2, 1]), 3)
    assert mask.tolist() == [[True, True, False], [True, False, False]]


@pytest.mark.parametrize(
    ("autocast", "training", "expected"),
    [
        (torch.bfloat16, True, torch.bfloat16),
        (torch.bfloat16, False, torch.float32),
        (torch.float16, True, torch.float32),
        (None, True, torch.float32),
    ],
)
def test_only_a_training_in_bfloat16_lowers_states(
    autocast: torch.dtype | None, training: bool, expected: torch.dtype
) -> None:
    with torch.autocast("cpu", dtype=autocast or torch.bfloat16, enabled=autocast is not None):
        assert lower(torch.ones(2), training=training).dtype == expected
