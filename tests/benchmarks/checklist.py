"""Order on public data: learn one CheckList test, take the other (Ribeiro et al. 2020).

Both are template-made minimal groups of sentiment: inside a group every text has the same bag of
words and both sentiments occur. Groups never part over splits. Needs ROUTING_PUBLIC_DATA.

    ROUTING_PUBLIC_DATA=… python tests/benchmarks/checklist.py [--seeds N] [--report FOLDER]
"""

import argparse
import csv
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from rich.console import Console

from routing.corpus.sources import Splits
from routing.corpus.splits import split_groups
from routing.evaluation.columns import find_clusters
from routing.evaluation.comparison import compare
from routing.evaluation.controls import CONTROLS
from routing.evaluation.predictions import Evidence, Trial
from routing.evaluation.report import comparison_table, sheet_markdown, write_report
from routing.evaluation.tables import Sheet, percent
from routing.flags import load_settings
from routing.mail import email_from_text
from routing.records import LabelledEmail
from routing.settings import Settings
from routing.training.contestants import describe, fit_control
from routing.training.run import fit_router
from routing.training.trials import Contestant, Suite, enter_router, measure_speed, run_trial

CONFIGS = Path(__file__).parents[2] / "configs"
TESTS = ("used to, but now", "my opinion is what matters")
EPOCHS = {TESTS[0]: 20, TESTS[1]: 6}
MODELS = {
    "naive_bayes": ("naive_bayes", {}),
    "naive_bayes_bigrams": ("naive_bayes", {"model": {"ngrams": 2}}),
    "lstm": ("lstm", {"model": {"dropout": 0.1}, "text": {"vectors": None}}),
    "transformer": ("transformer", {"model": {"dropout": 0.1}, "text": {"vectors": None}}),
}
"""The starters; with dropout, for these few texts are read many times, and from fresh vectors."""


def read_test(name: str) -> list[LabelledEmail]:
    """Return the texts of a CheckList test; in pairs of one positive and one negative text."""
    file = Path(os.environ["ROUTING_PUBLIC_DATA"]) / "data/checklist/sentiment_minimal_pairs.tsv"
    with file.open(encoding="utf-8", newline="") as stream:
        rows = [row for row in csv.DictReader(stream, delimiter="\t") if row["test"] == name]
    seen: Counter[tuple[str, str]] = Counter()
    emails = []
    for place, row in enumerate(rows):
        key = (row["group"], row["label"])
        seen[key] += 1
        emails.append(
            LabelledEmail(
                email_from_text(row["text"], id=f"{row['group']}/{place}"),
                route=row["label"],
                group=row["group"],
                pair=f"{row['group']}/{seen[key]}",
            )
        )
    return emails


def contestants(learned: str, seeds: int, folder: Path) -> Iterator[Contestant]:
    """Yield every model with every seed, and the controls, trained on one test."""
    train, validation = split_groups(read_test(learned), share=0.1)
    settings = Settings()
    for name, (config, flags) in MODELS.items():
        for seed in range(1 if name.startswith("naive") else seeds):
            training = {"seed": seed, "epochs": EPOCHS[learned], "word_dropout": 0.05}
            settings = load_settings(CONFIGS / f"{config}.yaml", {**flags, "train": training})
            run = folder / f"{learned[:4]}-{name}-{seed}"
            router = fit_router(
                settings, train=train, validation=validation, folder=run, progress=False
            )
            yield enter_router(router, describe(router, name, seed=seed, folder=run))
    for kind in CONTROLS:
        yield fit_control(kind, Splits(train=train, validation=validation, test=[]), settings)


def by_group(trial: Trial) -> Trial:
    """Return the trial with whole groups, of two or four texts, in the place of pairs."""
    return replace(
        trial, predictions=tuple(replace(p, pair=p.id.split("/")[0]) for p in trial.predictions)
    )


def describe_trial(learned: str, trial: Trial) -> str:
    """Return one line: what was learned, by whom, groups and texts that are right."""
    groups = find_clusters(trial.predictions)
    whole = sum(all(item.right for item in group) for group in groups) / len(groups)
    texts = sum(item.right for item in trial.predictions) / len(trial.predictions)
    name = f"learned {learned!r}: {trial.router}, seed {trial.seed}"
    return f"{name}: groups {whole:.1%}, texts {texts:.1%}"


def main() -> None:
    """Train, test across, and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--report", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    trials, facts = [], []
    for learned, taken in (TESTS, TESTS[::-1]):
        suite = Suite(f"learn “{learned}”, take “{taken}”", read_test(taken))
        with tempfile.TemporaryDirectory() as folder:
            for contestant in contestants(learned, options.seeds, Path(folder)):
                trials.append(by_group(run_trial(contestant, suite)))
                facts.append(measure_speed(contestant, suite))
                print(describe_trial(learned, trials[-1]), flush=True)
    known = {(fact.router, fact.seed): fact for fact in facts}
    evidence = Evidence(tuple(trials), tuple(known.values()))
    comparison = compare(evidence)
    rows = [
        (
            result.router,
            suite.name,
            percent(result.measures["pair_consistency"]),
            percent(result.measures["accuracy"]),
        )
        for suite in comparison.suites
        for result in suite.results
    ]
    columns = ("router", "task", "group consistency", "accuracy")
    print(sheet_markdown(Sheet("CheckList, %", columns, tuple(rows))))
    Console().print(comparison_table(comparison))
    if options.report:
        write_report(options.report, evidence)


if __name__ == "__main__":
    main()
