import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from routing.errors import RunError
from routing.explanation.attributions import gather_evidence
from routing.explanation.faithfulness import (
    SHARES,
    check_email,
    measure_faithfulness,
    read_faithfulness,
    write_faithfulness,
)
from routing.explanation.records import Attribution, Check, Faithfulness, Figure
from routing.explanation.variants import Asked
from routing.explanation.verdict import beaten, judge, verdicts
from routing.records import Email
from routing.router import Router
from tests.explanation.routers import additive_router

NUMBERS = {"money": 3.0, "back": 1.0, "parcel": -1.0, "please": 0.5}
TEXT = "money back parcel please"


def sigmoid(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


def attribution(values: list[float]) -> Attribution:
    return Attribution("attention", tuple(values), signed=True, note="")


def check(values: list[float], removal: str) -> Check:
    asked = Asked(additive_router(NUMBERS), Email(id="x", text=TEXT))
    found = check_email(asked, [attribution(values)], against=0).find("attention", removal)
    assert found is not None
    return found


@pytest.mark.parametrize("removal", ["deletion", "mask"])
def test_comprehensiveness_and_sufficiency_worked_by_hand(removal: str) -> None:
    """Of four words the five shares take 1, 1, 1, 1 and 2."""
    found = check([3.0, 2.0, 0.0, 1.0], removal)
    whole = sigmoid(3.5)
    one, two = sigmoid(0.5), sigmoid(-0.5)
    assert found.comprehensiveness.value == pytest.approx(whole - (4 * one + two) / 5, abs=1e-6)
    kept = (4 * sigmoid(3.0) + sigmoid(4.0)) / 5
    assert found.sufficiency.value == pytest.approx(whole - kept, abs=1e-6)
    assert found.flips.value == pytest.approx(1 / 5)


def test_tau_is_one_for_the_order_of_leave_one_out_and_minus_one_for_its_reverse() -> None:
    right, wrong = check([3.0, 1.0, -1.0, 0.5], "deletion"), check([0, 1, 3, 2], "deletion")
    assert right.tau is not None
    assert right.tau.value == 1
    assert wrong.tau is not None
    assert wrong.tau.value == -1


def test_numbers_without_any_order_have_no_tau() -> None:
    assert check([1.0, 1.0, 1.0, 1.0], "deletion").tau is None


def test_the_true_ranking_leads_random_ones_and_its_reverse_does_not() -> None:
    true, false = check([3, 1, -1, 0.5], "deletion"), check([-3, -1, 1, -0.5], "deletion")
    assert true.lead_comprehensiveness is not None
    assert true.lead_comprehensiveness.value > 0
    assert false.lead_comprehensiveness is not None
    assert false.lead_comprehensiveness.low < 0


def test_random_rankings_are_at_least_twenty_and_repeat_with_the_seed() -> None:
    asked = Asked(additive_router(NUMBERS), Email(id="x", text=TEXT))
    one, two = (check_email(asked, [attribution([1, 2, 3, 4])], against=0) for _ in range(2))
    assert one == two
    assert one.rankings == 20
    chance = one.find("random", "mask")
    assert chance is not None
    assert chance.comprehensiveness.low < chance.comprehensiveness.high


def test_every_method_is_measured_over_a_sample(transformer: Router) -> None:
    emails = [Email(id=str(n), text=t) for n, t in enumerate(["the parcel", "never the charger"])]
    unread = [Email(id="e", error="empty file"), Email(id="n", text="")]
    found = measure_faithfulness(transformer, [*emails, *unread], rankings=3)
    assert found.emails == 2
    methods = ["integrated_gradients", "occlusion", "attention", "rollout", "random"]
    assert [c.method for c in found.checks] == methods * 2
    assert [c.removal for c in found.checks] == ["deletion"] * 5 + ["mask"] * 5


def test_means_over_a_sample_are_those_of_its_emails() -> None:
    router = additive_router(NUMBERS)
    emails = [Email(id="a", text=TEXT), Email(id="b", text="back please")]
    over = measure_faithfulness(router, emails).find("occlusion", "deletion")
    singles = []
    for email in emails:
        asked = Asked(router, email)
        evidence = gather_evidence(asked, against=asked.rival())
        one = check_email(asked, evidence.attributions, against=asked.rival())
        found = one.find("occlusion", "deletion")
        assert found is not None
        singles.append(found.comprehensiveness.value)
    assert over is not None
    assert over.comprehensiveness.value == pytest.approx(np.mean(singles))
    assert over.comprehensiveness.low <= np.mean(singles) <= over.comprehensiveness.high


def test_no_emails_give_no_checks() -> None:
    assert measure_faithfulness(additive_router(NUMBERS), []).checks == ()


def test_what_a_run_stores_is_read_back(tmp_path: Path) -> None:
    found = measure_faithfulness(additive_router(NUMBERS), [Email(id="a", text=TEXT)])
    write_faithfulness(tmp_path, found)
    assert read_faithfulness(tmp_path) == found
    assert "NaN" not in (tmp_path / "faithfulness.json").read_text()


def test_a_run_without_the_file_has_no_checks(tmp_path: Path) -> None:
    assert read_faithfulness(tmp_path) is None


@pytest.mark.parametrize("text", ["{", "{}", json.dumps({"checks": [{"method": 1}]})])
def test_a_damaged_file_is_named_with_the_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / "faithfulness.json").write_text(text)
    with pytest.raises(RunError, match=r"faithfulness\.json is damaged .*; delete it or fit"):
        read_faithfulness(tmp_path)


def judged(*lows: float) -> Faithfulness:
    """Checks whose four leads over random have these lower ends."""
    figure = Figure(0.3, 0.2, 0.4)
    checks = []
    for removal, comprehensive, sufficient in zip(
        ("deletion", "mask"), lows[::2], lows[1::2], strict=True
    ):
        own = Check(
            method="attention",
            removal=removal,  # type: ignore[arg-type]
            comprehensiveness=figure,
            sufficiency=figure,
            tau=Figure(0.25, 0.2, 0.3),
            flips=figure,
            lead_comprehensiveness=Figure(0.15, comprehensive, 0.5),
            lead_sufficiency=Figure(0.1, sufficient, 0.5),
        )
        checks += [own, replace(own, method="random", tau=None, lead_comprehensiveness=None)]
    return Faithfulness(tuple(checks), emails=200, rankings=20, shares=SHARES)


@pytest.mark.parametrize(
    ("lows", "won", "words"),
    [
        ((0.1, 0.1, 0.1, 0.1), 4, "Believable: on this model (200 e-mails) attention beats random"),
        ((0.1, -0.1, 0.1, 0.0), 2, "Half believe it: on this model (200 e-mails) attention beats"),
        ((-0.1, -0.1, 0.0, -0.2), 0, "Do not believe it: on this model (200 e-mails) attention"),
    ],
)
def test_the_verdict_says_whether_attention_beats_random(
    lows: tuple[float, ...], won: int, words: str
) -> None:
    checks = judged(*lows)
    assert beaten(checks, "attention") == (won, 4)
    text = judge(checks, "attention")
    assert text.startswith(words)
    assert "loses 0.30 of its probability" in text
    assert "Kendall's tau 0.25" in text
    assert text.endswith("Attention shows where the model looked, not why, and has no sign.")


def test_a_method_that_was_not_measured_is_not_to_be_leaned_on() -> None:
    text = judge(judged(1, 1, 1, 1), "rollout")
    assert text == "Attention rollout was not measured on this model; do not lean on it."


def test_the_model_is_judged_where_it_was_measured() -> None:
    one = replace(judged(-1, -1, -1, -1), emails=1)
    assert verdicts(one, None)["attention"].startswith("Do not believe it: on this e-mail")
    assert verdicts(one, judged(1, 1, 1, 1))["attention"].startswith("Believable: on this model")
