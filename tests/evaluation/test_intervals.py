import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.utils import resample

from routing.evaluation.intervals import (
    Estimate,
    Interval,
    Measure,
    Resampling,
    holm,
    mcnemar,
    wilson,
)

MEAN = Measure(lambda sums: sums["hits"][..., 0] / sums["all"][..., 0])


def columns(hits: np.ndarray) -> dict[str, np.ndarray]:
    return {"hits": hits[:, None].astype(float), "all": np.ones((len(hits), 1))}


def test_bootstrap_agrees_with_a_plain_one() -> None:
    hits = np.arange(200) % 5 != 0
    found = Resampling(200).estimates([columns(hits)], {"mean": MEAN})["mean"].interval()
    plain = [resample(hits, random_state=seed).mean() for seed in range(1000)]
    assert found.value == 0.8
    assert found.low == pytest.approx(np.percentile(plain, 2.5), abs=0.01)
    assert found.high == pytest.approx(np.percentile(plain, 97.5), abs=0.01)


def test_interval_grows_with_the_spread_of_seeds() -> None:
    hits = np.arange(400) % 4 != 0
    alike = Resampling(400).estimates([columns(hits)] * 3, {"m": MEAN})["m"].interval()
    trainings = [columns(hits), columns(np.arange(400) % 2 != 0), columns(np.ones(400, bool))]
    apart = Resampling(400).estimates(trainings, {"m": MEAN})["m"].interval()
    assert alike.value == pytest.approx(apart.value) == pytest.approx(0.75)
    assert apart.high - apart.low > 2 * (alike.high - alike.low)


def test_resampling_is_the_same_every_time() -> None:
    hits = np.arange(50) % 3 == 0
    first, second = (Resampling(50).estimates([columns(hits)], {"m": MEAN})["m"] for _ in "ab")
    assert (first.draws == second.draws).all()


def test_difference_of_a_router_to_itself_is_nothing() -> None:
    hits = np.arange(50) % 3 == 0
    found = Resampling(50).estimates([columns(hits)], {"m": MEAN}, name="x")["m"]
    assert found.minus(found) == Interval(0, 0, 0)


def test_paired_difference_is_narrower_than_the_two_intervals() -> None:
    hits = np.arange(300) % 3 == 0
    better = hits | (np.arange(300) % 30 == 1)
    draw = Resampling(300)
    one, two = (draw.estimates([columns(x)], {"m": MEAN})["m"] for x in (better, hits))
    gap = one.minus(two)
    assert gap.low > 0
    assert gap.high - gap.low < one.interval().high - one.interval().low


def test_a_share_of_none_gets_wilsons_interval() -> None:
    share = Estimate(0.0, np.zeros(10), units=60)
    assert share.interval() == wilson(0, 60)
    assert share.interval().high == pytest.approx(0.0602, abs=1e-4)


def test_nothing_to_resample_has_no_interval() -> None:
    assert np.isnan(Estimate(float("nan"), np.full(3, np.nan)).interval().low)


@pytest.mark.parametrize(("hits", "count"), [(0, 10), (3, 10), (10, 10), (77, 200)])
def test_wilson_agrees_with_a_reference(hits: int, count: int) -> None:
    expected = binomtest(hits, count).proportion_ci(method="wilson")
    found = wilson(hits, count)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_wilson_of_nothing_is_nan() -> None:
    assert np.isnan(wilson(0, 0).value)


@pytest.mark.parametrize(("first", "second"), [(0, 1), (5, 5), (2, 13), (400, 900)])
def test_mcnemar_is_the_exact_binomial_test(first: int, second: int) -> None:
    expected = binomtest(first, first + second).pvalue
    assert mcnemar(first, second) == pytest.approx(expected, abs=1e-12)


def test_mcnemar_without_any_difference_is_one() -> None:
    assert mcnemar(0, 0) == 1


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
