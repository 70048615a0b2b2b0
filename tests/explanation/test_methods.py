"""Each method's numbers, worked by hand on an additive model or checked against the router."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from routing.explanation.attention import (
    head_attention,
    heads_by_token,
    pooling_attention,
    rollout,
    rollout_attention,
)
from routing.explanation.attributions import gather_evidence
from routing.explanation.gates import gate_tracks
from routing.explanation.gradients import integrated_gradients
from routing.explanation.occlusion import leave_one_out, occlusion
from routing.explanation.terms import bayes_terms, spread_over_tokens
from routing.explanation.variants import MASKED, Asked, without
from routing.models.bayes import BayesModel
from routing.models.recurrent import RecurrentModel
from routing.records import Email, Token
from routing.router import Router
from tests.explanation.routers import DELIVERY, AdditiveModel, additive_router, make_router

NUMBERS = {"money": 2.0, "back": 1.0, "parcel": -0.5, "please": 0.0}


def ask(router: Router, text: str) -> Asked:
    return Asked(router, Email(id="x", text=text))


def test_a_variant_is_read_in_its_own_order_and_without_what_it_lacks(lstm: Router) -> None:
    asked = ask(lstm, "the parcel arrived")
    turned = ask(lstm, "arrived the")
    assert asked.ask([np.array([2, 0])])[0] == pytest.approx(turned.logits, abs=1e-6)


def test_a_masked_token_is_read_as_the_unknown_word(lstm: Router) -> None:
    asked = ask(lstm, "the parcel arrived")
    unknown = ask(lstm, "the zzz arrived")
    assert asked.ask([np.array([0, MASKED, 2])])[0] == pytest.approx(unknown.logits, abs=1e-6)


def test_tokens_are_deleted_or_masked() -> None:
    places, gone = np.array([0, 1, 2]), np.array([1])
    assert without(places, gone, mask=False).tolist() == [0, 2]
    assert without(places, gone, mask=True).tolist() == [0, MASKED, 2]


@pytest.mark.parametrize("removal", ["deletion", "mask"])
def test_leaving_a_word_out_of_a_sum_loses_its_number(removal: str) -> None:
    asked = ask(additive_router(NUMBERS), "money back parcel please")
    lost = leave_one_out(asked, against=0, removal=removal)  # type: ignore[arg-type]
    assert lost == pytest.approx([2.0, 1.0, -0.5, 0.0])


def test_integrated_gradients_of_a_sum_are_its_numbers() -> None:
    asked = ask(additive_router(NUMBERS), "money back parcel please")
    found, completeness = integrated_gradients(asked, against=0)
    assert found.values == pytest.approx([2.0, 1.0, -0.5, 0.0], abs=1e-5)
    assert completeness.difference == pytest.approx(2.5)
    assert completeness.within
    assert completeness.steps == 24


def test_values_point_towards_the_route_that_won() -> None:
    asked = ask(additive_router(NUMBERS), "parcel parcel please")
    assert asked.route == 0
    found, _ = integrated_gradients(asked, against=1)
    assert found.values == pytest.approx([0.5, 0.5, 0.0], abs=1e-5)


class SteepModel(AdditiveModel):
    """The same sum through a step that few points on the path would see."""

    def read(self, embedded: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        logits, weights, states = super().read(embedded, lengths)
        return torch.sigmoid(60 * (logits - 1.3)), weights, states


@pytest.fixture
def steep() -> Asked:
    words = ("<padding>", "<unknown>", *NUMBERS)
    return ask(make_router(SteepModel(NUMBERS, words), words=words), "money back")


def test_steep_parts_of_the_path_are_cut_until_the_gap_is_under_the_tolerance(
    steep: Asked,
) -> None:
    _, loose = integrated_gradients(steep, against=0, tolerance=10.0)
    _, tight = integrated_gradients(steep, against=0, tolerance=0.001)
    assert (loose.steps, loose.within) == (24, True)
    assert loose.share > 0.01
    assert tight.share <= 0.001
    assert tight.steps < 300, "evenly laid points would have to be more"


def test_values_are_those_of_many_points_on_the_path(lstm: Router, transformer: Router) -> None:
    for router in (lstm, transformer):
        asked = ask(router, DELIVERY)
        quick, _ = integrated_gradients(asked, against=1)
        exact, _ = integrated_gradients(asked, against=1, tolerance=1e-5, most_steps=10_000)
        largest = max(map(abs, exact.values))
        assert quick.values == pytest.approx(exact.values, abs=0.02 * largest)


def test_a_gap_that_no_more_steps_may_close_is_told(steep: Asked) -> None:
    _, found = integrated_gradients(steep, against=0, tolerance=1e-6, most_steps=60)
    assert found.steps == 60
    assert not found.within


def test_gaps_of_trained_models_stay_under_one_percent(lstm: Router, transformer: Router) -> None:
    for router in (lstm, transformer):
        asked = ask(router, DELIVERY)
        found, completeness = integrated_gradients(asked, against=asked.rival())
        gap = abs(sum(found.values) - completeness.difference)
        assert gap == pytest.approx(completeness.gap, abs=1e-6)
        assert completeness.share < 0.01


@pytest.mark.parametrize("ngrams", [1, 2, 3])
def test_log_odds_and_prior_sum_to_the_logit_difference(ngrams: int) -> None:
    emails = [["my", "parcel", "is", "late"], ["money", "back", "now"], ["parcel", "money"]]
    router = make_router(BayesModel(ngrams=ngrams).fit(emails, [0, 1, 1]))
    asked = ask(router, "my money, my parcel is late! My parcel?")
    terms, prior = bayes_terms(asked, against=asked.rival())
    difference = asked.logits[asked.route] - asked.logits[asked.rival()]
    assert sum(term.log_odds for term in terms) + prior == pytest.approx(difference, abs=1e-12)
    spread = spread_over_tokens(terms, tokens=len(asked))
    assert sum(spread.values) + prior == pytest.approx(difference, abs=1e-12)


def test_a_term_knows_where_its_tokens_stand() -> None:
    router = make_router(BayesModel(ngrams=2).fit([["a", "b"], ["b", "a"]], [0, 1]))
    terms, _ = bayes_terms(ask(router, "a, b. A b"), against=0)
    places = {term.text: (term.count, term.tokens) for term in terms}
    assert places == {
        "a": (2, (0, 4)),
        "b": (2, (2, 5)),
        "a b": (2, (0, 2, 4, 5)),
        "b a": (1, (2, 4)),
    }


def test_pooling_weights_sum_to_one(lstm: Router) -> None:
    found = pooling_attention(ask(lstm, "the parcel arrived"))
    assert found is not None
    assert not found.signed
    assert sum(found.values) == pytest.approx(1)


def test_even_pooling_says_nothing_and_is_left_out() -> None:
    assert pooling_attention(ask(additive_router(NUMBERS), "money back please")) is None


def test_heads_have_a_map_for_each_layer_and_their_rows_sum_to_one(transformer: Router) -> None:
    heads = head_attention(ask(transformer, "the parcel arrived"))
    assert heads is not None
    assert heads.shape == (2, 2, 3, 3)
    assert heads.sum(axis=-1) == pytest.approx(np.ones((2, 2, 3)), abs=1e-6)


def test_recurrent_models_have_no_heads(lstm: Router) -> None:
    assert head_attention(ask(lstm, "the parcel")) is None


def test_rollout_of_two_layers_worked_by_hand() -> None:
    first = [[1.0, 0.0], [1.0, 0.0]]  # with the residual: [[1, 0], [.5, .5]]
    second = [[0.0, 1.0], [0.0, 1.0]]  # with the residual: [[.5, .5], [0, 1]]
    found = rollout(np.array([[first], [second]]))
    assert found.tolist() == [[0.75, 0.25], [0.5, 0.5]]


def test_rollout_shares_sum_to_one(transformer: Router) -> None:
    asked = ask(transformer, "the parcel arrived")
    heads = head_attention(asked)
    assert heads is not None
    assert sum(rollout_attention(asked, heads).values) == pytest.approx(1)


def test_pieces_of_a_word_are_looked_at_together_and_look_on_average(lstm: Router) -> None:
    asked = ask(lstm, "the parcel arrived")
    asked.groups = [(0,), (1, 2)]
    asked.tokens = [Token("the", 0, 3), Token("parcelarrived", 4, 17)]
    heads = np.array([[[[0.2, 0.3, 0.5], [0.6, 0.2, 0.2], [0.4, 0.0, 0.6]]]])
    assert heads_by_token(asked, heads)[0, 0] == pytest.approx(np.array([[0.2, 0.8], [0.5, 0.5]]))


def test_gates_of_each_layer_and_direction_lie_between_zero_and_one(lstm: Router) -> None:
    tracks = gate_tracks(ask(lstm, "the parcel arrived"))
    assert [(t.layer, t.backwards) for t in tracks] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert all(t.gate == "forget" and len(t.kept) == 3 for t in tracks)
    assert all(0 < kept < 1 for t in tracks for kept in t.kept)


@pytest.mark.parametrize(
    ("cell", "gates"), [("lstm", ["forget"]), ("gru", ["update"]), ("rnn", [])]
)
def test_what_is_kept_without_weights_is_what_the_bias_says(cell: str, gates: list[str]) -> None:
    model = RecurrentModel(
        words=9, routes=2, cell=cell, embedding=3, hidden=4, layers=1, bidirectional=False
    )
    for name, weight in model.layers.named_parameters():
        if "weight" in name:
            torch.nn.init.zeros_(weight)
    tracks = gate_tracks(ask(make_router(model), "the parcel"))
    assert [t.gate for t in tracks] == gates
    bias = {"lstm": 1.0, "gru": 0.0, "rnn": 0.0}[cell]
    assert all(t.kept == pytest.approx([1 / (1 + math.exp(-bias))] * 2) for t in tracks)


def test_other_models_have_no_gates(transformer: Router, bayes: Router) -> None:
    assert gate_tracks(ask(transformer, "the parcel")) == ()
    assert gate_tracks(ask(bayes, "the parcel")) == ()


def test_each_kind_of_model_has_its_methods(
    lstm: Router, transformer: Router, bayes: Router
) -> None:
    def methods(router: Router) -> list[str]:
        return [
            a.method for a in gather_evidence(ask(router, "the parcel"), against=0).attributions
        ]

    assert methods(bayes) == ["log_odds", "occlusion"]
    assert methods(lstm) == ["integrated_gradients", "occlusion", "attention"]
    assert methods(transformer) == ["integrated_gradients", "occlusion", "attention", "rollout"]


def test_occlusion_is_signed_and_says_how_words_were_left_out() -> None:
    found = occlusion(ask(additive_router(NUMBERS), "money parcel"), against=0, removal="mask")
    assert found.signed
    assert found.note.endswith("when the unknown word stands in its place")
