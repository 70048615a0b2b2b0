"""Naive Bayes in the open: each term's log-odds, which sum to the logit difference.

Shape letters: T tokens, V terms, R routes.
"""

from collections import defaultdict

import numpy as np

from routing.explanation.records import Attribution, Term
from routing.explanation.variants import Asked
from routing.models.bayes import BayesModel
from routing.text.tokens import is_word


def bayes_terms(asked: Asked, *, against: int) -> tuple[tuple[Term, ...], float]:
    """Return the e-mail's known terms, the weightiest first, and the prior's log-odds.

    The sum of all ``log_odds`` and the prior is exactly the logit difference of ``asked.route``
    and ``against`` (Manning et al. 2008, section 13.2).
    """
    model = asked.router.model
    assert isinstance(model, BayesModel)
    places = _term_places(asked, ngrams=model.ngrams)
    words = [token.text for token in asked.tokens if is_word(token.text)]
    weights = model.weights([words])  # (1, V)
    likelihoods = model.classifier.feature_log_prob_  # (R, V)
    names = model.vectorizer.get_feature_names_out()
    terms = [
        Term(
            text=str(names[column]),
            count=len(places[str(names[column])]),
            weight=float(weight),
            log_odds=float(
                weight * (likelihoods[asked.route, column] - likelihoods[against, column])
            ),
            tokens=tuple(i for run in places[str(names[column])] for i in run),
        )
        for column, weight in zip(weights.indices, weights.data, strict=True)
    ]
    priors = model.classifier.class_log_prior_
    terms.sort(key=lambda term: (-abs(term.log_odds), term.text))
    return tuple(terms), float(priors[asked.route] - priors[against])


def spread_over_tokens(terms: tuple[Term, ...], *, tokens: int) -> Attribution:
    """Return the terms' log-odds shared out evenly to the tokens that they are made of."""
    values = np.zeros(tokens)
    for term in terms:
        for place in term.tokens:
            values[place] += term.log_odds / len(term.tokens)
    return Attribution(
        method="log_odds",
        values=tuple(map(float, values)),
        signed=True,
        note="exact: with the prior they sum to the logit difference",
    )


def _term_places(asked: Asked, *, ngrams: int) -> dict[str, list[tuple[int, ...]]]:
    """Return for every run of up to ``ngrams`` words the places of its tokens, each time."""
    words = [i for i, token in enumerate(asked.tokens) if is_word(token.text)]
    found: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for length in range(1, ngrams + 1):
        for start in range(len(words) - length + 1):
            run = tuple(words[start : start + length])
            found[" ".join(asked.tokens[i].text for i in run)].append(run)
    return found
