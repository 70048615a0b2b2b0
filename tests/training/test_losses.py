"""Losses by hand."""

import math

import pytest
import torch

from routing.corpus.batches import Batch
from routing.training.losses import drop_words, email_losses, pair_margin, weigh_routes

LOGITS = torch.tensor([[2.0, 0.0], [1.0, 1.0], [0.0, 3.0]])  # (B=3, R=2)
ROUTES = torch.tensor([0, 1, 0])


def make_batch(**fields: torch.Tensor) -> Batch:
    return Batch(
        token_ids=torch.tensor([[1, 2], [2, 0], [1, 1]]),
        lengths=torch.tensor([2, 1, 2]),
        word_ids=torch.tensor([0, 5, 6]),
        piece_ids=torch.tensor([[0, 0], [3, 4], [7, 0]]),
        **{"routes": ROUTES, **fields},
    )


def nll(*logits: float, route: int) -> float:
    return math.log(sum(map(math.exp, logits))) - logits[route]


def test_plain_loss_is_cross_entropy():
    found = email_losses(LOGITS, make_batch())
    right = [nll(2, 0, route=0), nll(1, 1, route=1), nll(0, 3, route=0)]
    torch.testing.assert_close(found, torch.tensor(right))


def test_smoothing_spreads_a_share_over_all_routes():
    found = email_losses(LOGITS, make_batch(), label_smoothing=0.2)
    right = 0.9 * nll(2, 0, route=0) + 0.1 * nll(2, 0, route=1)
    assert float(found[0]) == pytest.approx(right)


def test_route_weights_multiply_the_losses_of_their_route():
    plain = email_losses(LOGITS, make_batch())
    found = email_losses(LOGITS, make_batch(), route_weights=torch.tensor([3.0, 0.5]))
    torch.testing.assert_close(found, plain * torch.tensor([3.0, 0.5, 3.0]))


def test_teacher_takes_half_of_the_loss():
    teacher = torch.tensor([[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]])
    found = email_losses(LOGITS, make_batch(teacher=teacher))
    taught = 0.5 * nll(2, 0, route=0) + 0.5 * nll(2, 0, route=1)
    assert float(found[0]) == pytest.approx(0.5 * nll(2, 0, route=0) + 0.5 * taught)


def test_pair_margin_stands_at_the_first_member():
    plain = email_losses(LOGITS, make_batch())
    found = email_losses(LOGITS, make_batch(pairs=torch.tensor([[0, 1]])), margin=2.0)
    margin = math.log1p(math.exp(-2.0))  # leads 2 and 0 towards the first route
    torch.testing.assert_close(found - plain, torch.tensor([2 * margin, 0.0, 0.0]))


def test_pair_margin_of_equal_logits_is_log_two():
    logits = torch.tensor([[0.3, -1.0], [0.3, -1.0]])
    found = pair_margin(logits, torch.tensor([0, 1]), torch.tensor([[0, 1]]))
    assert float(found) == pytest.approx(math.log(2))


@pytest.mark.parametrize("weighting", ["balanced", "effective"])
def test_mean_weight_over_the_emails_is_one(weighting):
    routes = [0] * 90 + [1] * 9 + [2]
    weights = weigh_routes(routes, count=3, weighting=weighting)
    assert float(weights[torch.tensor(routes)].mean()) == pytest.approx(1)
    assert weights[0] < weights[1] < weights[2]


def test_balanced_weights_are_inverse_to_the_emails():
    weights = weigh_routes([0, 0, 0, 1], count=2, weighting="balanced")
    assert float(weights[1] / weights[0]) == pytest.approx(3)


def test_effective_weights_follow_the_effective_number():
    weights = weigh_routes([0] * 2000 + [1] * 20, count=2, weighting="effective")
    numbers = [(1 - 0.999**n) / (1 - 0.999) for n in (2000, 20)]
    assert float(weights[1] / weights[0]) == pytest.approx(numbers[0] / numbers[1], rel=1e-5)


def test_route_without_emails_weighs_nothing():
    assert weigh_routes([0, 0, 2], count=3, weighting="balanced")[1] == 0
    assert weigh_routes([0, 1], count=2, weighting="none") is None


def test_word_dropout_makes_words_unknown_and_takes_their_pieces():
    torch.manual_seed(0)
    found = drop_words(make_batch(), 0.999)
    assert found.word_ids.tolist() == [0, 1, 1]
    assert found.piece_ids.tolist() == [[0, 0], [0, 0], [0, 0]]
    assert drop_words(make_batch(), 0.0).word_ids.tolist() == [0, 5, 6]
