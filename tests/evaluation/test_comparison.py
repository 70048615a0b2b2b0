import math
from dataclasses import replace

import pytest

from routing.errors import CorpusError
from routing.evaluation.comparison import Result, SuiteResult, compare
from routing.evaluation.predictions import Evidence, Facts, Prediction, Trial
from routing.evaluation.tables import find_result
from tests.evaluation.examples import pair, said, small_evidence, trial


def one_suite(*trials: Trial) -> SuiteResult:
    return compare(Evidence(trials, ())).suites[0]


def result_of(suite: SuiteResult, router: str) -> Result:
    found = find_result(suite, router)
    assert found is not None
    return found


def test_measures_of_one_router_by_hand() -> None:
    half = [pair("a", 0.9, 0.6), pair("b", 0.8, 0.4, phenomenon="thread")]
    result = result_of(one_suite(trial("r", 0, "s", *half)), "r")
    values = {name: found.value for name, found in result.measures.items()}
    assert values["accuracy"] == 0.75
    assert values["pair_consistency"] == 0.5
    assert values["margin"] == pytest.approx((0.5 + 0.2) / 2)
    assert values["macro_f1"] == pytest.approx((0.8 + 2 / 3) / 2)
    assert {name: found.value for name, found in result.phenomena.items()} == {
        "owed": 1,
        "thread": 0,
    }
    assert result.confusion == ((2, 0), (1, 1))


def test_values_are_means_over_seeds() -> None:
    reader = result_of(compare(small_evidence()).suites[0], "reader")
    assert reader.seeds == 2
    assert reader.measures["pair_consistency"].value == pytest.approx((1 + 6 / 8) / 2)


def test_calibration_error_by_hand() -> None:
    emails = tuple(said("delivery", 0.9, id=str(i)) for i in range(4))
    wrong = replace(emails[0], route="refunds")
    suite = one_suite(Trial("r", 0, "s", (wrong, *emails[1:])))
    assert suite.results[0].measures["calibration_error"].value == pytest.approx(0.15)


def test_automatic_decisions_and_the_misrouted_among_them() -> None:
    emails = (
        said("delivery", 0.9, id="1", decision="auto"),
        said("refunds", 0.9, id="2", decision="auto"),
        said("refunds", 0.4, id="3", decision="review"),
    )
    measures = one_suite(Trial("r", 0, "s", emails)).results[0].measures
    assert measures["automatic"].value == pytest.approx(2 / 3)
    assert measures["misrouted"].value == pytest.approx(1 / 2)


def test_a_shuffle_that_changes_every_decision_takes_all_skill() -> None:
    moved = {"shuffled": {"delivery": 0.6, "refunds": 0.4}}
    emails = [replace(item, changed=moved) for item in pair("a", 0.9, 0.9)]
    result = one_suite(trial("r", 0, "s", emails)).results[0]
    found = result.disturbed[0]
    assert (found.disorder, found.emails, found.survival.value) == ("shuffled", 2, 0.5)
    assert (found.before.value, found.after.value) == (1, 0.5)
    assert result.measures["order_share"].value == 1


def test_a_router_without_skill_has_no_share_that_needs_order() -> None:
    result = one_suite(trial("r", 0, "s", pair("a", 0.9, 0.1))).results[0]
    assert math.isnan(result.measures["order_share"].value)


def test_single_emails_are_compared_by_accuracy() -> None:
    emails = (said("delivery", 0.9, id="1"), said("refunds", 0.9, id="2"))
    suite = one_suite(Trial("r", 0, "s", emails))
    assert (suite.pairs, suite.measure) == (0, "accuracy")
    assert math.isnan(suite.results[0].measures["pair_consistency"].value)


def test_two_routers_are_tested_on_pairs() -> None:
    contest = compare(small_evidence()).suites[0].contests[0]
    assert (contest.first, contest.second, contest.unit) == ("reader", "counter", "pair")
    assert (contest.only_first, contest.only_second) == (8, 0)
    assert contest.p_value == pytest.approx(2 / 2**8)
    assert contest.difference.value == pytest.approx(0.875)


def test_a_reader_that_beats_every_counter_gets_no_warning() -> None:
    assert compare(small_evidence()).warnings == ()


def test_a_reader_that_counts_no_better_is_warned_of() -> None:
    same = [pair(f"p{i}", 0.9, 0.9 if i % 2 else 0.2) for i in range(8)]
    evidence = Evidence(
        (trial("reader", 0, "s", *same), trial("bigrams", 0, "s", *same)),
        (Facts("reader", 0, "neural"), Facts("bigrams", 0, "control")),
    )
    (warning,) = compare(evidence).warnings
    assert "Do not take reader for a reader of order on 1 of 1 suites" in warning
    assert "s +0.0 (+0.0 to +0.0) over bigrams" in warning


def test_probes_are_kept_apart_from_the_suites() -> None:
    comparison = compare(small_evidence())
    assert [suite.name for suite in comparison.suites] == ["near", "far <b>&"]
    (probe,) = comparison.probes
    assert (probe.kind, probe.held, probe.confidence) == ("empty", 1, 0.7)


def test_distance_curve_has_a_bin_for_each_distance() -> None:
    curves = result_of(compare(small_evidence()).suites[0], "reader").curves
    assert [(found.name, found.pairs) for found in curves.distance] == [
        ("0–4", 2),
        ("5–9", 1),
        ("10–19", 2),
        ("20–49", 3),
    ]
    assert curves.distance[3].consistency.value == pytest.approx((3 + 1) / 2 / 3)


def test_a_route_that_a_router_does_not_know_is_always_wrong() -> None:
    stranger = Prediction("1", "billing", {"delivery": 1.0})
    suite = one_suite(Trial("r", 0, "s", (stranger,)))
    assert suite.routes == ("billing", "delivery")
    assert suite.results[0].measures["accuracy"].value == 0


def test_an_empty_suite_is_refused() -> None:
    with pytest.raises(CorpusError, match="suite s holds no e-mails: give a file that does"):
        compare(Evidence((Trial("r", 0, "s", ()),), ()))


def test_routers_that_saw_different_emails_are_not_compared() -> None:
    trials = trial("a", 0, "s", pair("x", 1, 1)), trial("b", 0, "s", pair("y", 1, 1))
    with pytest.raises(CorpusError, match="suite s: the routers saw different e-mails"):
        compare(Evidence(trials, ()))
