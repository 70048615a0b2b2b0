"""How much mail does a desk need? The same configs fitted on few and on more e-mails."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from routing.corpus.splits import Splits
from routing.errors import CorpusError
from routing.records import LabelledEmail
from routing.settings import Settings
from routing.training.contestants import FITS, Entrant, enter_run
from routing.training.folder import describe_split, is_finished
from routing.training.run import fit_router
from routing.training.trials import Contestant
from routing.training.vectors import CARTWISE, vectors_digest

SIZES = (8, 32, 128, 512)
"""E-mails per route at which a curve is measured."""

LEAST_STEPS = 300
"""Optimizer steps that even the fewest e-mails are trained for."""


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
) -> Iterator[tuple[int, Contestant]]:
    """Yield e-mails of each route, few first, and the router that each config makes of them.

    Validation gets no more e-mails than training, so a small desk's means are not exceeded.
    Sizes beyond what the routes have are left out. Routers that ``folder`` holds are not fitted
    again. On the Cartwise corpus words do not start from its vectors: an encoder that has learned
    from all of it made them.

    Raises CorpusError when no size is left.
    """
    most = max(Counter(item.route for item in splits.train).values())
    if most < min(sizes):
        raise CorpusError(
            f"no route has {min(sizes)} e-mails to learn from, the commonest has {most}: "
            "give smaller sizes"
        )
    for per_route in sorted({size for size in sizes if size <= most}):
        for seed in range(seeds):
            drawn = Splits(
                train=draw_few(splits.train, per_route=per_route, seed=seed),
                validation=draw_few(splits.validation, per_route=per_route, seed=seed),
                test=[],
            )
            for name, settings in configs.items():
                plan = train_long_enough(_unaided(settings), emails=len(drawn.train), seed=seed)
                run = folder / f"{Path(name).stem}-{per_route}-seed{seed}-{_digest(plan, drawn)}"
                if not is_finished(run):
                    say(f"fitting {name}, {per_route} e-mails of each route, seed {seed}")
                    _fit(plan, drawn, run)
                yield per_route, enter_run(Entrant(name, seed, run))


def _unaided(settings: Settings) -> Settings:
    if settings.data.train is not None or settings.text.vectors != CARTWISE:
        return settings
    text = settings.text.model_copy(update={"vectors": None})
    return settings.model_copy(update={"text": text})


def _fit(settings: Settings, drawn: Splits, run: Path) -> None:
    fit_router(settings, train=drawn.train, validation=drawn.validation, folder=run, progress=False)


def _digest(settings: Settings, drawn: Splits) -> str:
    """Return a digest of the settings and the e-mails: another one, another fit."""
    emails = [describe_split(split) for split in (drawn.train, drawn.validation)]
    text = settings.model_dump_json() + (vectors_digest(settings) or "")
    text = f"{FITS}{text}{json.dumps(emails)}"
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def train_long_enough(settings: Settings, *, emails: int, seed: int) -> Settings:
    """Return the settings with the seed, and so many epochs that few e-mails are learned too."""
    train = settings.train
    steps = -(-emails // train.batch_emails)
    epochs = max(train.epochs, -(-LEAST_STEPS // steps))
    longer = train.model_copy(update={"epochs": epochs, "patience": epochs, "seed": seed})
    return settings.model_copy(update={"train": longer})


def _rank(name: str, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed}:{name}".encode(), digest_size=8).digest()
