"""Validation logits -> temperature and thresholds.

Shape letters: B e-mails, R routes.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from routing.router import softmax

Floats = npt.NDArray[np.float64]


def fit_temperature(logits: Floats, routes: Sequence[int]) -> float:
    """Return the temperature in [0.05, 50] of least log-loss (Guo et al. 2017, section 4.2)."""
    right = np.asarray(routes)

    def loss(log_temperature: float) -> float:
        chances = softmax(logits / np.exp(log_temperature))
        return float(-np.log(chances[np.arange(len(right)), right] + 1e-12).mean())

    found = minimize_scalar(loss, bounds=(np.log(0.05), np.log(50)), method="bounded")
    return float(np.exp(found.x))


def choose_threshold(probabilities: Floats, routes: Sequence[int], max_misrouted: float) -> float:
    """Return the lowest threshold on the best probability that misroutes at most a share.

    1.01 (nothing is automatic) when no threshold does.
    """
    best = probabilities.max(axis=1)
    wrong = probabilities.argmax(axis=1) != np.asarray(routes)
    order = np.argsort(-best, kind="stable")
    misrouted = np.cumsum(wrong[order]) / np.arange(1, len(order) + 1)
    good = np.nonzero(misrouted <= max_misrouted)[0]
    return float(best[order[good[-1]]]) if len(good) else 1.01
