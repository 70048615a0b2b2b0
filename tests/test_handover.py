"""When a person decides, and why."""

import json
from dataclasses import asdict

import numpy as np
import pytest

from routing.handover import Calibration, Expectation, energy, review_reason, softmax
from routing.records import Wording

ROUTES = ("delivery", "refunds", "sales")
PARCEL = Wording(words=4, language="English")


def reason(
    wording: Wording = PARCEL, *, chances: tuple[float, ...] = (0.8, 0.1, 0.1), **limits: object
) -> str | None:
    calibration = Calibration(**limits)  # type: ignore[arg-type]
    return review_reason(wording, np.log(chances), routes=ROUTES, limits=calibration)


def test_without_limits_every_email_with_words_is_automatic() -> None:
    assert reason() is None
    assert reason(Wording(words=1, unknown_share=1, gibberish_share=1)) is None


def test_an_email_without_words_is_always_reviewed() -> None:
    assert reason(Wording(words=0)) == "the e-mail has no words"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (1, "1 word is too few to decide on"),
        (2, "2 words are too few to decide on"),
        (3, None),
    ],
)
def test_few_words_are_reviewed(words: int, said: str | None) -> None:
    assert reason(Wording(words=words), min_words=3) == said


def test_another_language_is_reviewed_and_named() -> None:
    german = Wording(words=4, language="German")
    assert reason(german, languages=("English",)) == (
        "the text looks German; training mail was English"
    )
    assert reason(german, languages=("English", "German")) is None
    assert reason(german) is None
    assert reason(Wording(words=2), languages=("English",)) is None


def test_gibberish_and_unknown_words_are_reviewed() -> None:
    odd = Wording(words=2, unknown_share=0.7, gibberish_share=0.5)
    assert reason(odd, max_gibberish_share=0.4) == "50% of the words look like no language"
    assert reason(odd, max_unknown_share=0.6) == "70% of the words are unknown"
    assert reason(odd, max_gibberish_share=0.5, max_unknown_share=0.7) is None


def test_thresholds_are_the_chosen_routes_own() -> None:
    limits = {"delivery": 0.85, "refunds": 0.5}
    assert reason(thresholds=limits) == "probability 0.80 is below 0.85"
    assert reason(chances=(0.2, 0.7, 0.1), thresholds=limits) is None
    assert reason(chances=(0.2, 0.1, 0.7), thresholds=limits) is None


def test_a_probability_just_below_its_threshold_is_told_apart_from_it() -> None:
    limits = {"delivery": 0.8004}
    assert reason(thresholds=limits) == "probability 0.8000 is below 0.8004"
    sure = (1 - 2e-9, 1e-9, 1e-9)
    said = reason(chances=sure, thresholds={"delivery": 1.0})
    assert said == "probability 0.999999998 is below 1.000000000"


def test_two_close_routes_are_reviewed() -> None:
    said = reason(chances=(0.44, 0.1, 0.46), ambiguity_margin=0.05)
    assert said == "sales leads delivery by only 0.02"
    assert reason(chances=(0.4, 0.1, 0.5), ambiguity_margin=0.05) is None


def test_the_temperature_comes_before_the_threshold() -> None:
    assert reason(temperature=10, thresholds={"delivery": 0.6}) == "probability 0.38 is below 0.60"


def test_low_energy_is_reviewed() -> None:
    assert reason(min_energy=0.1) == "the e-mail is unlike any in training"
    assert reason(min_energy=-0.1) is None


def test_energy_is_the_log_of_the_summed_exponentials() -> None:
    logits = np.array([[0.0, 0.0], [1.0, 2.0], [1000.0, 1000.0]])
    expected = [np.log(2), np.log(np.e + np.e**2), 1000 + np.log(2)]
    assert energy(logits) == pytest.approx(expected)


def test_softmax_rows_sum_to_one_even_for_large_logits() -> None:
    found = softmax(np.array([[1000.0, 1000.0], [0.0, np.log(3)]]))
    assert found == pytest.approx(np.array([[0.5, 0.5], [0.25, 0.75]]))


@pytest.mark.parametrize("expected", [None, Expectation(9, 0.9, 0.8, 1.0, None, None, None, 0, 0)])
def test_a_calibration_survives_json(expected: Expectation | None) -> None:
    calibration = Calibration(
        temperature=2.0, thresholds={"a": 0.5}, languages=("English",), expected=expected
    )
    assert Calibration.from_json(json.loads(json.dumps(asdict(calibration)))) == calibration
