"""Who takes part in a comparison: run folders, configs fitted on the spot, and controls.

Shape letters: B e-mails, R routes.
"""

import csv
import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from routing.corpus.sources import Splits, load_splits
from routing.errors import RoutingError, SettingsError
from routing.evaluation.controls import CONTROLS, Control, Kind
from routing.evaluation.predictions import Epoch, Facts
from routing.flags import load_settings
from routing.models.bayes import BayesModel
from routing.records import Email, LabelledEmail
from routing.router import Router, softmax
from routing.settings import Settings
from routing.text.tokens import token_texts
from routing.training.calibration import fit_temperature
from routing.training.folder import describe_split, is_finished
from routing.training.run import fit_run
from routing.training.trials import Contestant, enter_router, kind_of
from routing.training.vectors import vectors_digest

Floats = npt.NDArray[np.float64]

FITS = 2
"""Raised where the same settings come to be fitted otherwise: kept fits are too old then."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A run folder that takes part.

    Attributes:
        name: of the router, the same for all its seeds.
        seed: which of its trainings, from 0.
        folder: the run.
    """

    name: str
    seed: int
    folder: Path


@dataclass(frozen=True, slots=True)
class Entry:
    """All that takes part.

    Attributes:
        contestants: routers and controls.
        trained_on: subjects and texts of the e-mails that the controls learned from.
        notes: what a reader must know of how they were chosen, in words.
    """

    contestants: tuple[Contestant, ...]
    trained_on: frozenset[tuple[str, str]]
    notes: tuple[str, ...]


def enter(
    sources: Sequence[Path], *, seeds: int, folder: Path, say: Callable[[str], None]
) -> Entry:
    """Return run folders, configs (fitted into ``folder``) and the controls as contestants.

    Raises SettingsError for a source that is neither run nor config, RunError for a broken run.
    """
    entrants: list[Entrant] = []
    for source, name in find_entrants(sources):
        if is_config(source):
            entrants += fit_config(source, name, seeds=seeds, folder=folder, say=say)
        else:
            entrants.append(Entrant(name, 0, source))
    runs = list(map(enter_run, entrants))
    say("training the controls")
    controls = enter_controls(entrants)
    return replace(controls, contestants=(*runs, *controls.contestants))


def find_entrants(sources: Sequence[Path]) -> list[tuple[Path, str]]:
    """Return run folders and configs with a name for each; names that clash get their folder's.

    Raises SettingsError for what is neither.
    """
    for source in sources:
        if not (source / "settings.yaml").is_file() and not is_config(source):
            raise SettingsError(
                f"{source} is neither a run folder nor a YAML config: "
                "give e.g. runs/lstm or configs/lstm.yaml"
            )
    short = [
        source.stem if source.suffix in (".yaml", ".yml") else source.name for source in sources
    ]
    return [
        (source, name if short.count(name) == 1 else str(source))
        for source, name in zip(sources, short, strict=True)
    ]


def sort_out(sources: Sequence[Path], *, wanted: frozenset[str]) -> tuple[list[Path], list[str]]:
    """Return the sources that can take part, and a note on each of the others.

    Those are what writes case notes, and runs that know none of the routes ``wanted``. Where none
    could, all are returned: what is wrong is said where they are loaded.
    """
    notes: dict[Path, str] = {}
    for source in sources:
        if settings_of(source).model.kind == "note":
            notes[source] = f"{source} is left out: it writes case notes."
        elif wanted and not is_config(source) and wanted.isdisjoint(_routes(source, wanted)):
            notes[source] = f"{source} is left out: it knows none of {', '.join(sorted(wanted))}."
    kept = [source for source in sources if source not in notes]
    return (kept, list(notes.values())) if kept else (list(sources), [])


def settings_of(source: Path) -> Settings:
    """Return the settings of a run folder or a config."""
    return load_settings(source if is_config(source) else source / "settings.yaml")


def is_config(source: Path) -> bool:
    """Return whether a path names a YAML config rather than a run folder."""
    return source.suffix in (".yaml", ".yml")


def fit_config(
    config: Path, name: str, *, seeds: int, folder: Path, say: Callable[[str], None]
) -> list[Entrant]:
    """Return the runs of a config with so many seeds, fitted where ``folder`` lacks them.

    A run is called after its config, seed and settings, so that a changed config is fitted anew.
    """
    settings = load_settings(config)
    found = []
    for seed in range(seeds):
        plan = load_settings(config, {"train": {"seed": settings.train.seed + seed}})
        run = folder / f"{config.stem}-seed{plan.train.seed}-{_digest(plan)}"
        if not is_finished(run):
            say(f"fitting {name}, seed {plan.train.seed}, into {run}")
            fit_run(plan, folder=run, progress=False)
        found.append(Entrant(name, seed, run))
    return found


def enter_run(entrant: Entrant) -> Contestant:
    """Return a run as a contestant."""
    router = Router.load(entrant.folder)
    return enter_router(
        router, describe(router, entrant.name, seed=entrant.seed, folder=entrant.folder)
    )


def describe(router: Router, name: str, *, seed: int = 0, folder: Path | None = None) -> Facts:
    """Return the facts on a router, with what its run folder says of its training."""
    if isinstance(router.model, BayesModel):
        sizes = [(array.size, array.nbytes) for array in router.model.arrays().values()]
    else:
        sizes = [(p.numel(), p.numel() * p.element_size()) for p in router.model.parameters()]
    metrics = _read_json(folder / "metrics.json") if folder else {}
    return Facts(
        router=name,
        seed=seed,
        kind=kind_of(router),
        size_bytes=sum(size for _, size in sizes),
        parameters=sum(count for count, _ in sizes),
        training_seconds=metrics.get("training_seconds"),
        training_emails=metrics.get("training_emails"),
        history=read_history(folder / "history.csv") if folder else (),
    )


def read_history(file: Path) -> tuple[Epoch, ...]:
    """Return the epochs of a history.csv; none where it is missing."""
    if not file.is_file():
        return ()
    with file.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return tuple(
        Epoch(
            epoch=int(row["epoch"]),
            train_loss=_number(row.get("train_loss")),
            val_loss=_number(row.get("val_loss")),
            macro_f1=_number(row.get("val_macro_f1")),
        )
        for row in rows
    )


def enter_controls(entrants: Sequence[Entrant]) -> Entry:
    """Return the controls, trained on the e-mails that the first run learned from.

    The e-mails are those that the run's settings name today. Where they are gone there are no
    controls, and a note says so; where they have changed, or other runs learned from others,
    a note says that.
    """
    settings = [settings_of(entrant.folder) for entrant in entrants]
    first = entrants[0].name
    try:
        splits = load_splits(settings[0])
    except (RoutingError, OSError) as error:
        gone = f"There are no controls: the training e-mails of {first} are gone ({error})."
        return Entry((), frozenset(), (gone,))
    notes = []
    known = _read_json(entrants[0].folder / "provenance.json").get("data", {}).get("train")
    if known and known != describe_split(splits.train):
        notes.append(
            f"The training e-mails of {first} have changed since it was fitted; "
            "the controls learned from those of today."
        )
    others = {
        e.name for e, s in zip(entrants, settings, strict=True) if _data(s) != _data(settings[0])
    }
    if others:
        notes.append(
            f"The controls learned from the training e-mails of {first}; "
            f"{', '.join(sorted(others))} learned from others."
        )
    controls = tuple(fit_control(kind, splits, settings[0]) for kind in CONTROLS)
    trained_on = frozenset((item.email.subject, item.email.text) for item in splits.train)
    return Entry(controls, trained_on, tuple(notes))


def fit_control(kind: Kind, splits: Splits, settings: Settings) -> Contestant:
    """Return a control trained on the training split, its temperature fitted on validation."""
    routes = sorted({item.route for item in [*splits.train, *splits.validation]})

    def tokens(emails: Sequence[Email]) -> list[list[str]]:
        placeholders = settings.text.placeholders
        return [token_texts(email, placeholders=placeholders) for email in emails]

    def places(emails: Sequence[LabelledEmail]) -> list[int]:
        return [routes.index(item.route) for item in emails]

    start = time.perf_counter()
    control = Control(kind).fit(tokens([item.email for item in splits.train]), places(splits.train))
    seconds = time.perf_counter() - start
    checked = control.logits(tokens([item.email for item in splits.validation]))
    temperature = fit_temperature(checked, places(splits.validation))
    facts = Facts(
        router=kind,
        seed=0,
        kind="control",
        size_bytes=8 * control.parameters,
        parameters=control.parameters,
        training_seconds=seconds,
        training_emails=len(splits.train),
    )
    return Contestant(
        facts, routes, lambda emails: softmax(control.logits(tokens(emails)) / temperature)
    )


def _routes(run: Path, wanted: frozenset[str]) -> frozenset[str]:
    """Return the routes that a run knows, those ``wanted`` where that cannot be read."""
    try:
        return frozenset(json.loads((run / "routes.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return wanted


def _data(settings: Settings) -> str:
    parts = settings.data, settings.corpus, settings.mail
    return "\n".join(part.model_dump_json() for part in parts)


def _digest(settings: Settings) -> str:
    """Return a digest of the settings and the word vectors: another one, another fit."""
    text = f"{FITS}{settings.model_dump_json()}{vectors_digest(settings) or ''}"
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def _read_json(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return found


def _number(cell: str | None) -> float | None:
    return float(cell) if cell else None
