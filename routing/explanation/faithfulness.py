"""Is a ranking of the words worth believing? Erase by it, and see what the router does.

Comprehensiveness and sufficiency with their mean over shares of the tokens, AOPC (DeYoung et al.
2020, "ERASER", section 4); decision flips (Serrano & Smith 2019, section 4); Kendall's tau with
leave-one-out (Jain & Wallace 2019, section 4.1); all beside random rankings, as Chrysostomou &
Aletras 2022 advise, and by deletion and by mask, since the measures depend on it (Hase et al.
2021). Computed on what the model reads.
Shape letters: M rankings, T tokens, S shares, C distinct counts of tokens, K e-mails.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from routing.errors import RunError
from routing.explanation.attributions import gather_evidence
from routing.explanation.occlusion import leave_one_out
from routing.explanation.records import Attribution, Check, Faithfulness, Figure, Method, Removal
from routing.explanation.variants import Asked, Floats, Places, without
from routing.records import Email
from routing.router import Router

SHARES = (0.01, 0.05, 0.1, 0.2, 0.5)
"""ERASER's shares of the tokens that count as the highest; always at least one token."""

REMOVALS: tuple[Removal, ...] = ("deletion", "mask")
FILE = "faithfulness.json"
"""Name in the run folder of what ``measure_faithfulness`` found when the router was fitted."""

_DRAWS = 1000


@dataclass(frozen=True, slots=True)
class _Raw:
    """Numbers of one e-mail by one removal: of each method (comprehensiveness, sufficiency,
    flips, tau) and of each random ranking (comprehensiveness, sufficiency, flips)."""

    methods: dict[Method, Floats]
    random: Floats


def check_email(
    asked: Asked,
    attributions: Sequence[Attribution],
    *,
    against: int,
    rankings: int = 20,
    seed: int = 0,
) -> Faithfulness:
    """Return the checks of ``attributions`` on their own e-mail.

    The interval of ``random`` and of the leads holds the middle 90 % of the random rankings.
    """
    checks: list[Check] = []
    for removal in REMOVALS:
        raw = _measure(
            asked, attributions, against=against, removal=removal, rankings=rankings, seed=seed
        )
        low, high = np.percentile(raw.random, [5, 95], axis=0)
        mean = raw.random.mean(axis=0)
        for method, found in raw.methods.items():
            lead = Figure(found[0] - mean[0], found[0] - high[0], found[0] - low[0])
            spare = Figure(mean[1] - found[1], low[1] - found[1], high[1] - found[1])
            checks.append(_check(method, removal, [_point(x) for x in found], lead, spare))
        spread = [Figure(*map(float, row)) for row in zip(mean, low, high, strict=True)]
        checks.append(_check("random", removal, spread, None, None))
    return Faithfulness(tuple(checks), emails=1, rankings=rankings, shares=SHARES)


def measure_faithfulness(
    router: Router, emails: Iterable[Email], *, rankings: int = 20, seed: int = 0
) -> Faithfulness:
    """Return the checks of every method of ``router`` over a sample of e-mails.

    Intervals are 95 % of bootstrap samples of the e-mails; e-mails without words are passed
    over. About 500 changed versions of each e-mail are read.
    """
    found: dict[Removal, list[_Raw]] = {removal: [] for removal in REMOVALS}
    for number, email in enumerate(emails):
        asked = Asked(router, email)
        if email.error is not None or not len(asked):
            continue
        against = asked.rival()
        attributions = gather_evidence(asked, against=against).attributions
        for removal, raws in found.items():
            raws.append(
                _measure(
                    asked,
                    attributions,
                    against=against,
                    removal=removal,
                    rankings=rankings,
                    seed=seed + number,
                )
            )
    checks = tuple(c for removal, raws in found.items() for c in _over_emails(raws, removal, seed))
    return Faithfulness(checks, emails=len(found["deletion"]), rankings=rankings, shares=SHARES)


def write_faithfulness(folder: Path | str, found: Faithfulness) -> None:
    """Write ``faithfulness.json`` into a run folder."""
    text = json.dumps(asdict(found), indent=1)
    (Path(folder) / FILE).write_text(text, encoding="utf-8")


def read_faithfulness(folder: Path | str) -> Faithfulness | None:
    """Return what ``write_faithfulness`` wrote, None when the run has none.

    Raises RunError when the file is damaged.
    """
    file = Path(folder) / FILE
    if not file.is_file():
        return None
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        checks = tuple(_read_check(check) for check in value["checks"])
        shares = tuple(value["shares"])
        return Faithfulness(checks, value["emails"], value["rankings"], shares)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(f"{file} is damaged ({error}); delete it or fit the run again") from error


def _measure(
    asked: Asked,
    attributions: Sequence[Attribution],
    *,
    against: int,
    removal: Removal,
    rankings: int,
    seed: int,
) -> _Raw:
    values = [np.array(a.values) for a in attributions]
    rng = np.random.default_rng(seed)
    orders = [np.argsort(-v, kind="stable") for v in values]
    orders += [rng.permutation(len(asked)) for _ in range(rankings)]
    scores = _erase(asked, orders, removal=removal)  # (M, 3)
    reference = leave_one_out(asked, against=against, removal=removal)
    return _Raw(
        methods={
            a.method: np.append(scores[i], _tau(values[i], reference))
            for i, a in enumerate(attributions)
        },
        random=scores[len(attributions) :],
    )


def _erase(asked: Asked, orders: Sequence[Places], *, removal: Removal) -> Floats:
    """Return comprehensiveness, sufficiency and flips (M, 3) of rankings, highest token first."""
    counts = np.maximum(1, np.ceil(np.array(SHARES) * len(asked) - 1e-9)).astype(int)  # (S,)
    distinct, places = np.unique(counts, return_inverse=True)  # (C,), (S,)
    whole, mask = asked.all_places(), removal == "mask"
    variants = [without(whole, order[:count], mask=mask) for order in orders for count in distinct]
    variants += [without(whole, order[count:], mask=mask) for order in orders for count in distinct]
    found = asked.probabilities([whole, *variants])  # (1 + 2MC, R)
    sure = found[0, asked.route]
    drops = (sure - found[1:, asked.route]).reshape(2, len(orders), -1)[:, :, places]  # (2, M, S)
    flips = found[1:].argmax(axis=1).reshape(2, len(orders), -1)[0][:, places] != asked.route
    return np.stack([*drops.mean(axis=2), flips.mean(axis=1)], axis=1)


def _tau(values: Floats, reference: Floats) -> float:
    """Return Kendall's tau-b in [-1, 1]; nan where either has no order at all."""
    if len(values) < 2 or np.ptp(values) == 0 or np.ptp(reference) == 0:
        return float("nan")
    return float(kendalltau(values, reference).statistic)


def _over_emails(raws: Sequence[_Raw], removal: Removal, seed: int) -> list[Check]:
    """Return the checks of many e-mails, one for each method and one for random."""
    if not raws:
        return []
    draws = np.random.default_rng(seed).integers(len(raws), size=(_DRAWS, len(raws)))
    chance = np.stack([raw.random.mean(axis=0) for raw in raws])  # (K, 3)
    checks = []
    for method in dict.fromkeys(m for raw in raws for m in raw.methods):
        have = np.array([method in raw.methods for raw in raws])
        none = np.full(4, np.nan)
        found = np.stack([raw.methods.get(method, none) for raw in raws])  # (K, 4)
        gain = np.where(have[:, None], found[:, :2] - chance[:, :2], np.nan)  # (K, 2)
        figures = [_bootstrap(column, draws) for column in found.T]
        lead, spare = _bootstrap(gain[:, 0], draws), _bootstrap(-gain[:, 1], draws)
        checks.append(_check(method, removal, figures, lead, spare))
    figures = [_bootstrap(column, draws) for column in chance.T]
    return [*checks, _check("random", removal, figures, None, None)]


def _bootstrap(values: Floats, draws: Places) -> Figure:
    """Return the mean of ``values`` (K,), nan left out, with its 95 % bootstrap interval."""
    if np.isnan(values).all():
        return _point(float("nan"))
    real = ~np.isnan(values)
    sums = np.where(real, values, 0)[draws].sum(axis=1)
    means = sums / np.maximum(1, real[draws].sum(axis=1))
    low, high = np.percentile(means, [2.5, 97.5])
    return Figure(float(values[real].mean()), float(low), float(high))


def _check(
    method: Method,
    removal: Removal,
    figures: Sequence[Figure],
    lead: Figure | None,
    spare: Figure | None,
) -> Check:
    tau = figures[3] if len(figures) > 3 and not np.isnan(figures[3].value) else None
    return Check(
        method=method,
        removal=removal,
        comprehensiveness=figures[0],
        sufficiency=figures[1],
        flips=figures[2],
        tau=tau,
        lead_comprehensiveness=_plain(lead),
        lead_sufficiency=_plain(spare),
    )


def _point(value: float) -> Figure:
    return Figure(float(value), float(value), float(value))


def _plain(figure: Figure | None) -> Figure | None:
    return figure and Figure(float(figure.value), float(figure.low), float(figure.high))


def _read_check(value: dict[str, Any]) -> Check:
    fields: dict[str, Any] = {
        name: Figure(**item) if isinstance(item, dict) else item for name, item in value.items()
    }
    return Check(**fields)
