"""Temperature, thresholds and what to expect, from validation e-mails."""

import numpy as np
import pytest

from routing.corpus.readers import WordReader
from routing.evaluation.metrics import calibration_error
from routing.handover import energy, softmax
from routing.models.bayes import BayesModel
from routing.records import Email, LabelledEmail
from routing.router import Router
from routing.settings import Settings
from routing.text.vocabulary import build_vocabulary
from routing.training.calibration import (
    calibrate,
    choose_threshold,
    choose_thresholds,
    find_languages,
    fit_temperature,
)

TRAIN = [
    ("where is my parcel and when will it be here", "delivery"),
    ("the parcel is late and it is not here", "delivery"),
    ("i want my money back for the broken lamp", "refunds"),
    ("please refund the lamp it was broken", "refunds"),
]


def emails(texts: list[tuple[str, str]]) -> list[LabelledEmail]:
    return [
        LabelledEmail(email=Email(id=str(i), text=text), route=route)
        for i, (text, route) in enumerate(texts)
    ]


def router(**handover: object) -> Router:
    train = emails(TRAIN)
    vocabulary = build_vocabulary((item.email.text.split() for item in train), min_count=1)
    reader = WordReader(vocabulary, placeholders=True, max_tokens=99)
    model = BayesModel().fit(
        [reader.words(item.email) for item in train], [0 if "del" in i.route else 1 for i in train]
    )
    settings = Settings.model_validate({"model": {"kind": "bayes"}, "handover": handover})
    return Router(settings=settings, routes=["delivery", "refunds"], reader=reader, model=model)


@pytest.mark.parametrize("temperature", [0.2, 1.0, 5.0])
def test_the_temperature_that_spoilt_the_logits_is_found(temperature: float) -> None:
    rng = np.random.default_rng(0)
    honest = rng.normal(size=(4_000, 3)) * 2
    routes = [int(rng.choice(3, p=p)) for p in softmax(honest)]
    found = fit_temperature(honest * temperature, routes)
    assert found == pytest.approx(temperature, rel=0.1)
    after = calibration_error(softmax(honest * temperature / found), routes)
    assert after < 0.03


PROBABILITIES = np.array([[0.9, 0.1], [0.8, 0.2], [0.7, 0.3], [0.6, 0.4]])


@pytest.mark.parametrize(
    ("routes", "max_misrouted", "threshold"),
    [
        ([0, 0, 0, 0], 0.1, 0.6),
        ([0, 0, 1, 0], 0.1, 0.8),
        ([0, 0, 1, 0], 0.25, 0.6),
        ([1, 0, 0, 0], 0.1, 1.01),
    ],
)
def test_the_lowest_threshold_that_keeps_the_promise_is_chosen(
    routes: list[int], max_misrouted: float, threshold: float
) -> None:
    assert choose_threshold(PROBABILITIES, routes, max_misrouted) == threshold


def test_equal_probabilities_stand_or_fall_together() -> None:
    equal = np.array([[0.8, 0.2]] * 4)
    assert choose_threshold(equal, [0, 0, 0, 1], 0.1) == 1.01
    assert choose_threshold(equal, [0, 0, 0, 1], 0.25) == 0.8


def test_a_route_with_enough_emails_gets_its_own_threshold() -> None:
    first = np.tile([0.9, 0.05, 0.05], (60, 1))
    second = np.column_stack([np.full(60, 0.1), np.linspace(0.6, 0.9, 60), np.full(60, 0.1)])
    probabilities = np.concatenate([first, second, [[0.1, 0.1, 0.8]]])
    routes = [0] * 60 + [2] * 12 + [1] * 48 + [2]
    together = choose_thresholds(probabilities, routes, 0.05, per_route=False)
    apart = choose_thresholds(probabilities, routes, 0.05, per_route=True)
    assert len(set(together)) == 1
    assert apart[0] == pytest.approx(0.9)
    assert apart[1] > together[1]
    assert apart[2] == together[2]


def test_languages_of_training_mail_are_found() -> None:
    german = [("wo ist mein paket und was ist mit dem geld", "delivery")]
    assert find_languages(router(), emails(TRAIN + german)) == ("English", "German")
    assert find_languages(router(), emails(TRAIN * 100 + german)) == ("English",)


def test_of_many_emails_some_are_asked_for_their_language(monkeypatch: pytest.MonkeyPatch) -> None:
    german = [("wo ist mein paket und was ist mit dem geld", "delivery")]
    monkeypatch.setattr("routing.training.calibration._ASKED", 60)
    assert find_languages(router(), emails((TRAIN[:1] + german) * 500)) != ("English",)
    assert set(find_languages(router(), emails((TRAIN[:1] + german) * 500))) == {
        "English",
        "German",
    }
    assert find_languages(router(), []) == ()


def test_a_calibration_says_what_to_expect() -> None:
    validation = emails([*TRAIN, ("my parcel is broken", "refunds"), ("", "delivery")])
    found = calibrate(router(max_misrouted=0.3), train=emails(TRAIN), validation=validation)
    expected = found.expected
    assert expected is not None
    assert expected.emails == 6
    assert expected.coverage == pytest.approx(5 / 6)  # the empty one is reviewed
    assert expected.misrouted == pytest.approx(1 / 5)
    assert expected.coverage_low < expected.coverage < expected.coverage_high
    assert found.languages == ("English",)
    assert found.min_energy is None


def test_where_nothing_is_automatic_nothing_is_misrouted() -> None:
    validation = emails([("my parcel is late", "refunds"), ("refund my lamp", "delivery")])
    found = calibrate(router(), train=emails(TRAIN), validation=validation)
    assert set(found.thresholds.values()) == {1.01}
    assert found.expected is not None
    assert (found.expected.coverage, found.expected.misrouted) == (0.0, None)


def test_the_familiar_share_of_validation_emails_is_kept() -> None:
    asked = router(familiar_share=0.75)
    validation = emails(TRAIN)
    found = calibrate(asked, train=validation, validation=validation)
    assert found.min_energy is not None
    kept = energy(asked.logits([item.email for item in validation])) >= found.min_energy
    assert kept.sum() == 3


def test_settings_can_allow_other_languages() -> None:
    found = calibrate(router(other_languages=True), train=emails(TRAIN), validation=emails(TRAIN))
    assert found.languages == ()
