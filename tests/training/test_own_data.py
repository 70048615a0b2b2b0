"""Fitting own labelled e-mails: checks before, calibration after, vectors to start from."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routing.errors import CorpusError, SettingsError
from routing.router import Router
from routing.settings import Settings
from routing.training.run import fit_run

ROUTES = {"delivery": "where is my parcel", "refunds": "i want my money", "sales": "a bigger lamp"}
TINY = {"kind": "recurrent", "embedding": 3, "hidden": 4, "layers": 1, "piece_buckets": 0}


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    file = tmp_path / "mail.csv"
    with file.open("w", newline="") as stream:
        rows = [(f"{text} number {i}", route) for i in range(20) for route, text in ROUTES.items()]
        csv.writer(stream).writerows([("text", "route"), *rows])
    return file


def fit(mail: Path, *, model: dict[str, Any] | None = None, **parts: dict[str, Any]) -> Any:
    data = {"train": str(mail), **parts.pop("data", {})}
    settings = Settings.model_validate(
        {"model": model or {"kind": "bayes"}, "data": data, "train": {"epochs": 1}, **parts}
    )
    return fit_run(settings, folder=mail.parent / "run", progress=False)


def test_any_number_of_routes_is_fitted_and_saved(mail: Path) -> None:
    fitted = fit(mail)
    assert fitted.router.routes == ("delivery", "refunds", "sales")
    assert len(fitted.splits.test) > 0
    again = Router.load(mail.parent / "run")
    emails = [item.email for item in fitted.splits.test]
    assert again.decide(emails) == fitted.router.decide(emails)


def test_a_run_says_what_to_expect_of_its_automatic_decisions(mail: Path) -> None:
    fit(mail)
    calibration = json.loads((mail.parent / "run" / "calibration.json").read_text())
    assert set(calibration["thresholds"]) == set(ROUTES)
    assert 0 <= calibration["expected"]["coverage_low"] <= calibration["expected"]["coverage"] <= 1
    assert calibration["languages"] == ["English"]


def test_findings_are_warned_of_or_refused(mail: Path, caplog: pytest.LogCaptureFixture) -> None:
    mail.write_text(mail.read_text() + "one of a kind,rare\n")
    with caplog.at_level("WARNING"):
        fit(mail)
    assert "1 routes have fewer than 5 training e-mails (rare: 1)" in caplog.text
    with pytest.raises(CorpusError, match=r"\(rare: 1\)"):
        fit(mail, data={"checks": "error"})


@pytest.mark.parametrize("model", [{"kind": "bayes"}, TINY])
def test_emails_of_one_route_are_refused(mail: Path, model: dict[str, Any]) -> None:
    mail.write_text(mail.read_text().replace("refunds", "sales").replace("delivery", "sales"))
    said = r"all \d+ e-mails to train on have the route 'sales': .* now 'route'"
    with pytest.raises(CorpusError, match=said):
        fit(mail, model=model)
    assert not (mail.parent / "run").exists()


def test_own_emails_are_all_taken_in_every_epoch(mail: Path) -> None:
    fitted = fit(mail, model=TINY, corpus={"parts": 1_000}, train={"epochs": 2, "batch_emails": 1})
    history = list(csv.DictReader((mail.parent / "run" / "history.csv").open()))
    assert [int(row["step"]) for row in history] == [48, 96]
    assert len(fitted.splits.train) == 48


def test_the_corpus_is_dealt_out_over_the_epochs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    corpus = {"pairs": 20, "written": False, "parts": 2}
    values = {"model": TINY, "corpus": corpus, "train": {"epochs": 2, "batch_emails": 2}}
    fit_run(Settings.model_validate(values), folder=tmp_path, progress=False)
    history = list(csv.DictReader((tmp_path / "history.csv").open()))
    assert [int(row["step"]) for row in history] == [9, 18]
    values["corpus"] = {**corpus, "parts": 3}
    assert "corpus.parts" not in caplog.text
    with caplog.at_level("WARNING"):
        fit_run(Settings.model_validate(values), folder=tmp_path, progress=False)
    assert "corpus.parts 3 is more than train.epochs 2: some e-mails are never read" in caplog.text


def test_words_start_from_pretrained_vectors(mail: Path) -> None:
    vectors = mail.parent / "vectors.txt"
    vectors.write_text("parcel 1 2 3\n")
    text = {"vectors": str(vectors), "min_count": 1}
    # A learning rate this small leaves them where they started.
    fitted = fit(mail, model=TINY, text=text, train={"epochs": 1, "learning_rate": 1e-9})
    weights = fitted.router.model.vectors.words.weight.detach().numpy()
    place = fitted.router.reader.vocabulary.word_id("parcel")
    assert np.allclose(weights[place], [1, 2, 3], atol=1e-4)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ({**TINY, "embedding": 5}, "are 3 wide and model.embedding is 5: set model.embedding to 3"),
        ({"kind": "bayes"}, "model.kind bayes has no word vectors; leave it out"),
    ],
)
def test_vectors_that_do_not_fit_are_refused(mail: Path, model: dict[str, Any], said: str) -> None:
    vectors = mail.parent / "vectors.txt"
    vectors.write_text("parcel 1 2 3\n")
    with pytest.raises(SettingsError, match=said):
        fit(mail, model=model, text={"vectors": str(vectors)})
