"""Whether a router looks twice: where it has learned to, and where that helps."""

from collections.abc import Sequence

from torch import nn

from routing.records import LabelledEmail
from routing.router import Router
from routing.settings import Settings

_CHECKED = 1000
"""Validation e-mails that are read with a second look and without, at most."""


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

    0 where no more validation e-mails are sent right by it. Its model is told so.
    """
    model = router.model
    if not isinstance(model, nn.Module) or not wants_second_look(router.settings):
        return None
    step = -(-len(validation) // _CHECKED)
    some = validation[::step]
    wished = router.settings.model.second_look  # type: ignore[union-attr]
    right = []
    for limit in (wished, 0.0):
        model.second_look = limit  # type: ignore[assignment]
        right.append(_count_right(router, some))
    chosen = wished if right[0] > right[1] else 0.0
    model.second_look = chosen  # type: ignore[assignment]
    return float(chosen)


def _count_right(router: Router, emails: Sequence[LabelledEmail]) -> int:
    best = router.logits([item.email for item in emails]).argmax(axis=1)  # (B,)
    right = [router.routes.index(item.route) for item in emails]
    return int((best == right).sum())
