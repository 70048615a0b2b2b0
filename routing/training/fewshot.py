"""How much mail does a desk need? The same configs fitted on few and on more e-mails."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from routing.corpus.splits import Splits
from routing.evaluation.metrics import accuracy, macro_f1
from routing.records import LabelledEmail
from routing.router import Router
from routing.settings import Settings
from routing.training.run import fit_router

SIZES = (8, 32, 128, 512)
"""E-mails per route at which a curve is measured."""

LEAST_STEPS = 300
"""Optimizer steps that even the fewest e-mails are trained for."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """What one config reached with a number of e-mails.

    Attributes:
        name: of the config.
        per_route: e-mails of each route that it learned from.
        seed: of the draw and of the training.
        accuracy: share of right routes on the test e-mails.
        macro_f1: mean F1 over routes on the test e-mails.
    """

    name: str
    per_route: int
    seed: int
    accuracy: float
    macro_f1: float


def draw_few(emails: Sequence[LabelledEmail], *, per_route: int, seed: int) -> list[LabelledEmail]:
    """Return at most ``per_route`` e-mails of each route; pairs and threads stay whole.

    A larger draw of the same seed holds the smaller one, but for groups that would be too large.
    """
    groups: dict[str, list[LabelledEmail]] = {}
    for place, item in enumerate(emails):
        groups.setdefault(item.pair or item.group or f"\0{place}", []).append(item)
    taken: Counter[str] = Counter()
    drawn: list[LabelledEmail] = []
    for name in sorted(groups, key=lambda name: _rank(name, seed)):
        routes = Counter(item.route for item in groups[name])
        if all(taken[route] + count <= per_route for route, count in routes.items()):
            taken += routes
            drawn += groups[name]
    return drawn


def fit_curve(
    configs: Mapping[str, Settings],
    splits: Splits,
    *,
    folder: Path,
    sizes: Sequence[int] = SIZES,
    seeds: int = 3,
    say: Callable[[str], None] = lambda _: None,
) -> Iterator[CurvePoint]:
    """Yield each config's score on ``splits.test`` after learning from few e-mails, and more.

    Validation gets no more e-mails than training, so a small desk's means are not exceeded.
    Sizes beyond what the routes have are left out.
    """
    routes = Counter(item.route for item in splits.train)
    for per_route in (size for size in sizes if size <= max(routes.values())):
        for seed in range(seeds):
            train = draw_few(splits.train, per_route=per_route, seed=seed)
            validation = draw_few(splits.validation, per_route=per_route, seed=seed)
            for name, settings in configs.items():
                say(f"{name}: {per_route} e-mails per route, seed {seed}")
                router = fit_router(
                    train_long_enough(settings, emails=len(train), seed=seed),
                    train=train,
                    validation=validation,
                    folder=folder / f"{name}-{per_route}-{seed}",
                    progress=False,
                )
                yield CurvePoint(name, per_route, seed, *_score(router, splits.test))


def train_long_enough(settings: Settings, *, emails: int, seed: int) -> Settings:
    """Return the settings with the seed, and so many epochs that few e-mails are learned too."""
    train = settings.train
    steps = -(-emails // train.batch_emails)
    epochs = max(train.epochs, -(-LEAST_STEPS // steps))
    longer = train.model_copy(update={"epochs": epochs, "patience": epochs, "seed": seed})
    return settings.model_copy(update={"train": longer})


def _score(router: Router, emails: Sequence[LabelledEmail]) -> tuple[float, float]:
    probabilities = router.probabilities([item.email for item in emails])
    right = [router.routes.index(item.route) for item in emails]
    predicted = [int(place) for place in probabilities.argmax(axis=1)]
    return accuracy(right, predicted), macro_f1(right, predicted, routes=len(router.routes))


def _rank(name: str, seed: int) -> bytes:
    return blake2b(f"{seed}:{name}".encode(), digest_size=8).digest()
