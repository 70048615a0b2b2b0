"""What a recurrent network kept of its state at every word.

Shape letters: B e-mails (1 here), T tokens, H hidden.
"""

import torch

from routing.explanation.attention import embed_email
from routing.explanation.records import GateTrack
from routing.explanation.variants import Asked
from routing.models.recurrent import RecurrentModel

_KEEPS = ("forget", "update")


def gate_tracks(asked: Asked) -> tuple[GateTrack, ...]:
    """Return one track for each layer and direction; none for other models and plain RNNs.

    Of an LSTM it is the forget gate (Gers et al. 2000), of a GRU the update gate, both being the
    share of the state before that stays.
    """
    model = asked.router.model
    if not isinstance(model, RecurrentModel):
        return ()
    with torch.no_grad():
        readings = model.gates(*embed_email(asked))
    return tuple(
        GateTrack(
            layer=reading.layer,
            backwards=reading.backwards,
            gate=gate,
            kept=tuple(map(float, reading.gates[gate][0].mean(dim=1))),
        )
        for reading in readings
        for gate in _KEEPS
        if gate in reading.gates
    )
