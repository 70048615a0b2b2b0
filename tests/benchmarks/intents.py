"""Published intent sets through the product's own fit: accuracy, calibration, out-of-scope recall.

    python tests/benchmarks/intents.py banking77 lstm gru rnn transformer bayes --seeds 0 1 2
    python tests/benchmarks/intents.py clinc150 lstm --seeds 0

needs ``ROUTING_PUBLIC_DATA``, a folder with ``data/banking77`` and ``data/clinc150``. Validation
e-mails are cut from (or beside) training; the test e-mails are read once, at the end.
"""

import argparse
import csv
import json
import os
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from routing.evaluation.metrics import accuracy, calibration_error
from routing.flags import load_settings
from routing.handover import energy, softmax
from routing.records import Email
from routing.router import Router
from routing.training.run import fit_run

CONFIGS = Path(__file__).parents[2] / "configs"
TRANSFORMER = {
    "kind": "transformer",
    "embedding": 128,
    "layers": 2,
    "heads": 4,
    "feedforward": 256,
    "dropout": 0.3,
    "pooling": "attention+max",
    "piece_buckets": 10_000,
}
MODELS: dict[str, dict[str, Any]] = {
    "lstm": {},
    "gru": {"model": {"cell": "gru"}},
    "rnn": {"model": {"cell": "rnn"}, "train": {"learning_rate": 1e-3}},
    "transformer": {
        "model": TRANSFORMER,
        "train": {"learning_rate": 2e-3, "word_dropout": 0.1},
    },
    "bayes": {"model": {"kind": "bayes", "ngrams": 2, "smoothing": 0.02}},
}


@dataclass(frozen=True, slots=True)
class Result:
    """What one training reached on the test e-mails; shares in [0, 1]."""

    accuracy: float
    error_before: float
    error_after: float
    seconds: float
    coverage: float | None = None
    found: float | None = None
    found_at_95: float | None = None


def banking77(data: Path) -> dict[str, str]:
    """Return the data settings of Banking77."""
    folder = data / "data" / "banking77"
    return {"train": str(folder / "train.csv"), "test": str(folder / "test.csv")}


def clinc150(data: Path, folder: Path) -> tuple[dict[str, str], list[Email]]:
    """Return the data settings of CLINC150, written to ``folder``, and the out-of-scope test."""
    splits = json.loads((data / "data" / "clinc150" / "data_full.json").read_text("utf-8"))
    files = {}
    for name, split in {"train": "train", "validation": "val", "test": "test"}.items():
        files[name] = str(folder / f"{name}.csv")
        with Path(files[name]).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("text", "route"), *splits[split]])
    lost = [Email(id=str(i), text=text) for i, (text, _) in enumerate(splits["oos_test"])]
    return files, lost


def fit_and_measure(
    config: str, model: str, *, data: dict[str, str], seed: int, lost: list[Email], folder: Path
) -> Result:
    """Return what one training of a model reaches; ``lost``: e-mails that belong to no route."""
    changes = MODELS[model]
    flags = {
        "data": data,
        "train": {"seed": seed, **changes.get("train", {})},
        "model": changes.get("model", {}),
    }
    settings = load_settings(CONFIGS / f"{config}.yaml", flags)
    fitted = fit_run(settings, folder=folder, progress=False)
    router = fitted.router
    logits = router.logits([item.email for item in fitted.splits.test])
    right = [router.routes.index(item.route) for item in fitted.splits.test]
    seconds = fitted.metrics.training_seconds
    return Result(
        accuracy=accuracy(right, [int(i) for i in logits.argmax(axis=1)]),
        error_before=calibration_error(softmax(logits), right),
        error_after=calibration_error(softmax(logits / router.calibration.temperature), right),
        seconds=seconds,
        **(out_of_scope(router, logits, lost) if lost else {}),
    )


def out_of_scope(router: Router, logits: np.ndarray, lost: list[Email]) -> dict[str, float]:
    """Return in-scope coverage and out-of-scope recall at the limit chosen on validation e-mails,
    and the recall at the limit that keeps 95 % of the in-scope test e-mails."""
    inside, outside = energy(logits), energy(router.logits(lost))
    limit = router.calibration.min_energy
    assert limit is not None
    return {
        "coverage": float((inside >= limit).mean()),
        "found": float((outside < limit).mean()),
        "found_at_95": float((outside < np.quantile(inside, 0.05)).mean()),
    }


def show(name: str, results: list[Result]) -> None:
    """Print the mean over seeds, with the single accuracies."""

    def mean(field: str) -> float:
        return 100 * statistics.fmean(getattr(result, field) for result in results)

    each = " ".join(f"{100 * result.accuracy:.2f}" for result in results)
    line = f"{name:<12}{mean('accuracy'):>7.2f}  ({each})  ECE {mean('error_before'):.1f} -> "
    line += f"{mean('error_after'):.1f}  {mean('seconds') / 100:.0f} s"
    if results[0].found is not None:
        line += f"  in scope {mean('coverage'):.1f}, out of scope found {mean('found'):.1f}"
        line += f"; at 95 in scope {mean('found_at_95'):.1f}"
    print(line, flush=True)


def show_table(results: dict[str, list[Result]]) -> None:
    """Print README's table: models across, accuracy and calibration error down, in per cent."""

    def mean(field: str) -> list[str]:
        shares = [[getattr(one, field) for one in found] for found in results.values()]
        if any(share is None for found in shares for share in found):
            return []
        return [f"{100 * statistics.fmean(found):.1f}" for found in shares]

    heads = [f"{model} ({len(found)})" for model, found in results.items()]
    print(f"\n| model (seeds) | {' | '.join(heads)} |")
    print("|---" * (len(heads) + 1) + "|")
    for name, field in (
        ("accuracy", "accuracy"),
        ("calibration error", "error_after"),
        ("out of scope found, 95 % of the others kept", "found_at_95"),
    ):
        if mean(field):
            print(f"| {name} | {' | '.join(mean(field))} |")


def main() -> None:
    """Fit, print one line for each model as it comes, and README's table at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", choices=["banking77", "clinc150"])
    parser.add_argument("models", nargs="+", choices=list(MODELS))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    options = parser.parse_args()
    data = Path(os.environ["ROUTING_PUBLIC_DATA"])
    with tempfile.TemporaryDirectory() as made:
        files, lost = banking77(data), []
        if options.set == "clinc150":
            files, lost = clinc150(data, Path(made))
        found: dict[str, list[Result]] = {}
        for model in options.models:
            results: list[Result] = []
            for seed in options.seeds[:1] if model == "bayes" else options.seeds:
                folder = Path(made) / f"{model}-{seed}"
                results.append(
                    fit_and_measure(
                        options.set, model, data=files, seed=seed, lost=lost, folder=folder
                    )
                )
                show(f"{model} {seed}", results[-1:])
            show(model, results)
            found[model] = results
        show_table(found)


if __name__ == "__main__":
    main()
