import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from routing.corpus.splits import Splits
from routing.errors import RunError, SettingsError
from routing.records import Decision, Email, LabelledEmail
from routing.router import Router
from routing.settings import Settings
from routing.training.run import fit_router
from routing.training.teacher import add_unlabelled, ask_teacher, load_teacher


class Teacher:
    """Sends e-mails with a comma to refunds, knows nothing of empty ones."""

    routes = ("refunds", "delivery")

    def probabilities(self, emails: Sequence[Email]) -> np.ndarray:
        return np.array([[0.75, 0.25] if "," in email.text else [0.125, 0.875] for email in emails])

    def decide(self, emails: Sequence[Email]) -> list[Decision]:
        best = self.probabilities(emails).argmax(axis=1)
        return [Decision(e.id, route=self.routes[i]) for e, i in zip(emails, best, strict=True)]


def labelled(text: str, route: str = "delivery") -> LabelledEmail:
    return LabelledEmail(Email(text, text=text), route)


def test_probabilities_come_in_the_order_of_the_routes() -> None:
    emails = [labelled("a, b"), labelled("c")]
    found = ask_teacher(Teacher(), emails, routes=["delivery", "refunds"])
    np.testing.assert_array_equal(found, [[0.25, 0.75], [0.875, 0.125]])


def test_a_teacher_of_other_routes_is_refused() -> None:
    with pytest.raises(SettingsError, match="knows the routes delivery, refunds, the e-mails have"):
        ask_teacher(Teacher(), [labelled("a")], routes=["billing", "delivery"])


def test_unlabelled_rows_have_the_columns_of_the_training(
    tmp_path: Path, tiny: Callable[..., Settings]
) -> None:
    file = tmp_path / "mail.csv"
    file.write_text("subject,anliegen\norder,box please\n")
    data = {"train": "x.csv", "unlabelled": str(file), "text_column": "anliegen"}
    splits = Splits(train=[], validation=[], test=[])
    (found,) = add_unlabelled(splits, tiny(data=data), Teacher()).train
    assert found.email.text == "box please"


def test_unlabelled_mail_gets_the_teachers_routes(
    tmp_path: Path, tiny: Callable[..., Settings]
) -> None:
    file = tmp_path / "mail.jsonl"
    texts = ["parcel, please", "box please", "KNOWN  in validation", "known in test"]
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    splits = Splits(
        train=[labelled("old")],
        validation=[labelled("known in validation")],
        test=[labelled("known in test")],
    )
    found = add_unlabelled(splits, tiny(data={"unlabelled": str(file)}), Teacher())
    assert [(item.email.text, item.route) for item in found.train] == [
        ("old", "delivery"),
        ("parcel, please", "refunds"),
        ("box please", "delivery"),
    ]


def test_without_unlabelled_mail_the_splits_stay(tiny: Callable[..., Settings]) -> None:
    splits = Splits(train=[labelled("old")], validation=[], test=[])
    assert add_unlabelled(splits, tiny(), Teacher()) is splits


def test_unlabelled_mail_needs_a_teacher(tiny: Callable[..., Settings]) -> None:
    with pytest.raises(SettingsError, match=r"data.unlabelled more.csv: nobody labels it; give"):
        load_teacher(tiny(data={"unlabelled": "more.csv"}))


def test_a_teacher_that_is_no_run_is_named(tmp_path: Path, tiny: Callable[..., Settings]) -> None:
    with pytest.raises(RunError, match="is no run folder"):
        load_teacher(tiny(train={"teacher": str(tmp_path)}))


def test_a_student_learns_what_only_the_teacher_knows(
    tmp_path: Path, tiny: Callable[..., Settings]
) -> None:
    """The right routes say nothing here (each text stands on both); the teacher does."""
    texts = [f"box {i}" if i % 2 else f"box {i} , parcel" for i in range(40)]
    emails = [labelled(text, route) for text in texts for route in ("refunds", "delivery")]
    certain = [labelled(text, "refunds" if "," in text else "delivery") for text in texts]
    fit_router(
        tiny(train={"epochs": 8}),
        train=certain,
        validation=certain,
        folder=tmp_path / "teacher",
        progress=False,
    )
    student = fit_router(
        tiny(train={"epochs": 8, "teacher": str(tmp_path / "teacher")}),
        train=emails,
        validation=certain,
        folder=tmp_path / "student",
        progress=False,
    )
    said = student.probabilities([item.email for item in certain]).argmax(axis=1)
    right = sum(student.routes[i] == item.route for i, item in zip(said, certain, strict=True))
    assert right >= 38
    assert Router.load(tmp_path / "student").settings.train.teacher == tmp_path / "teacher"
