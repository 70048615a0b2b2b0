"""Whether a router looks twice: where it has learned to, and where that helps."""

from collections.abc import Sequence
from itertools import islice

from torch import nn

from routing.records import LabelledEmail
from routing.router import Router
from routing.settings import Settings

_CHECKED = 2000
"""About so many validation e-mails are read with a second look and without, at most."""


def wants_second_look(settings: Settings) -> bool:
    """Return whether the settings ask for a second look at e-mails in doubt."""
    return getattr(settings.model, "second_look", 0.0) > 0


def read_once(settings: Settings) -> Settings:
    """Return the settings without a second look."""
    if not wants_second_look(settings):
        return settings
    model = settings.model.model_copy(update={"second_look": 0.0})
    return settings.model_copy(update={"model": model})


def choose_look(router: Router, validation: Sequence[LabelledEmail]) -> float | None:
    """Return the lead under which ``router`` should look twice, None for one that cannot.

    0 where it sends no more validation pairs right by it (both members; an e-mail of no pair
    counts by itself). Its model is told so.
    """
    model = router.model
    if not isinstance(model, nn.Module) or not wants_second_look(router.settings):
        return None
    some = whole_pairs(validation)
    wished = router.settings.model.second_look  # type: ignore[union-attr]
    right = []
    for limit in (wished, 0.0):
        model.second_look = limit  # type: ignore[assignment]
        right.append(_count_right(router, some))
    chosen = wished if right[0] > right[1] else 0.0
    model.second_look = chosen  # type: ignore[assignment]
    return float(chosen)


def whole_pairs(emails: Sequence[LabelledEmail]) -> list[list[LabelledEmail]]:
    """Return pairs, and e-mails of none, from all over ``emails``: about _CHECKED at most."""
    units: dict[str, list[LabelledEmail]] = {}
    for place, item in enumerate(emails):
        units.setdefault(item.pair or f"\0{place}", []).append(item)
    step = -(-len(emails) // _CHECKED)
    return list(islice(units.values(), 0, None, step))


def _count_right(router: Router, units: Sequence[Sequence[LabelledEmail]]) -> int:
    """Return how many of the units have every e-mail sent right."""
    emails = [item for unit in units for item in unit]
    best = iter(router.logits([item.email for item in emails]).argmax(axis=1))  # (B,)
    right = [[router.routes.index(item.route) == next(best) for item in unit] for unit in units]
    return sum(map(all, right))
