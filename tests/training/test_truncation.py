"""Truncated back-propagation through time."""

import pytest
import torch

from routing.models.recurrent import RecurrentModel

LENGTHS = torch.tensor([7, 5])


def make_model(cell: str, *, bidirectional: bool = False) -> RecurrentModel:
    torch.manual_seed(0)
    return RecurrentModel(
        words=9,
        routes=3,
        cell=cell,
        embedding=3,
        hidden=4,
        layers=1,
        bidirectional=bidirectional,
        dropout=0.0,
    )


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
@pytest.mark.parametrize("steps", [1, 3, 7, 50])
def test_truncation_leaves_the_logits_as_they_are(cell, steps):
    model = make_model(cell, bidirectional=True)
    embedded = torch.randn(2, 7, 3)
    whole, _, _ = model.read(embedded, LENGTHS)
    parted, _, _ = model.read(embedded, LENGTHS, truncate_steps=steps)
    torch.testing.assert_close(parted, whole)


@pytest.mark.parametrize("cell", ["rnn", "lstm", "gru"])
def test_no_gradient_crosses_the_border_of_a_chunk(cell):
    layer = make_model(cell).layers[0]
    embedded = torch.randn(2, 7, 3, requires_grad=True)
    layer(embedded, LENGTHS, truncate_steps=3)[:, 4].sum().backward()
    reached = embedded.grad.abs().sum(dim=(0, 2)) > 0  # (T,)
    assert reached.tolist() == [False, False, False, True, True, False, False]


def test_without_truncation_gradients_reach_the_first_token():
    layer = make_model("lstm").layers[0]
    embedded = torch.randn(2, 7, 3, requires_grad=True)
    layer(embedded, LENGTHS)[:, 4].sum().backward()
    assert (embedded.grad[:, 0].abs() > 0).any()
