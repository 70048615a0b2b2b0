"""Controls: linear classifiers of word runs, so that nobody takes bigrams for understanding.

Shape letters: B e-mails, V terms, R routes.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from routing.evaluation.metrics import Floats

Kind = Literal["ngram_logistic", "tfidf_svm"]
CONTROLS: tuple[Kind, ...] = ("ngram_logistic", "tfidf_svm")
LONGEST_RUN = 3


class Control:
    """A linear classifier of runs of one to three tokens (Wang & Manning 2012 use two).

    Args:
        kind: ``ngram_logistic`` (logistic regression on the presence of runs) or ``tfidf_svm``
            (linear support vector machine on their TF-IDF weights).
        max_terms: runs kept, the most frequent first.
    """

    def __init__(self, kind: Kind, *, max_terms: int = 500_000) -> None:
        self.kind = kind
        counting = kind == "ngram_logistic"
        self.vectorizer = TfidfVectorizer(
            analyzer=token_runs,
            use_idf=not counting,
            binary=counting,
            norm="l2",
            sublinear_tf=not counting,
            max_features=max_terms,
        )
        self.classifier = LogisticRegression(C=10.0, max_iter=300) if counting else LinearSVC(C=1.0)

    def fit(self, emails: Sequence[Sequence[str]], routes: Sequence[int]) -> "Control":
        """Learn from e-mails given as tokens and the index of each one's route; return self."""
        self.classifier.fit(self.vectorizer.fit_transform(emails), routes)
        return self

    def logits(self, emails: Sequence[Sequence[str]]) -> Floats:
        """Return scores (B, R) of e-mails given as tokens; a softmax makes them probabilities."""
        scores: Floats = self.classifier.decision_function(self.vectorizer.transform(emails))
        return np.stack([-scores / 2, scores / 2], axis=1) if scores.ndim == 1 else scores

    @property
    def parameters(self) -> int:
        """Numbers learned."""
        return int(self.classifier.coef_.size + self.classifier.intercept_.size)


def token_runs(tokens: Sequence[str]) -> list[str]:
    """Return the runs of one, two and three tokens of an e-mail."""
    return [
        " ".join(tokens[place : place + length])
        for length in range(1, LONGEST_RUN + 1)
        for place in range(len(tokens) - length + 1)
    ]
