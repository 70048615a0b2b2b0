"""What a second look at an e-mail in doubt found, in words.

Shape letters: P pieces, E embedding, R routes.
"""

import torch
from torch import Tensor

from routing.explanation.attention import embed_email, network
from routing.explanation.variants import Asked
from routing.models.bayes import BayesModel
from routing.models.second_look import doubtful_swap, read_again, weigh
from routing.records import Email
from routing.router import softmax


def second_look_note(asked: Asked, email: Email) -> str | None:
    """Return what the router was told by its second look, None when it read the e-mail once."""
    if isinstance(asked.router.model, BayesModel) or not len(asked):
        return None
    model = network(asked)
    vectors, lengths = embed_email(asked)  # (1, P, E), (1,)
    with torch.inference_mode():
        swap = doubtful_swap(model, vectors, lengths)  # (4,)
        if swap is None:
            return None
        first = model.read(vectors, lengths)[0]  # (1, R)
        second = read_again(model, vectors, lengths, swap[None])
        both = weigh(first, second, model.second_look)
    early, late = (_words(asked, email, *ends) for ends in (swap[:2].tolist(), swap[2:].tolist()))
    return (
        f"In doubt after reading it once ({_say(asked, first)}), the router read the e-mail again "
        f"with {early} and {late} swapped ({_say(asked, second)}). What is said of both versions "
        "proves nothing, so the second reading was taken off the first, the more the less sure "
        f"that was: {_say(asked, both)}. Attention and gates are those of the first reading."
    )


def _say(asked: Asked, logits: Tensor) -> str:
    """Return the more probable route of logits (1, R) with its probability."""
    router = asked.router
    found = softmax(logits.double().cpu().numpy() / router.calibration.temperature)[0]  # (R,)
    return f"{router.routes[int(found.argmax())]} {found.max():.0%}"


def _words(asked: Asked, email: Email, first: int, last: int) -> str:
    """Return what stands in the e-mail from piece ``first`` to piece ``last``, quoted."""
    pieces = asked.router.reader.tokens(email)[first : last + 1]
    parts = (
        (email.subject, [p for p in pieces if p.part == "subject"]),
        (email.text, [p for p in pieces if p.part == "text"]),
    )
    found = (text[inside[0].start : inside[-1].end] for text, inside in parts if inside)
    words = " ".join(" ".join(found).split())
    if not words:
        return "the end of the subject" if pieces[0].part == "subject" else "a line break"
    return f"“{words}”"
