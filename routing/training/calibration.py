"""Validation e-mails -> temperature, thresholds, and what to expect of automatic decisions.

Shape letters: B e-mails, R routes.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from routing.evaluation.intervals import wilson
from routing.evaluation.metrics import calibration_error
from routing.handover import Calibration, Expectation, energy, softmax
from routing.records import LabelledEmail
from routing.router import Router
from routing.text.languages import guess_language

Floats = npt.NDArray[np.float64]

_ENOUGH = 30
"""E-mails sent to a route before it gets a threshold of its own."""

_ASKED = 20_000
"""Training e-mails that are asked for their language at most."""

_SEEN = 0.01
"""Share of the e-mails asked that a language needs to count as one of theirs."""


def calibrate(
    router: Router,
    *,
    train: Sequence[LabelledEmail],
    validation: Sequence[LabelledEmail],
    logits: Floats | None = None,
) -> Calibration:
    """Return the calibration of a trained router, with what it was worth on ``validation``.

    The settings' ``handover`` part says what is asked for. ``router`` stays as it is; ``logits``
    (B, R) are its own of the validation e-mails, where they are known already.
    """
    wishes = router.settings.handover
    right = [router.routes.index(item.route) for item in validation]
    if logits is None:
        logits = router.logits([item.email for item in validation])
    temperature = fit_temperature(logits, right)
    probabilities = softmax(logits / temperature)
    chosen = choose_thresholds(
        probabilities, right, wishes.max_misrouted, per_route=wishes.per_route
    )
    asked = wishes.familiar_share < 1
    calibration = Calibration(
        temperature=temperature,
        thresholds=dict(zip(router.routes, chosen, strict=True)),
        ambiguity_margin=wishes.ambiguity_margin,
        max_unknown_share=wishes.max_unknown_share,
        max_gibberish_share=wishes.max_gibberish_share,
        min_words=wishes.min_words,
        min_energy=float(np.quantile(energy(logits), 1 - wishes.familiar_share)) if asked else None,
        languages=() if wishes.other_languages else find_languages(router, train),
    )
    expected = _expect(router, calibration, validation, logits=logits, right=right)
    return replace(calibration, expected=expected)


def fit_temperature(logits: Floats, routes: Sequence[int]) -> float:
    """Return the temperature in [0.05, 50] of least log-loss (Guo et al. 2017, section 4.2)."""
    right = np.asarray(routes)

    def loss(log_temperature: float) -> float:
        chances = softmax(logits / np.exp(log_temperature))
        return float(-np.log(chances[np.arange(len(right)), right] + 1e-12).mean())

    found = minimize_scalar(loss, bounds=(np.log(0.05), np.log(50)), method="bounded")
    return float(np.exp(found.x))


def choose_thresholds(
    probabilities: Floats, routes: Sequence[int], max_misrouted: float, *, per_route: bool
) -> list[float]:
    """Return for each route the least probability of an automatic decision.

    Without ``per_route``, and for routes that too few e-mails are sent to, it is the one of all
    e-mails together.
    """
    whole = choose_threshold(probabilities, routes, max_misrouted)
    thresholds = [whole] * probabilities.shape[1]
    best = probabilities.argmax(axis=1)
    for route in range(len(thresholds)) if per_route else ():
        sent = best == route
        if sent.sum() >= _ENOUGH:
            own = choose_threshold(probabilities[sent], np.asarray(routes)[sent], max_misrouted)
            thresholds[route] = own
    return thresholds


def choose_threshold(
    probabilities: Floats, routes: Sequence[int] | npt.NDArray[np.int64], max_misrouted: float
) -> float:
    """Return the lowest threshold on the best probability that misroutes at most a share.

    1.01 (nothing is automatic) when no threshold does.
    """
    best = probabilities.max(axis=1)
    wrong = probabilities.argmax(axis=1) != np.asarray(routes)
    order = np.argsort(-best, kind="stable")
    misrouted = np.cumsum(wrong[order]) / np.arange(1, len(order) + 1)
    last_of_equals = np.append(np.diff(best[order]) != 0, True)
    good = np.nonzero((misrouted <= max_misrouted) & last_of_equals)[0]
    return float(best[order[good[-1]]]) if len(good) else 1.01


def find_languages(router: Router, emails: Sequence[LabelledEmail]) -> tuple[str, ...]:
    """Return the languages that at least a hundredth of the e-mails is in, the commonest first.

    Where there are more than 20,000, so many drawn from them stand for all.
    """
    some = random.Random(0).sample(emails, _ASKED) if len(emails) > _ASKED else emails
    told = Counter(guess_language(router.reader.words(item.email)) for item in some)
    return tuple(
        language
        for language, count in told.most_common()
        if language is not None and count >= _SEEN * len(some)
    )


def _expect(
    router: Router,
    calibration: Calibration,
    emails: Sequence[LabelledEmail],
    *,
    logits: Floats,
    right: Sequence[int],
) -> Expectation:
    """Return what the router would be worth on ``emails`` with ``calibration``."""
    reasons = [
        router.review_reason(item.email, row, limits=calibration)
        for item, row in zip(emails, logits, strict=True)
    ]
    auto = np.array([reason is None for reason in reasons])
    wrong = logits.argmax(axis=1) != np.asarray(right)
    coverage = wilson(int(auto.sum()), len(auto))
    misrouted = wilson(int(wrong[auto].sum()), int(auto.sum())) if auto.any() else None
    return Expectation(
        emails=len(emails),
        coverage=coverage.value,
        coverage_low=coverage.low,
        coverage_high=coverage.high,
        misrouted=misrouted.value if misrouted else None,
        misrouted_low=misrouted.low if misrouted else None,
        misrouted_high=misrouted.high if misrouted else None,
        error_before=calibration_error(softmax(logits), right),
        error_after=calibration_error(softmax(logits / calibration.temperature), right),
    )
