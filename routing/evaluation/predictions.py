"""What routers said of e-mails whose right route is known: all that a comparison is made from.

A folder of predictions holds ``routers.json`` (facts on each router) and ``predictions.jsonl``
(one line for each router, seed, suite and e-mail). Every table and plot is a function of the two.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from routing.errors import CorpusError, RunError

DECIMALS = 6
"""Probabilities are kept to so many decimals, in memory as on disk."""

_KEYS = ("router", "seed", "suite")
_ALWAYS = ("id", "route", "probabilities")
_UNSAID: tuple[object, ...] = ("", None, {})


@dataclass(frozen=True, slots=True)
class Prediction:
    """What one router said of one e-mail.

    Attributes:
        id: id of the e-mail.
        route: its right route, "" when it belongs to none (out of scope).
        probabilities: route -> calibrated probability in [0, 1].
        pair: id of its minimal pair, "" without one.
        phenomenon: phenomenon of its pair, "" without one.
        distance: tokens between the deciding words of its pair, None when not known.
        bag: digest of its words in sorted order: e-mails of one bag look alike to a counter.
        decision: ``auto`` or ``review``, "" for a control, which hands nothing over.
        changed: name of a disorder (``shuffled`` …) -> probabilities of the e-mail so changed;
            without those that leave this e-mail as it is.
    """

    id: str
    route: str
    probabilities: Mapping[str, float]
    pair: str = ""
    phenomenon: str = ""
    distance: int | None = None
    bag: str = ""
    decision: str = ""
    changed: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @property
    def predicted(self) -> str:
        """The most probable route."""
        return best_route(self.probabilities)

    @property
    def right(self) -> bool:
        """Whether the most probable route is the right one."""
        return self.predicted == self.route


@dataclass(frozen=True, slots=True)
class Trial:
    """One trained router on one suite.

    Attributes:
        router: its name; the same for all seeds.
        seed: which of its trainings.
        suite: name of the suite.
        predictions: one for each e-mail, in the order of the suite.
        per_route: e-mails of each route it learned from at most, None when it took all.
    """

    router: str
    seed: int
    suite: str
    predictions: tuple[Prediction, ...]
    per_route: int | None = None


@dataclass(frozen=True, slots=True)
class Epoch:
    """One epoch of a training: its number from 1, losses, and macro-F1 on validation e-mails."""

    epoch: int
    train_loss: float | None = None
    val_loss: float | None = None
    macro_f1: float | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one trained router beside its predictions.

    Attributes:
        router: its name.
        seed: which of its trainings.
        kind: ``neural``, ``counting`` (naive Bayes) or ``control``.
        size_bytes: bytes of its weights.
        parameters: numbers learned.
        training_seconds: time of its training, None when not known.
        training_emails: e-mails it learned from, None when not known.
        emails_per_second: e-mails decided in a second on this machine, None when not measured.
        history: the epochs of its training; empty for counters.
    """

    router: str
    seed: int
    kind: Literal["neural", "counting", "control"]
    size_bytes: int = 0
    parameters: int = 0
    training_seconds: float | None = None
    training_emails: int | None = None
    emails_per_second: float | None = None
    history: tuple[Epoch, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a comparison is made from.

    Attributes:
        trials: every router and seed on every suite.
        routers: facts on every router and seed.
        notes: what a reader must know of how it came about, in words.
    """

    trials: tuple[Trial, ...]
    routers: tuple[Facts, ...]
    notes: tuple[str, ...] = ()


def best_route(probabilities: Mapping[str, float]) -> str:
    """Return the most probable route; the first in the alphabet of those that tie."""
    return min(probabilities, key=lambda route: (-probabilities[route], route), default="")


def check_same_emails(suite: str, trials: Sequence[Trial]) -> None:
    """Raise CorpusError when the trials of a suite hold no e-mails, or different ones."""
    seen = [[(item.id, item.route) for item in trial.predictions] for trial in trials]
    if not seen[0]:
        raise CorpusError(f"suite {suite} holds no e-mails: give a file that does")
    if any(each != seen[0] for each in seen):
        raise CorpusError(f"suite {suite}: the routers saw different e-mails: predict them anew")


def write_evidence(folder: Path, evidence: Evidence) -> None:
    """Write ``predictions.jsonl`` and ``routers.json`` into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    routers = {
        "routers": [asdict(fact) for fact in evidence.routers],
        "notes": list(evidence.notes),
    }
    text = json.dumps(routers, ensure_ascii=False, indent=1)
    (folder / "routers.json").write_text(text + "\n", encoding="utf-8")
    with (folder / "predictions.jsonl").open("w", encoding="utf-8") as stream:
        for trial in evidence.trials:
            head: dict[str, object] = {
                "router": trial.router,
                "seed": trial.seed,
                "suite": trial.suite,
            }
            if trial.per_route is not None:
                head["per_route"] = trial.per_route
            for prediction in trial.predictions:
                row = asdict(prediction)
                said = {key: row[key] for key in row if key in _ALWAYS or row[key] not in _UNSAID}
                stream.write(json.dumps(head | said, ensure_ascii=False) + "\n")


def read_evidence(folder: Path) -> Evidence:
    """Return what ``write_evidence`` wrote.

    Raises RunError for a folder without it, or a line that is no prediction.
    """
    try:
        head = json.loads((folder / "routers.json").read_text(encoding="utf-8"))
        routers = tuple(_facts(row) for row in head["routers"])
        trials: dict[tuple[str, int, str, int | None], list[Prediction]] = {}
        with (folder / "predictions.jsonl").open(encoding="utf-8") as stream:
            for line in stream:
                row = json.loads(line)
                key = *(row.pop(name) for name in _KEYS), row.pop("per_route", None)
                trials.setdefault(key, []).append(Prediction(**row))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise RunError(
            f"{folder} holds no predictions that can be read ({error}); "
            "make them with python -m routing.compare … --report FOLDER"
        ) from error
    found = tuple(
        Trial(router, seed, suite, tuple(items), per_route)
        for (router, seed, suite, per_route), items in trials.items()
    )
    return Evidence(found, routers, tuple(head["notes"]))


def _facts(row: dict[str, Any]) -> Facts:
    history = tuple(Epoch(**epoch) for epoch in row.pop("history"))
    return Facts(**row, history=history)
