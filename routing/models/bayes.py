"""TF-IDF and multinomial naive Bayes: counts words (or runs of words), blind to their order.

Shape letters: B e-mails, V terms, R routes.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


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
        found = [terms(words, ngrams=self.ngrams) for words in emails]
        return self._weights(self.columns(chain.from_iterable(found)), list(map(len, found)))

    def columns(self, terms: Iterable[str]) -> Ints:
        """Return the column of each term among the V, -1 for those never learned."""
        return np.fromiter(map(self.vectorizer.vocabulary_.get, terms, repeat(-1)), np.int64)

    def logits(self, emails: Sequence[Sequence[str]]) -> Floats:
        """Return the joint log-likelihoods (B, R) of e-mails given as words."""
        return self._logits(self.weights(emails))

    def column_logits(self, columns: Ints, lengths: Sequence[int]) -> Floats:
        """Return ``logits`` of e-mails given as the columns of all their terms, one after another.

        Args:
            columns: of every term, as ``columns`` has them.
            lengths: (B,) how many of them are each e-mail's.
        """
        return self._logits(self._weights(columns, lengths))

    def _weights(self, columns: Ints, lengths: Sequence[int]) -> "csr_matrix":
        """Return the TF-IDF weights (B, V), as the vectorizer does but of all e-mails at once."""
        from scipy.sparse import csr_matrix
        from sklearn.preprocessing import normalize

        known = columns >= 0
        rows = np.concatenate([[0], np.cumsum(known)])[np.cumsum([0, *lengths])]
        shape = (len(lengths), len(self.vectorizer.vocabulary_))
        weights = csr_matrix((np.ones(rows[-1]), columns[known], rows), shape=shape)
        weights.sum_duplicates()
        weights.data *= self.vectorizer.idf_[weights.indices]
        return normalize(weights, copy=False) if lengths else weights

    def _logits(self, weights: "csr_matrix") -> Floats:
        scores = weights @ self.classifier.feature_log_prob_.T
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
