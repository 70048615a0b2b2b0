import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_recall_fscore_support

from routing.evaluation.metrics import (
    accuracy,
    calibration_error,
    confusion,
    coverage_at,
    macro_f1,
    reliability,
    risk_coverage,
    route_scores,
)

RIGHT = [0, 0, 1, 2, 2, 2]
PREDICTED = [0, 1, 1, 2, 0, 2]


def test_accuracy_and_macro_f1_agree_with_a_reference() -> None:
    assert accuracy(RIGHT, PREDICTED) == pytest.approx(4 / 6)
    assert macro_f1(RIGHT, PREDICTED, routes=4) == pytest.approx(
        f1_score(RIGHT, PREDICTED, average="macro")
    )


def test_confusion_has_right_routes_down_and_decided_across() -> None:
    assert confusion(RIGHT, PREDICTED, routes=3).tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 2]]


def test_scores_of_routes_agree_with_a_reference() -> None:
    scores = route_scores(confusion(RIGHT, PREDICTED, routes=3), "abc")
    expected = precision_recall_fscore_support(RIGHT, PREDICTED)
    for place, name in enumerate(("precision", "recall", "f1", "emails")):
        assert [getattr(score, name) for score in scores] == pytest.approx(list(expected[place]))


def test_a_route_that_never_occurs_has_no_scores() -> None:
    score = route_scores(confusion([0], [0], routes=2), "ab")[1]
    assert np.isnan([score.precision, score.recall, score.f1]).all()


def test_calibration_error_of_a_router_that_is_half_as_right_as_it_says() -> None:
    probabilities = np.array([[1.0, 0.0]] * 4)
    assert calibration_error(probabilities, [0, 0, 1, 1]) == pytest.approx(0.5)


def test_reliability_counts_each_email_in_one_bin() -> None:
    table = reliability(np.array([0.51, 0.52, 1.0]), np.array([True, False, True]), bins=10)
    assert table[5].tolist() == pytest.approx([2, 1, 1.03])
    assert table[9].tolist() == [1, 1, 1]
    assert table.sum(axis=0)[0] == 3


BEST = np.array([0.9, 0.6, 0.8, 0.7])
HITS = np.array([True, False, True, False])


def test_risk_grows_as_less_sure_emails_are_decided() -> None:
    curve = risk_coverage(BEST, HITS)
    assert curve[:, 0].tolist() == [0.25, 0.5, 0.75, 1.0]
    assert curve[:, 1].tolist() == pytest.approx([0, 0, 1 / 3, 0.5])


def test_emails_of_one_probability_are_decided_together() -> None:
    same = np.array([0.8, 0.8])
    assert risk_coverage(same, np.array([True, False]))[:, 1].tolist() == [0.5, 0.5]
    assert coverage_at(same, np.array([True, False]), 0.1) == 0


@pytest.mark.parametrize(("risk", "coverage"), [(0.0, 0.5), (0.34, 0.75), (0.5, 1.0)])
def test_coverage_at_a_risk(risk: float, coverage: float) -> None:
    assert coverage_at(BEST, HITS, risk) == coverage
