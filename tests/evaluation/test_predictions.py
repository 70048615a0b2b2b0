from pathlib import Path

import pytest

from routing.errors import RunError
from routing.evaluation.predictions import best_route, read_evidence, write_evidence
from tests.evaluation.examples import said, small_evidence


def test_evidence_comes_back_as_it_was_written(tmp_path: Path) -> None:
    write_evidence(tmp_path, small_evidence())
    assert read_evidence(tmp_path) == small_evidence()


def test_every_prediction_is_a_line(tmp_path: Path) -> None:
    write_evidence(tmp_path, small_evidence())
    lines = (tmp_path / "predictions.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2 * 3 * 16 + 1


def test_of_two_routes_that_tie_the_first_in_the_alphabet_is_taken() -> None:
    assert best_route({"b": 0.5, "a": 0.5}) == "a"
    assert best_route({}) == ""


@pytest.mark.parametrize(("route", "right"), [("delivery", True), ("refunds", False), ("", False)])
def test_right_is_when_the_most_probable_route_is(route: str, right: bool) -> None:
    assert said(route, 0.6).right is right


def test_a_folder_without_predictions_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"holds no predictions that can be read .*--report FOLDER"):
        read_evidence(tmp_path)


def test_a_broken_line_is_no_prediction(tmp_path: Path) -> None:
    write_evidence(tmp_path, small_evidence())
    (tmp_path / "predictions.jsonl").write_text('{"router": "x"}\n', encoding="utf-8")
    with pytest.raises(RunError, match=r"no predictions that can be read \('seed'\)"):
        read_evidence(tmp_path)
