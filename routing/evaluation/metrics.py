"""Right and predicted routes -> accuracy, F1, calibration error.

Shape letters: B e-mails, R routes.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def accuracy(right: Sequence[int], predicted: Sequence[int]) -> float:
    """Return the share in [0, 1] of e-mails whose predicted route is right."""
    return float(np.mean(np.asarray(right) == np.asarray(predicted)))


def macro_f1(right: Sequence[int], predicted: Sequence[int], *, routes: int) -> float:
    """Return the mean F1 in [0, 1] over the routes that occur in either list."""
    confusion = np.zeros((routes, routes))
    np.add.at(confusion, (np.asarray(right, int), np.asarray(predicted, int)), 1)
    hits = confusion.diagonal()
    totals = confusion.sum(0) + confusion.sum(1)
    return float(np.mean(2 * hits[totals > 0] / totals[totals > 0]))


def calibration_error(probabilities: Floats, right: Sequence[int], *, bins: int = 15) -> float:
    """Return the expected calibration error in [0, 1] (Guo et al. 2017, eq. 5).

    ``probabilities`` (B, R); ``bins`` of equal width over the best route's probability.
    """
    best = probabilities.max(axis=1)
    hits = probabilities.argmax(axis=1) == np.asarray(right)
    places = np.minimum((best * bins).astype(int), bins - 1)
    gaps = [
        abs(hits[places == i].mean() - best[places == i].mean()) * (places == i).mean()
        for i in range(bins)
        if (places == i).any()
    ]
    return float(sum(gaps))
