"""Word states -> one vector."""

import torch

from routing.models.pooling import AdditiveAttention, AttentionAndMax, mean_pooling

MASK = torch.tensor([[True, True, False], [True, False, False]])


def test_mean_leaves_padding_out() -> None:
    states = torch.tensor([[[1.0], [3.0], [99.0]], [[5.0], [99.0], [99.0]]])
    pooled, weights = mean_pooling(states, MASK)
    assert pooled.tolist() == [[2.0], [5.0]]
    assert weights.tolist() == [[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]


def test_attention_is_bahdanaus_formula() -> None:
    torch.manual_seed(0)
    pooling = AdditiveAttention(2)
    states = torch.randn(2, 3, 2)
    pooled, weights = pooling(states, MASK)
    key, bias, query = pooling.keys.weight, pooling.keys.bias, pooling.query.weight[0]
    scores = [query @ torch.tanh(key @ states[0, t] + bias) for t in range(2)]
    share = torch.stack(scores).softmax(0)
    assert torch.allclose(weights[0], torch.stack([share[0], share[1], torch.tensor(0.0)]))
    assert torch.allclose(pooled[0], share[0] * states[0, 0] + share[1] * states[0, 1])


def test_attention_weights_sum_to_one_and_skip_padding() -> None:
    _, weights = AdditiveAttention(4)(torch.randn(2, 3, 4), MASK)
    assert torch.allclose(weights.sum(1), torch.ones(2))
    assert weights[~MASK].abs().sum() == 0


def test_the_largest_values_stand_beside_the_attention() -> None:
    pooling = AttentionAndMax(1)
    states = torch.tensor([[[-3.0], [-1.0], [99.0]], [[-5.0], [99.0], [99.0]]])
    both, weights = pooling(states, MASK)
    alone, same = pooling.attention(states, MASK)
    assert torch.equal(weights, same)
    assert torch.equal(both, torch.cat([alone, torch.tensor([[-1.0], [-5.0]])], dim=1))
