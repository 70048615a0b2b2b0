"""Recurrent cells written out, step by step: the same numbers as torch's own, with every gate.

torch's fused cells read e-mails fast but keep their gates to themselves. These take the weights
of an ``nn.RNN``, ``nn.LSTM`` or ``nn.GRU`` of one layer and one direction, show the gates, and
can normalize inside the recurrence.

Shape letters: B e-mails, T tokens, I inputs, H hidden, G gates (1, 4 or 3).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

CELLS: dict[str, Callable[..., nn.RNNBase]] = {"rnn": nn.RNN, "lstm": nn.LSTM, "gru": nn.GRU}
"""Name -> torch's fused cell."""

GATES = {"rnn": 1, "lstm": 4, "gru": 3}
"""Name -> G."""

Gates = dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Reading:
    """What one direction of one layer did at every token.

    Attributes:
        layer: 0 is nearest the words.
        backwards: True for the direction that reads from the end.
        states: (B, T, H).
        gates: name of the gate -> its values (B, T, H), at the tokens' own places; LSTM:
            ``input forget candidate output``, GRU: ``reset update candidate``, RNN: ``candidate``.
    """

    layer: int
    backwards: bool
    states: Tensor
    gates: Mapping[str, Tensor]


def rnn_step(from_input: Tensor, from_state: Tensor, state: Tensor) -> tuple[Tensor, Gates]:
    """Return the next state (B, H) and the gates of an Elman cell (Elman 1990)."""
    state = torch.tanh(from_input + from_state)
    return state, {"candidate": state}


def gru_step(from_input: Tensor, from_state: Tensor, state: Tensor) -> tuple[Tensor, Gates]:
    """Return the next state (B, H) and the gates of a GRU (Cho et al. 2014, eq. 5-8).

    ``from_input``, ``from_state`` (B, 3H): what input and state say to reset, update, candidate.
    """
    reset_input, update_input, candidate_input = from_input.chunk(3, dim=1)  # each (B, H)
    reset_state, update_state, candidate_state = from_state.chunk(3, dim=1)  # each (B, H)
    reset = torch.sigmoid(reset_input + reset_state)
    update = torch.sigmoid(update_input + update_state)
    candidate = torch.tanh(candidate_input + reset * candidate_state)
    gates = {"reset": reset, "update": update, "candidate": candidate}
    return (1 - update) * candidate + update * state, gates


def lstm_step(
    from_input: Tensor, from_state: Tensor, memory: Tensor, norm: nn.Module
) -> tuple[Tensor, Tensor, Gates]:
    """Return the next state and memory (B, H) and the gates of an LSTM.

    Hochreiter & Schmidhuber 1997 with the forget gate of Gers et al. 2000. ``from_input``,
    ``from_state`` (B, 4H): what input and state say to input, forget, candidate, output.
    """
    parts = (from_input + from_state).chunk(4, dim=1)  # each (B, H)
    write, forget, output = (torch.sigmoid(parts[i]) for i in (0, 1, 3))
    candidate = torch.tanh(parts[2])
    memory = forget * memory + write * candidate
    gates = {"input": write, "forget": forget, "candidate": candidate, "output": output}
    return output * torch.tanh(norm(memory)), memory, gates


class GateNorms(nn.Module):
    """Layer norms inside the recurrence (Ba et al. 2016, eq. 20-22)."""

    def __init__(self, *, cell: str, hidden: int) -> None:
        super().__init__()
        self.from_input = nn.LayerNorm(GATES[cell] * hidden, bias=False)
        self.from_state = nn.LayerNorm(GATES[cell] * hidden, bias=False)
        self.memory = nn.LayerNorm(hidden) if cell == "lstm" else nn.Identity()


def read_by_hand(
    direction: nn.RNNBase,
    inputs: Tensor,
    norms: nn.Module | None = None,
    *,
    truncate_steps: int = 0,
) -> tuple[Tensor, Gates]:
    """Return the states (B, T, H) and gates, each (B, T, H), of reading ``inputs`` (B, T, I).

    ``norms`` are GateNorms; gradients stop at every ``truncate_steps``-th token (0: nowhere).
    """
    norm_input, norm_state, norm_memory = _norms(norms)
    input_weight, state_weight, input_bias, state_bias = direction.all_weights[0]
    from_inputs = norm_input(inputs @ input_weight.T) + input_bias  # (B, T, GH)
    state = memory = inputs.new_zeros(inputs.shape[0], direction.hidden_size)  # (B, H)
    states, steps = [], []
    for place, from_input in enumerate(from_inputs.unbind(dim=1)):
        if truncate_steps and place % truncate_steps == 0:
            state, memory = state.detach(), memory.detach()
        from_state = norm_state(state @ state_weight.T) + state_bias  # (B, GH)
        match direction.mode:
            case "LSTM":
                state, memory, gates = lstm_step(from_input, from_state, memory, norm_memory)
            case "GRU":
                state, gates = gru_step(from_input, from_state, state)
            case _:
                state, gates = rnn_step(from_input, from_state, state)
        states.append(state)
        steps.append(gates)
    stacked = {name: torch.stack([gates[name] for gates in steps], dim=1) for name in steps[0]}
    return torch.stack(states, dim=1), stacked


def _norms(norms: nn.Module | None) -> tuple[nn.Module, nn.Module, nn.Module]:
    if not isinstance(norms, GateNorms):
        return nn.Identity(), nn.Identity(), nn.Identity()
    return norms.from_input, norms.from_state, norms.memory
