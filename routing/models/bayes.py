"""TF-IDF and multinomial naive Bayes: counts words (or runs of words), blind to their order.

Shape letters: B e-mails, V terms, R routes.
"""

from collections.abc import Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = npt.NDArray[np.float64]


def terms(words: Sequence[str], *, ngrams: int) -> list[str]:
    """Return the e-mail's words and its runs of up to ``ngrams`` words."""
    runs = (
        [" ".join(words[i : i + n]) for i in range(len(words) - n + 1)]
        for n in range(2, ngrams + 1)
    )
    return [*words, *chain.from_iterable(runs)]


class BayesModel:
    """Multinomial naive Bayes on TF-IDF weights (Manning et al. 2008, chapters 6 and 13).

    Args:
        ngrams: longest run of words counted as one term.
        smoothing: additive smoothing.
        min_emails: e-mails a term must stand in.
    """

    def __init__(self, *, ngrams: int = 1, smoothing: float = 0.1, min_emails: int = 1) -> None:
        # Loading scikit-learn takes as long as torch does: only for routers that count words.
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.naive_bayes import MultinomialNB

        self.ngrams = ngrams
        self.vectorizer = TfidfVectorizer(
            analyzer=lambda words: terms(words, ngrams=ngrams), min_df=min_emails
        )
        self.classifier = MultinomialNB(alpha=smoothing)

    def fit(self, emails: Sequence[Sequence[str]], routes: Sequence[int]) -> "BayesModel":
        """Learn from e-mails given as words and the index of each one's route; return self."""
        self.classifier.fit(self.vectorizer.fit_transform(emails), routes)
        return self

    def weights(self, emails: Sequence[Sequence[str]]) -> "csr_matrix":
        """Return the TF-IDF weights (B, V) of e-mails given as words."""
        from sklearn.preprocessing import normalize

        weights = self._counts([terms(words, ngrams=self.ngrams) for words in emails])
        weights.data *= self.vectorizer.idf_[weights.indices]
        return normalize(weights, copy=False)

    def _counts(self, emails: Sequence[Sequence[str]]) -> "csr_matrix":
        """Return how often each term (B, V) stands in e-mails given as terms.

        As the vectorizer counts, but all e-mails at once: four times as fast.
        """
        from scipy.sparse import csr_matrix

        columns = self.vectorizer.vocabulary_
        found = map(columns.get, chain.from_iterable(emails), repeat(-1))
        places = np.fromiter(found, np.int32, sum(map(len, emails)))
        known = places >= 0
        ends = np.cumsum([0, *map(len, emails)])
        rows = np.concatenate([[0], np.cumsum(known)])[ends]
        shape = (len(emails), len(columns))
        counts = csr_matrix((np.ones(rows[-1]), places[known], rows), shape=shape)
        counts.sum_duplicates()
        return counts

    def logits(self, emails: Sequence[Sequence[str]]) -> Floats:
        """Return the joint log-likelihoods (B, R) of e-mails given as words."""
        if not emails:
            return np.zeros((0, len(self.classifier.class_log_prior_)))
        scores = self.weights(emails) @ self.classifier.feature_log_prob_.T
        logits: Floats = np.asarray(scores) + self.classifier.class_log_prior_
        return logits

    def term_names(self) -> list[str]:
        """Return the V terms, in the order of the columns."""
        return [str(term) for term in self.vectorizer.get_feature_names_out()]

    def arrays(self) -> dict[str, Floats]:
        """Return what was learned as plain arrays, for ``restore``."""
        return {
            "idf": np.asarray(self.vectorizer.idf_, np.float64),
            "term_log_probabilities": np.asarray(self.classifier.feature_log_prob_, np.float64),
            "route_log_priors": np.asarray(self.classifier.class_log_prior_, np.float64),
        }

    def restore(self, term_names: Sequence[str], arrays: dict[str, Floats]) -> "BayesModel":
        """Take over what ``term_names`` and ``arrays`` gave; return self."""
        self.vectorizer.vocabulary_ = {term: i for i, term in enumerate(term_names)}
        self.vectorizer.fixed_vocabulary_ = True
        self.vectorizer.idf_ = arrays["idf"]
        self.classifier.feature_log_prob_ = arrays["term_log_probabilities"]
        self.classifier.class_log_prior_ = arrays["route_log_priors"]
        self.classifier.classes_ = np.arange(len(arrays["route_log_priors"]))
        return self
