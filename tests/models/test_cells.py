"""Cells written out against torch's own, and their norms."""

import pytest
import torch
from torch import nn

from routing.models.cells import (
    CELLS,
    GATES,
    GateNorms,
    gru_step,
    lstm_step,
    read_by_hand,
    rnn_step,
)

KINDS = sorted(CELLS)
B, T, I, H = 2, 5, 3, 7  # noqa: E741


@pytest.fixture(autouse=True)
def seeded() -> None:
    torch.manual_seed(0)


@pytest.mark.parametrize("cell", KINDS)
def test_reading_by_hand_equals_torch(cell: str) -> None:
    direction = CELLS[cell](I, H, batch_first=True)
    inputs = torch.randn(B, T, I)
    states, _ = read_by_hand(direction, inputs)
    assert torch.allclose(states, direction(inputs)[0], atol=1e-6)


@pytest.mark.parametrize("cell", KINDS)
def test_one_step_equals_torchs_cell(cell: str) -> None:
    own = {"rnn": nn.RNNCell, "lstm": nn.LSTMCell, "gru": nn.GRUCell}[cell](I, H)
    inputs, state, memory = torch.randn(B, I), torch.randn(B, H), torch.randn(B, H)
    from_input = inputs @ own.weight_ih.T + own.bias_ih
    from_state = state @ own.weight_hh.T + own.bias_hh
    match cell:
        case "lstm":
            found = lstm_step(from_input, from_state, memory, nn.Identity())[:2]
            expected = own(inputs, (state, memory))
        case "gru":
            found, expected = gru_step(from_input, from_state, state)[:1], (own(inputs, state),)
        case _:
            found, expected = rnn_step(from_input, from_state, state)[:1], (own(inputs, state),)
    for one, other in zip(found, expected, strict=True):
        assert torch.allclose(one, other, atol=1e-6)


@pytest.mark.parametrize("cell", KINDS)
def test_gradients_by_hand_equal_torchs(cell: str) -> None:
    direction = CELLS[cell](I, H, batch_first=True)
    inputs = torch.randn(B, T, I)
    weights = torch.randn(B, T, H)
    found = []
    for states in (direction(inputs)[0], read_by_hand(direction, inputs)[0]):
        direction.zero_grad()
        (states * weights).sum().backward()
        found.append([p.grad.clone() for p in direction.parameters()])
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other, atol=1e-5)


def test_lstm_worked_by_hand() -> None:
    zeros = torch.zeros(1, 4)
    memory = torch.tensor([[2.0]])
    state, after, gates = lstm_step(zeros, zeros, memory, nn.Identity())
    assert float(after) == 1.0  # half of it forgotten, nothing written
    assert float(state) == pytest.approx(0.5 * 0.76159, abs=1e-4)
    assert {name: float(gate) for name, gate in gates.items()} == {
        "input": 0.5,
        "forget": 0.5,
        "candidate": 0.0,
        "output": 0.5,
    }


def test_an_update_gate_of_one_keeps_the_state() -> None:
    state = torch.tensor([[0.3]])
    after, gates = gru_step(torch.tensor([[0.0, 50.0, 9.0]]), torch.zeros(1, 3), state)
    assert float(gates["update"]) == 1.0
    assert torch.allclose(after, state)


@pytest.mark.parametrize("cell", KINDS)
def test_norms_make_the_recurrence_blind_to_the_scale_of_its_inputs(cell: str) -> None:
    direction = CELLS[cell](I, H, batch_first=True)
    norms = GateNorms(cell=cell, hidden=H)
    inputs = torch.randn(B, T, I)
    once, _ = read_by_hand(direction, inputs, norms)
    thrice, _ = read_by_hand(direction, 3 * inputs, norms)
    assert torch.allclose(once, thrice, atol=1e-3)
    assert not torch.allclose(once, read_by_hand(direction, inputs)[0], atol=1e-2)


@pytest.mark.parametrize("cell", KINDS)
def test_gates_stand_for_every_token_and_unit(cell: str) -> None:
    _, gates = read_by_hand(CELLS[cell](I, H, batch_first=True), torch.randn(B, T, I))
    assert len(gates) == GATES[cell]
    assert {gate.shape for gate in gates.values()} == {(B, T, H)}
