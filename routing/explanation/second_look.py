"""What a model has learned of an e-mail's opposite: the swap, and what a second look found.

Shape letters: P pieces, E embedding, R routes.
"""

import torch
from torch import Tensor

from routing.explanation.attention import embed_email, network
from routing.explanation.variants import Asked
from routing.models.bayes import BayesModel
from routing.models.second_look import best_swap, doubtful_swap, read_again, weigh
from routing.records import Email
from routing.router import softmax
from routing.text.tokens import is_word

Stretch = tuple[int, int]
"""Places of the first token and of the one past the last."""


def learned_swap(asked: Asked) -> tuple[Stretch, Stretch] | None:
    """Return the two stretches of tokens that the model would swap; None for one without a finder.

    None, too, where they are no words of one part of the e-mail, or the same words.
    """
    if isinstance(asked.router.model, BayesModel) or len(asked) < 2:
        return None
    model = network(asked)
    if model.finder is None:
        return None
    vectors, lengths = embed_email(asked)  # (1, P, E), (1,)
    with torch.inference_mode():
        swap = best_swap(model.finder(model.read(vectors, lengths)[2], lengths))[0]  # (4,)
    owners = {piece: token for token, group in enumerate(asked.groups) for piece in group}
    first, last, other_first, other_last = (owners[p] for p in swap.tolist())
    early, late = (first, last + 1), (other_first, other_last + 1)
    texts = [[asked.tokens[i].text for i in range(*stretch)] for stretch in (early, late)]
    parts = {asked.tokens[i].part for stretch in (early, late) for i in range(*stretch)}
    worded = all(any(map(is_word, words)) for words in texts)
    if early[1] > late[0] or len(parts) > 1 or not worded or texts[0] == texts[1]:
        return None
    return early, late


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
