import math

import pytest

from routing.evaluation.order import bag_ceiling, distance_bin, distance_name, pair_gap
from tests.evaluation.examples import pair, said


def test_a_bag_of_words_gets_no_exact_pair_and_half_of_its_emails() -> None:
    ceiling = bag_ceiling([*pair("a", 1, 1), *pair("b", 1, 1)])
    assert (ceiling.accuracy, ceiling.pair_consistency) == (0.5, 0)


def test_a_pair_with_different_words_can_be_had() -> None:
    apart = [said("delivery", 1, pair="a", bag="x"), said("refunds", 0, pair="a", bag="y")]
    ceiling = bag_ceiling([*apart, *pair("b", 1, 1)])
    assert (ceiling.accuracy, ceiling.pair_consistency) == (0.75, 0.5)


def test_single_emails_have_no_pair_ceiling() -> None:
    ceiling = bag_ceiling([said("delivery", 1, bag="x")])
    assert ceiling.accuracy == 1
    assert math.isnan(ceiling.pair_consistency)


@pytest.mark.parametrize(
    ("delivery", "refunds", "gap"), [(1, 1, 1), (0, 0, -1), (0.7, 0.3, 0), (0.9, 0.6, 0.5)]
)
def test_gap_says_how_far_the_members_are_held_apart(
    delivery: float, refunds: float, gap: float
) -> None:
    assert pair_gap(*pair("a", delivery, refunds)) == pytest.approx(gap)


@pytest.mark.parametrize(
    ("distance", "name"), [(0, "0–4"), (5, "5–9"), (199, "100–199"), (900, "200+")]
)
def test_distances_fall_into_bins(distance: int, name: str) -> None:
    assert distance_name(distance_bin(distance)) == name
