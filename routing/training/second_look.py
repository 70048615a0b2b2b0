"""Whether a router looks twice: only where it was learned, and where it helps."""

from collections.abc import Sequence

from routing.models.pretrained import PretrainedModel
from routing.models.recurrent import RecurrentModel
from routing.models.transformer import TransformerModel
from routing.records import LabelledEmail
from routing.router import Router
from routing.settings import Settings


def wants_second_look(settings: Settings) -> bool:
    """Return whether the settings ask for a second look at e-mails in doubt."""
    return getattr(settings.model, "second_look", 0.0) > 0


def read_once(settings: Settings) -> Settings:
    """Return the settings without a second look."""
    if not wants_second_look(settings):
        return settings
    model = settings.model.model_copy(update={"second_look": 0.0})
    return settings.model_copy(update={"model": model})


def drop_useless_look(router: Router, validation: Sequence[LabelledEmail]) -> None:
    """Let ``router`` read once where a second look sends no more validation e-mails right."""
    model = router.model
    if not isinstance(model, RecurrentModel | TransformerModel | PretrainedModel):
        return
    if model.finder is None:
        return
    limit, twice = model.second_look, _count_right(router, validation)
    model.second_look = 0.0
    if twice > _count_right(router, validation):
        model.second_look = limit
    else:
        model.finder = None
        router.settings = read_once(router.settings)


def _count_right(router: Router, emails: Sequence[LabelledEmail]) -> int:
    best = router.logits([item.email for item in emails]).argmax(axis=1)  # (B,)
    right = [router.routes.index(item.route) for item in emails]
    return int((best == right).sum())
