"""Hand-over: what a router's numbers are worth, and when a person decides instead.

Shape letters: B e-mails, R routes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from routing.records import Wording

Floats = npt.NDArray[np.float64]

_UNLIKE = "the e-mail is unlike any in training"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What automatic decisions were worth on validation e-mails; intervals of 95 %.

    Attributes:
        emails: validation e-mails.
        coverage: share that is decided automatically.
        coverage_low: lower end of its interval.
        coverage_high: upper end.
        misrouted: share of the automatic decisions that is wrong; None without any.
        misrouted_low: lower end of its interval.
        misrouted_high: upper end.
        error_before: expected calibration error without the temperature.
        error_after: with it.
    """

    emails: int
    coverage: float
    coverage_low: float
    coverage_high: float
    misrouted: float | None
    misrouted_low: float | None
    misrouted_high: float | None
    error_before: float
    error_after: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How logits become probabilities, and when a person decides.

    Attributes:
        temperature: logits are divided by it (Guo et al. 2017); > 0.
        thresholds: route -> least probability of an automatic decision.
        ambiguity_margin: least lead of the best route over the second.
        max_unknown_share: largest share of unknown words.
        max_gibberish_share: largest share of words that look like no language.
        min_words: fewest words.
        min_energy: least log-sum of exponentiated logits (Liu et al. 2020): below it an e-mail is
            like nothing in training; None: not asked.
        languages: languages that training mail was in; none: not asked.
        second_look: lead in logits under which an e-mail is read again, 0: never; None: as the
            model says.
        expected: what it was worth on validation e-mails, None when it was not measured.
    """

    temperature: float = 1.0
    thresholds: Mapping[str, float] = field(default_factory=dict)
    ambiguity_margin: float = 0.0
    max_unknown_share: float = 1.0
    max_gibberish_share: float = 1.0
    min_words: int = 0
    min_energy: float | None = None
    languages: tuple[str, ...] = ()
    second_look: float | None = None
    expected: Expectation | None = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Calibration":
        """Return what ``dataclasses.asdict`` made, read back from JSON."""
        expected = value.get("expected")
        rest = {
            "languages": tuple(value.get("languages", ())),
            "expected": Expectation(**expected) if expected else None,
        }
        return cls(**{**value, **rest})


def softmax(logits: Floats) -> Floats:
    """Return the softmax over the last axis, in float64."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    result: Floats = powers / powers.sum(axis=-1, keepdims=True)
    return result


def energy(logits: Floats) -> Floats:
    """Return log sum exp over the last axis: high for what resembles training (Liu et al. 2020)."""
    highest = logits.max(axis=-1)
    result: Floats = highest + np.log(np.exp(logits - highest[..., None]).sum(axis=-1))
    return result


def review_reason(
    wording: Wording, logits: Floats, *, routes: Sequence[str], limits: Calibration
) -> str | None:
    """Return why a person should decide, None when the router may.

    Args:
        wording: the e-mail's words.
        logits: (R,).
        routes: names of the routes, in the order of the logits.
        limits: what is still decided.
    """
    return review_reasons([wording], logits[None], routes=routes, limits=limits)[0]


def review_reasons(
    wordings: Sequence[Wording], logits: Floats, *, routes: Sequence[str], limits: Calibration
) -> list[str | None]:
    """Return the ``review_reason`` of each of some e-mails of ``logits`` (B, R)."""
    probabilities = softmax(logits / limits.temperature)  # (B, R)
    order = np.argsort(-probabilities, axis=1)[:, :2]  # (B, 2)
    highest = np.take_along_axis(probabilities, order, axis=1)  # (B, 2)
    strange = np.zeros(len(logits), bool)
    if limits.min_energy is not None:
        strange = energy(logits) < limits.min_energy  # (B,)
    found = zip(wordings, strange.tolist(), highest.tolist(), order.tolist(), strict=True)
    return [
        _strange(wording, limits)
        or (_UNLIKE if unlike else _unsure(highest, [routes[i] for i in best], limits))
        for wording, unlike, highest, best in found
    ]


def _strange(wording: Wording, limits: Calibration) -> str | None:
    """Return what makes the e-mail's words unlike those of training."""
    count, language = wording.words, wording.language
    if not count:
        return "the e-mail has no words"
    if count < limits.min_words:
        return f"{count} {'word is' if count == 1 else 'words are'} too few to decide on"
    if limits.languages and language is not None and language not in limits.languages:
        return f"the text looks {language}; training mail was {' and '.join(limits.languages)}"
    if wording.gibberish_share > limits.max_gibberish_share:
        return f"{wording.gibberish_share:.0%} of the words look like no language"
    if wording.unknown_share > limits.max_unknown_share:
        return f"{wording.unknown_share:.0%} of the words are unknown"
    return None


def _unsure(
    probabilities: Sequence[float], routes: Sequence[str], limits: Calibration
) -> str | None:
    """Return what makes the choice unsure between the two most probable routes, the best first."""
    best, route = probabilities[0], routes[0]
    if best < (threshold := limits.thresholds.get(route, 0.0)):
        digits = next((d for d in range(2, 17) if f"{best:.{d}f}" != f"{threshold:.{d}f}"), 17)
        return f"probability {best:.{digits}f} is below {threshold:.{digits}f}"
    lead = best - probabilities[1] if len(probabilities) > 1 else 1.0
    if lead < limits.ambiguity_margin:
        return f"{route} leads {routes[1]} by only {lead:.2f}"
    return None
