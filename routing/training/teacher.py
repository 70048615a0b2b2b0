"""A trained router teaches a new one: its probabilities are learned beside the right routes.

Distillation (Hinton et al. 2015, section 2): the teacher's probabilities say more than the route
alone, and it can label mail that nobody has labelled.

Shape letters: B e-mails, R routes.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from routing.corpus.columns import served_columns
from routing.corpus.splits import Splits
from routing.errors import SettingsError
from routing.mail import read_emails
from routing.records import Email, LabelledEmail
from routing.router import Router
from routing.settings import Settings

Floats = npt.NDArray[np.float64]


def load_teacher(settings: Settings) -> Router | None:
    """Return the router of ``train.teacher``, None where there is none.

    Raises:
        SettingsError: ``data.unlabelled`` without a teacher.
        RunError: the run cannot be loaded.
    """
    if settings.train.teacher is not None:
        return Router.load(settings.train.teacher)
    if settings.data.unlabelled is not None:
        raise SettingsError(
            f"data.unlabelled {settings.data.unlabelled}: nobody labels it; "
            "give train.teacher, the run of a trained router"
        )
    return None


def add_unlabelled(splits: Splits, settings: Settings, teacher: Router) -> Splits:
    """Return the splits with ``data.unlabelled`` in training, each e-mail on the teacher's route.

    E-mails that cannot be read, and those whose text is in validation or test, are left out.

    Raises SourceError for a source that cannot be read.
    """
    if settings.data.unlabelled is None:
        return splits
    kept = {_text(item.email) for item in [*splits.validation, *splits.test]}
    columns = served_columns(settings.data)
    found = read_emails(settings.data.unlabelled, trim=settings.mail.trim, columns=columns)
    usable = [email for email in found if email.error is None and _text(email) not in kept]
    labelled = [
        LabelledEmail(email=email, route=decision.route)
        for email, decision in zip(usable, teacher.decide(usable), strict=True)
        if decision.route is not None
    ]
    return replace(splits, train=[*splits.train, *labelled])


def ask_teacher(
    teacher: Router, emails: Sequence[LabelledEmail], *, routes: Sequence[str]
) -> npt.NDArray[np.float32]:
    """Return the teacher's calibrated probabilities (B, R) in the order of ``routes``.

    Raises SettingsError when the teacher knows other routes.
    """
    if set(teacher.routes) != set(routes):
        raise SettingsError(
            f"train.teacher knows the routes {', '.join(sorted(teacher.routes))}, the e-mails have "
            f"{', '.join(sorted(routes))}: give a teacher that was trained on the same routes"
        )
    order = [teacher.routes.index(route) for route in routes]
    return teacher.probabilities([item.email for item in emails])[:, order].astype(np.float32)


def _text(email: Email) -> str:
    return " ".join(f"{email.subject} {email.text}".lower().split())
