import numpy as np
import pytest
import torch

from routing.explanation.order import _exchange, search_order
from routing.explanation.pieces import changed_pieces
from routing.explanation.second_look import learned_swap
from routing.explanation.variants import Asked
from routing.models.bayes import BayesModel
from routing.records import Email
from routing.router import Router
from routing.text.tokens import tokenize
from tests.explanation.routers import DELIVERY, REFUNDS, additive_router, make_router


def search(router: Router, email: Email, **options: object):
    asked = Asked(router, email)
    return search_order(asked, email, weights=[1.0] * len(asked), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "two", "order"),
    [
        ((0, 1), (3, 4), [3, 1, 2, 0, 4]),
        ((0, 1), (3, 5), [3, 4, 1, 2, 0]),
        ((1, 3), (3, 4), [0, 3, 1, 2, 4]),
        ((1, 2), (5, 5), [0, 2, 3, 4, 1]),
    ],
)
def test_two_stretches_change_places(
    one: tuple[int, int], two: tuple[int, int], order: list[int]
) -> None:
    assert _exchange(5, one, two).tolist() == order


def test_the_swap_that_changes_the_route_is_found(lstm: Router, email: Email) -> None:
    found = search(lstm, email)
    change = found.change
    assert change is not None
    assert set(change.moved) == {"parcel", "charger"}
    assert change.kind == "swap"
    assert change.route == "delivery"
    assert "".join(piece.text for piece in change.after) == DELIVERY
    assert found.note.startswith("If “parcel” and “charger” change places, the e-mail goes to")


def test_the_swap_that_the_model_has_learned_is_tried_first(
    lstm: Router, email: Email, monkeypatch: pytest.MonkeyPatch
) -> None:
    stretches = ((0, 2), (5, 7))  # "the parcel", "the charger"
    monkeypatch.setattr("routing.explanation.order.learned_swap", lambda _: stretches)
    found = search(lstm, email)
    assert found.change is not None
    assert found.change.moved == ("the parcel", "the charger")
    assert found.tried == 1


def swapping(ends: list[int]) -> Router:
    """A router whose model would swap the stretches with these ends."""
    numbers = dict.fromkeys(REFUNDS.split(), 1.0)
    router = additive_router(numbers)

    def score(states: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        scores = torch.zeros(1, states.shape[1], 4)
        scores[0, ends, range(4)] = 9.0
        return scores.log_softmax(dim=1)

    router.model.finder = score
    return router


@pytest.mark.parametrize(
    ("subject", "text", "ends", "right"),
    [
        ("", REFUNDS, [1, 1, 6, 6], ((1, 2), (6, 7))),
        ("", REFUNDS, [0, 1, 5, 6], ((0, 2), (5, 7))),
        ("", REFUNDS, [0, 0, 5, 5], None),  # the, the
        ("the parcel", "arrived but", [0, 0, 3, 4], None),  # one in the subject
        ("", "the . parcel arrived", [1, 1, 2, 2], None),  # a full stop
    ],
)
def test_a_learned_swap_is_one_of_words_in_one_part(
    subject: str, text: str, ends: list[int], right: object
) -> None:
    email = Email(id="x", subject=subject, text=text)
    assert learned_swap(Asked(swapping(ends), email)) == right


def test_a_model_without_a_finder_has_learned_no_swap(lstm: Router, email: Email) -> None:
    assert learned_swap(Asked(lstm, email)) is None


def test_the_changed_order_really_goes_there(lstm: Router, email: Email) -> None:
    change = search(lstm, email).change
    assert change is not None
    decision = lstm.decide([Email(id="y", text=DELIVERY)])[0]
    assert decision.route == change.route
    assert decision.probability == pytest.approx(change.probability, abs=1e-6)


def test_words_come_and_go_in_no_order_change(transformer: Router, email: Email) -> None:
    change = search(transformer, email).change
    assert change is not None
    assert sorted(change.order) == list(range(len(Asked(transformer, email))))


def test_naive_bayes_is_not_searched(bayes: Router, email: Email) -> None:
    found = search(bayes, email)
    assert found.change is None
    assert found.tried == 0
    assert found.note == "No order of these words changes the route: naive Bayes only counts them."


def test_naive_bayes_of_word_pairs_is_searched() -> None:
    texts = [text.split() for text in (DELIVERY, REFUNDS)]
    router = make_router(BayesModel(ngrams=2).fit(texts, [0, 1]))
    assert search(router, Email(id="x", text=REFUNDS)).change is not None


def test_a_sum_never_changes_and_the_budget_ends_the_search() -> None:
    found = search(
        additive_router({"a": 1.0, "b": 2.0}), Email(id="x", text="a b " * 20), budget=70
    )
    assert found.change is None
    assert 0 < found.tried <= 70
    assert found.note == f"None of {found.tried} orders tried changes the route."


def test_naive_bayes_gives_both_versions_the_same_score(
    lstm: Router, bayes: Router, email: Email
) -> None:
    change = search(lstm, email, baseline=bayes).change
    assert change is not None
    assert change.baseline is not None
    assert change.baseline.same
    assert change.baseline.route_before == change.baseline.route_after


def test_only_a_naive_bayes_router_is_asked_for_its_view(lstm: Router, email: Email) -> None:
    change = search(lstm, email, baseline=lstm).change
    assert change is not None
    assert change.baseline is None


def pieces(text: str, order: list[int], moved: set[int]) -> str:
    email = Email(id="x", text=text)
    found = changed_pieces(email, tokenize(email), order=order, moved=moved)
    return "".join(f"[{p.text.strip()}]" if p.moved else p.text for p in found)


def test_a_move_is_shown_with_fitting_blanks() -> None:
    assert pieces("No, send it now.", [0, 1, 4, 2, 3, 5], {4}) == "No,[now] send it."


def test_the_end_of_a_line_is_shown_as_a_blank() -> None:
    assert pieces("It came.\n\nSend it", list(range(6)), {0}) == "[It] came. Send it"


def test_characters_that_are_no_tokens_are_shown() -> None:
    text = '<i>The "x" & <b>lamp~'
    order = list(range(len(tokenize(Email(id="x", text=text)))))
    assert pieces(text, order, {order[-1]}) == '<i>The "x" & <b>[lamp]~'
    assert pieces(text, [order[-1], *order[:-1]], {order[-1]}) == '[lamp] <i>The "x" & <b>~'


def test_words_that_are_not_read_are_not_shown() -> None:
    email = Email(id="x", text="The lamp came. And more")
    found = changed_pieces(email, tokenize(email)[:3], order=[1, 0, 2], moved=[1])
    assert "".join(piece.text for piece in found) == "lamp The came"


def test_what_is_far_from_the_change_is_left_out() -> None:
    text = " ".join(["word"] * 20 + ["a", "b"] + ["word"] * 20)
    order = np.arange(42)
    order[[20, 21]] = order[[21, 20]]
    shown = pieces(text, order.tolist(), {20, 21})
    assert shown.startswith("… word")
    assert shown.endswith("word …")
    assert shown.count("word") == 24
