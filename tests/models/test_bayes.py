"""TF-IDF and multinomial naive Bayes."""

import numpy as np
import pytest

from routing.models.bayes import BayesModel, terms

EMAILS = [["parcel", "late"], ["parcel", "lost"], ["money", "back"], ["money", "late", "late"]]
ROUTES = [0, 0, 1, 1]


def test_terms_are_words_and_runs_of_words() -> None:
    assert terms(["a", "b", "c"], ngrams=2) == ["a", "b", "c", "a b", "b c"]


def test_log_odds_are_manning_chapter_13_by_hand() -> None:
    model = BayesModel(smoothing=1.0).fit([["a", "b"], ["a", "c"]], [0, 1])
    rare = np.log(3 / 2) + 1  # scikit-learn's smoothed idf of a term in one of two e-mails
    norm = np.hypot(1, rare)
    first = np.log(1 / norm + 1) - np.log((1 + rare) / norm + 3)  # P(a | 0)
    assert model.arrays()["term_log_probabilities"][0, 0] == pytest.approx(first)


def test_swapping_two_words_changes_nothing() -> None:
    model = BayesModel().fit(EMAILS, ROUTES)
    one, other = model.logits([["parcel", "money", "late"], ["money", "parcel", "late"]])
    assert np.array_equal(one, other)


def test_runs_of_words_see_order() -> None:
    model = BayesModel(ngrams=2).fit(EMAILS, ROUTES)
    one, other = model.logits([["parcel", "late"], ["late", "parcel"]])
    assert not np.allclose(one, other)


def test_rare_terms_are_left_out() -> None:
    assert BayesModel(min_emails=2).fit(EMAILS, ROUTES).term_names() == ["late", "money", "parcel"]


def test_restored_models_give_the_same_logits() -> None:
    model = BayesModel(ngrams=2).fit(EMAILS, ROUTES)
    again = BayesModel(ngrams=2).restore(model.term_names(), model.arrays())
    assert np.array_equal(model.logits(EMAILS), again.logits(EMAILS))


def test_unknown_words_leave_the_priors() -> None:
    model = BayesModel().fit(EMAILS, ROUTES)
    assert model.logits([["never", "seen"]])[0] == pytest.approx(np.log([0.5, 0.5]))
    assert model.logits([]).shape == (0, 2)


@pytest.mark.parametrize("ngrams", [1, 2, 3])
def test_weights_are_those_of_the_vectorizer(ngrams: int) -> None:
    rng = np.random.default_rng(2)
    words = [f"w{i}" for i in range(30)]
    emails = [list(rng.choice(words, size=n)) for n in (9, 0, 1, 40, 2)]
    model = BayesModel(ngrams=ngrams).fit([e[::2] for e in emails], [0, 1, 1, 0, 1])
    ours, theirs = model.weights(emails), model.vectorizer.transform(emails)
    assert np.array_equal(ours.toarray(), theirs.toarray())
    assert model.weights([["new"], []]).nnz == 0
