import numpy as np
import pytest

from routing.evaluation.controls import CONTROLS, Control, Kind, token_runs


def test_runs_of_one_to_three_tokens() -> None:
    assert token_runs(["a", "b", "c"]) == ["a", "b", "c", "a b", "b c", "a b c"]
    assert token_runs([]) == []


@pytest.mark.parametrize("kind", CONTROLS)
def test_a_control_learns_neighbours(kind: Kind) -> None:
    emails = [["not", "b", "a"], ["not", "a", "b"]] * 5
    control = Control(kind).fit(emails, [0, 1] * 5)
    assert control.logits(emails).argmax(axis=1).tolist() == [0, 1] * 5
    assert control.parameters > 7


@pytest.mark.parametrize("kind", CONTROLS)
def test_a_control_cannot_see_beyond_three_tokens(kind: Kind) -> None:
    filler = list("uvwxyz")
    emails = [["a", *filler, "b"], ["b", *filler, "a"]]
    both = [[*filler, *email, *filler] for email in emails]
    control = Control(kind).fit([*both, ["k"], ["l"]], [0, 0, 0, 1])
    first, second = control.logits([["a", *filler], ["a", *filler]])
    assert first.tolist() == second.tolist()


@pytest.mark.parametrize("kind", CONTROLS)
@pytest.mark.parametrize("routes", [2, 3])
def test_scores_have_one_column_for_each_route(kind: Kind, routes: int) -> None:
    emails = [[letter] for letter in "abc"[:routes]]
    control = Control(kind).fit(emails, list(range(routes)))
    scores = control.logits([*emails, ["unknown"]])
    assert scores.shape == (routes + 1, routes)
    assert np.isfinite(scores).all()
