"""What a run folder says about itself: provenance.json, metrics.json, MODEL_CARD.md."""

import hashlib
import json
import platform
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import yaml

from routing.errors import RunError, SettingsError, writing_to
from routing.records import LabelledEmail
from routing.settings import Settings
from routing.training.note_encoder import encoder_digest
from routing.training.vectors import CARTWISE, vectors_digest

PACKAGES = ("torch", "lightning", "numpy", "scikit-learn", "torchtext", "safetensors")
_OURS = (
    "settings.yaml",
    "routes.json",
    "vocabulary.json",
    "note_words.json",
    "tokenizer.json",
    "reader.json",
    "config.json",
    "terms.json",
    "model.safetensors",
    "calibration.json",
    "metrics.json",
    "faithfulness.json",
    "history.csv",
    "provenance.json",
    "MODEL_CARD.md",
)


@dataclass(frozen=True, slots=True)
class Metrics:
    """What a finished run measured; shares lie in [0, 1].

    Attributes:
        validation_accuracy: share of right routes.
        validation_macro_f1: mean F1 over routes.
        validation_calibration_error: ECE after calibration.
        test_accuracy: share of right routes on the test split, None without one.
        test_macro_f1: mean F1 on the test split, None without one.
        test_calibration_error: ECE on the test split, None without one.
        training_emails: e-mails learned from.
        training_seconds: from the first e-mail to the saved router, breaks left out.
    """

    validation_accuracy: float
    validation_macro_f1: float
    validation_calibration_error: float
    test_accuracy: float | None
    test_macro_f1: float | None
    test_calibration_error: float | None
    training_emails: int
    training_seconds: float

    def line(self) -> str:
        """Return the main ones in one line."""
        return (
            f"{self.training_emails} e-mails, {self.training_seconds:.0f} s, validation accuracy "
            f"{self.validation_accuracy:.1%}, macro-F1 {self.validation_macro_f1:.1%}"
        )


def check_folder(folder: Path, settings: Settings) -> None:
    """Raise SettingsError where ``folder`` is no place for a run; make nothing yet.

    A file stands there, or a run that the new one learns from.
    """
    for name in ("encoder", "teacher"):
        run: Path | None = getattr(settings.train, name)
        if run is not None and run.resolve() == folder.resolve():
            raise SettingsError(f"train.{name} {run} would be overwritten: give another --out")
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            raise SettingsError(f"{folder} cannot be a run folder: {place} is a file; name another")


def start_folder(
    folder: Path,
    settings: Settings,
    *,
    splits: Mapping[str, Sequence[LabelledEmail]],
    command: Sequence[str],
) -> None:
    """Empty ``folder`` of an older run; write settings.yaml and provenance.json.

    Raises SettingsError when it cannot be written.
    """
    text = yaml.safe_dump(settings.model_dump(mode="json"), sort_keys=False)
    with writing_to(folder):
        shutil.rmtree(folder / "checkpoints", ignore_errors=True)
        for name in _OURS:
            (folder / name).unlink(missing_ok=True)
        (folder / "checkpoints").mkdir(parents=True)
        (folder / "settings.yaml").write_text(text, encoding="utf-8")
    provenance = {
        "command": list(command),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": settings.train.seed,
        "versions": _versions(),
        "machine": f"{platform.system()} {platform.machine()}",
        "git_commit": git_commit(),
        "data": {name: describe_split(emails) for name, emails in splits.items()},
        "vectors": vectors_digest(settings),
        "encoder": encoder_digest(settings),
    }
    _write_json(folder / "provenance.json", provenance)


def check_same_data(
    folder: Path, settings: Settings, splits: Mapping[str, Sequence[LabelledEmail]]
) -> None:
    """Raise RunError when e-mails, word vectors or encoder are not those the run began with."""
    try:
        provenance = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
        known = provenance["data"]
    except (OSError, ValueError, KeyError) as error:
        raise RunError(
            f"{folder} cannot be resumed: no provenance.json ({error}); fit it again"
        ) from None
    for name, emails in splits.items():
        if known.get(name) != describe_split(emails):
            raise RunError(
                f"{folder} cannot be resumed: its {name} e-mails have changed since it was "
                f"started; restore them or fit it again"
            )
    if provenance.get("vectors") != vectors_digest(settings):
        raise RunError(
            f"{folder} cannot be resumed: the word vectors {settings.text.vectors} have changed "
            "since it was started; restore them or fit it again"
        )
    if provenance.get("encoder") != encoder_digest(settings):
        raise RunError(
            f"{folder} cannot be resumed: the router {settings.train.encoder} has changed since it "
            "was started; restore it or fit it again"
        )


def describe_split(emails: Sequence[LabelledEmail]) -> dict[str, Any]:
    """Return the number of e-mails of a split and the SHA-256 of what is learned from them."""
    digest = hashlib.sha256()
    for item in emails:
        fields = (item.email.subject, item.email.text, item.route, item.pair)
        digest.update("\x1f".join((*fields, "\x1e")).encode("utf-8", "surrogatepass"))
    return {"emails": len(emails), "sha256": digest.hexdigest()}


def git_commit() -> str | None:
    """Return the commit of the checkout that runs, ``+`` added when it is changed; None outside."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return None
    try:
        commit, changes = (
            subprocess.run(
                ["git", "-C", str(root), *arguments],
                capture_output=True,
                text=True,
                check=True,
                timeout=10,
            ).stdout.strip()
            for arguments in (("rev-parse", "HEAD"), ("status", "--porcelain", "-uno"))
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return commit + ("+" if changes else "")


def finish_folder(
    folder: Path,
    settings: Settings,
    *,
    routes: Sequence[str],
    metrics: Metrics,
) -> None:
    """Write MODEL_CARD.md and, as the last file of a finished run, metrics.json."""
    card = write_card(settings, routes=routes, metrics=metrics)
    (folder / "MODEL_CARD.md").write_text(card, encoding="utf-8")
    _write_json(folder / "metrics.json", asdict(metrics))


def is_finished(folder: Path) -> bool:
    """Return True when the run in ``folder`` came to its end."""
    return (folder / "metrics.json").is_file()


def write_card(settings: Settings, *, routes: Sequence[str], metrics: Metrics) -> str:
    """Return the model card (Mitchell et al. 2019) in Markdown."""
    data = settings.data.train or f"Cartwise, {settings.corpus.pairs} pairs of the grammar"
    model = settings.model.model_dump()
    lines = [
        f"# Router: {model.pop('kind')}",
        "",
        f"Sends a customer's e-mail to one of {len(routes)} routes: {', '.join(routes)}.",
        "",
        f"- Trained on: {data}; {metrics.training_emails} e-mails, seed {settings.train.seed}.",
        f"- Model: {', '.join(f'{name} {value}' for name, value in model.items())}.",
        *_card_vectors(settings),
        *_card_results("Validation", "validation", metrics),
        *_card_results("Test", "test", metrics),
        f"- Training took {metrics.training_seconds:.0f} seconds.",
        "",
        "Meant for routing e-mails of the kind it was trained on, with a person deciding where",
        "the decision is `review`. Not meant for decisions about people. E-mails in another",
        "language or about other matters than the training e-mails' get no meaningful route.",
        "Attention shows where it looked, not why it decided.",
    ]
    return "\n".join(lines) + "\n"


def _card_vectors(settings: Settings) -> list[str]:
    vectors = settings.text.vectors
    if vectors is None:
        return []
    made = " (from all-MiniLM-L6-v2, Apache-2.0, fine-tuned on Cartwise)"
    return [f"- Words started from: {vectors}{made if vectors == CARTWISE else ''}."]


def _card_results(title: str, split: str, metrics: Metrics) -> list[str]:
    names = ("accuracy", "macro_f1", "calibration_error")
    accuracy, f1, error = (getattr(metrics, f"{split}_{name}") for name in names)
    if accuracy is None:
        return []
    return [
        f"- {title}: accuracy {accuracy:.1%}, macro-F1 {f1:.1%}, calibration error {error:.3f}."
    ]


def _versions() -> dict[str, str]:
    found = {"python": platform.python_version()}
    for package in ("routing", *PACKAGES):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def _write_json(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
