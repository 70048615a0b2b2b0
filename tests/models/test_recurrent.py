"""The recurrent network: starts, directions, dropout, gates."""

import pytest
import torch

from routing.models.recurrent import (
    RecurrentLayer,
    RecurrentModel,
    SameMaskDropout,
    reverse_within,
)

CELLS = ("rnn", "gru", "lstm")
LENGTHS = torch.tensor([5, 2])


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


def layer(cell: str = "lstm", **options: bool) -> RecurrentLayer:
    return RecurrentLayer(cell=cell, inputs=3, hidden=7, bidirectional=True, **options)


def test_each_email_is_reversed_within_its_own_length() -> None:
    states = torch.tensor([[[1.0], [2.0], [3.0]], [[4.0], [5.0], [0.0]]])
    turned = reverse_within(states, torch.tensor([3, 2]))
    assert turned.squeeze(-1).tolist() == [[3, 2, 1], [5, 4, 0]]


def test_a_bidirectional_layer_equals_torchs_on_packed_emails() -> None:
    ours = layer()
    theirs = torch.nn.LSTM(3, 7, batch_first=True, bidirectional=True)
    for name, weight in ours.forwards.named_parameters():
        getattr(theirs, name).data.copy_(weight.data)
    for name, weight in ours.backwards.named_parameters():
        getattr(theirs, f"{name}_reverse").data.copy_(weight.data)
    states = torch.randn(2, 5, 3)
    packed = torch.nn.utils.rnn.pack_padded_sequence(states, LENGTHS, batch_first=True)
    expected, _ = torch.nn.utils.rnn.pad_packed_sequence(theirs(packed)[0], batch_first=True)
    found = ours(states, LENGTHS)
    for row, length in enumerate(LENGTHS):
        assert torch.allclose(found[row, :length], expected[row, :length], atol=1e-6)


@pytest.mark.parametrize("cell", CELLS)
def test_recurrent_weights_start_orthogonal_and_biases_zero(cell: str) -> None:
    forwards = layer(cell).forwards
    for gate in forwards.weight_hh_l0.chunk(len(forwards.weight_hh_l0) // 7):
        assert torch.allclose(gate @ gate.T, torch.eye(7), atol=1e-5)
    for gate in forwards.weight_ih_l0.chunk(len(forwards.weight_ih_l0) // 7):
        assert gate.abs().max() <= (6 / (3 + 7)) ** 0.5  # Xavier's bound
    bias = forwards.bias_ih_l0 + forwards.bias_hh_l0
    forget = [1.0] * 7 if cell == "lstm" else [0.0] * 7
    assert bias.tolist() == ([0.0] * 7 + forget + [0.0] * (len(bias) - 14))[: len(bias)]


def test_one_dropout_mask_serves_all_steps_of_an_email() -> None:
    dropout = SameMaskDropout(0.5)
    dropped = dropout(torch.ones(40, 6, 8))
    assert torch.equal(dropped, dropped[:, :1].expand_as(dropped))
    assert set(dropped.unique().tolist()) == {0.0, 2.0}
    assert not torch.equal(dropped[0], dropped[1])
    assert 0.4 < (dropped == 0).float().mean() < 0.6


def test_dropout_rests_when_not_training() -> None:
    dropout = SameMaskDropout(0.5).eval()
    assert torch.equal(dropout(torch.ones(2, 3, 4)), torch.ones(2, 3, 4))


@pytest.mark.parametrize("cell", CELLS)
def test_gates_come_from_the_same_reading_as_the_logits(cell: str) -> None:
    model = RecurrentModel(words=9, routes=4, cell=cell, embedding=3, hidden=7, layers=2).eval()
    embedded = torch.randn(2, 5, 3)
    readings = model.gates(embedded, LENGTHS)
    assert [(r.layer, r.backwards) for r in readings] == [
        (0, False),
        (0, True),
        (1, False),
        (1, True),
    ]
    states = torch.cat([r.states for r in readings[2:]], dim=2)  # (2, 5, 14)
    lower = torch.cat([r.states for r in readings[:2]], dim=2)
    assert torch.allclose(states, model.layers[1](lower, LENGTHS), atol=1e-6)
    pooled, _ = model.pooling(states, torch.arange(5)[None] < LENGTHS[:, None])
    assert torch.allclose(model.head(pooled), model.read(embedded, LENGTHS)[0], atol=1e-6)


def test_a_forget_gate_stands_at_its_tokens_own_place() -> None:
    model = RecurrentModel(words=9, routes=4, embedding=3, hidden=7, layers=1).eval()
    embedded = torch.randn(1, 4, 3)
    changed = embedded.clone()
    changed[0, 1] += 1
    before = model.gates(embedded, torch.tensor([4]))
    after = model.gates(changed, torch.tensor([4]))
    moved = [
        (one.gates["forget"] != other.gates["forget"]).any(dim=2)[0].tolist()
        for one, other in zip(before, after, strict=True)
    ]
    assert moved == [[False, True, True, True], [True, True, False, False]]


def test_norms_inside_the_recurrence_add_parameters_in_each_direction() -> None:
    assert len(layer(normed=True).norms) == 2
    assert len(layer().norms) == 0


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("normed", [False, True])
def test_truncation_changes_no_state_and_stops_gradients(cell: str, normed: bool) -> None:
    reader = layer(cell, normed=normed)
    states = torch.randn(1, 5, 3, requires_grad=True)
    length = torch.tensor([5])
    whole = reader(states, length)
    cut = reader(states, length, truncate_steps=2)
    assert torch.allclose(whole, cut, atol=1e-6)
    last_ahead, last_back = cut[0, 4, :7].sum(), cut[0, 0, 7:].sum()
    ahead = torch.autograd.grad(last_ahead, states, retain_graph=True)[0].abs().sum(2)[0] > 0
    back = torch.autograd.grad(last_back, states)[0].abs().sum(2)[0] > 0
    assert ahead.tolist() == [False, False, False, False, True]
    assert back.tolist() == [True, False, False, False, False]
