"""Leave-one-out: what each token's absence changes (Li et al. 2016, "erasure", section 3)."""

from routing.explanation.records import Attribution, Removal
from routing.explanation.variants import Asked, Floats, without

_NOTES = {
    "deletion": "logit difference lost when the word is deleted",
    "mask": "logit difference lost when the unknown word stands in its place",
}


def leave_one_out(asked: Asked, *, against: int, removal: Removal) -> Floats:
    """Return the logit difference lost without each token (T,); above 0: it speaks for the route.

    The difference is that of ``asked.route`` and ``against``.
    """
    places = asked.all_places()
    variants = [without(places, places[i : i + 1], mask=removal == "mask") for i in places]
    logits = asked.ask(variants)  # (T, R)
    whole = asked.logits[asked.route] - asked.logits[against]
    lost: Floats = whole - (logits[:, asked.route] - logits[:, against])
    return lost


def occlusion(asked: Asked, *, against: int, removal: Removal = "deletion") -> Attribution:
    """Return ``leave_one_out`` as an attribution: the slow, honest reference."""
    values = leave_one_out(asked, against=against, removal=removal)
    return Attribution(
        method="occlusion",
        values=tuple(map(float, values)),
        signed=True,
        note=_NOTES[removal],
    )
