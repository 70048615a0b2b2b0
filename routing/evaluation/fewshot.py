"""What routers reach when they learned from few e-mails of each route, and from more."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from routing.evaluation.metrics import accuracy, macro_f1
from routing.evaluation.predictions import Prediction, Trial, check_same_emails


@dataclass(frozen=True, slots=True)
class Spread:
    """A measure over seeds: mean and standard deviation (n - 1), nan with one seed."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class FewShotPoint:
    """What one config reached with a number of e-mails.

    Attributes:
        per_route: e-mails of each route that it learned from at most.
        seeds: number of draws, each with a training of its own.
        measures: ``accuracy``, ``macro_f1`` and, where there are pairs, ``pair_consistency``.
    """

    per_route: int
    seeds: int
    measures: Mapping[str, Spread]


@dataclass(frozen=True, slots=True)
class FewShotCurve:
    """The points of one config, few e-mails first."""

    router: str
    points: tuple[FewShotPoint, ...]


@dataclass(frozen=True, slots=True)
class FewShot:
    """All configs on one suite.

    Attributes:
        name: name of the suite.
        emails: how many.
        pairs: how many; 0 for a suite of single e-mails.
        curves: one for each config, in the order given.
    """

    name: str
    emails: int
    pairs: int
    curves: tuple[FewShotCurve, ...]

    @property
    def measure(self) -> str:
        """The measure that decides: pair consistency where there are pairs, else accuracy."""
        return "pair_consistency" if self.pairs else "accuracy"

    @property
    def sizes(self) -> tuple[int, ...]:
        """E-mails of each route at which there is a point, few first."""
        points = (point for curve in self.curves for point in curve.points)
        return tuple(sorted({point.per_route for point in points}))


def measure_few_shot(trials: Sequence[Trial]) -> tuple[FewShot, ...]:
    """Return the curves of every suite, from the trials of routers that learned from few e-mails.

    Raises CorpusError when a suite has no e-mails, or routers saw different ones.
    """
    suites: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        suites[trial.suite].append(trial)
    return tuple(_few_shot(name, found) for name, found in suites.items())


def _few_shot(name: str, trials: Sequence[Trial]) -> FewShot:
    check_same_emails(name, trials)
    groups: dict[str, dict[int, list[Trial]]] = defaultdict(lambda: defaultdict(list))
    for trial in trials:
        groups[trial.router][trial.per_route or 0].append(trial)
    emails = trials[0].predictions
    return FewShot(
        name=name,
        emails=len(emails),
        pairs=len({item.pair for item in emails if item.pair}),
        curves=tuple(
            FewShotCurve(router, tuple(_point(size, sizes[size]) for size in sorted(sizes)))
            for router, sizes in groups.items()
        ),
    )


def _point(per_route: int, trials: Sequence[Trial]) -> FewShotPoint:
    found = [_measure(trial.predictions) for trial in trials]
    measures = {name: _spread([each[name] for each in found]) for name in found[0]}
    return FewShotPoint(per_route, len(trials), measures)


def _measure(predictions: Sequence[Prediction]) -> dict[str, float]:
    said = [(item.route, item.predicted) for item in predictions]
    index = {route: place for place, route in enumerate(sorted({r for both in said for r in both}))}
    right, predicted = ([index[both[side]] for both in said] for side in (0, 1))
    measures = {
        "accuracy": accuracy(right, predicted),
        "macro_f1": macro_f1(right, predicted, routes=len(index)),
    }
    pairs: dict[str, bool] = {}
    for item in predictions:
        if item.pair:
            pairs[item.pair] = pairs.get(item.pair, True) and item.right
    if pairs:
        measures["pair_consistency"] = float(np.mean(list(pairs.values())))
    return measures


def _spread(values: Sequence[float]) -> Spread:
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")
    return Spread(float(np.mean(values)), deviation)
