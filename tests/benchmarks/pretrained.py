"""The pretrained encoder in numbers: public data, the suites, speed, what it teaches small models.

    python tests/benchmarks/pretrained.py cartwise RUN
    python tests/benchmarks/pretrained.py speed RUN
    python tests/benchmarks/pretrained.py teach RUN [--seeds N] [--pairs N] [--made N]
    python tests/benchmarks/pretrained.py vectors RUN [--seeds N] [--pairs N] [--made N]
    python tests/benchmarks/pretrained.py banking77 [--per-route N] [--seeds N]

``--made`` trains the LSTM on so many made pairs and the written ones told once, in four parts: a
shorter training, for which less is known of words. Banking77 needs ROUTING_PUBLIC_DATA.
"""

import argparse
import csv
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from routing.corpus.cartwise import make_pairs
from routing.corpus.pairs import pair_emails
from routing.corpus.sources import load_splits
from routing.corpus.splits import split_groups
from routing.corpus.suites import make_suite
from routing.flags import load_settings
from routing.mail import email_from_text
from routing.records import LabelledEmail, Pair
from routing.router import Router
from routing.scoring.records import Wishes
from routing.scoring.runtimes import prepare_model
from routing.settings import Settings
from routing.text.tokens import token_texts
from routing.text.vocabulary import build_vocabulary
from routing.training.fewshot import draw_few, train_long_enough
from routing.training.run import fit_router, fit_run
from routing.training.vectors import write_vectors

CONFIGS = Path(__file__).parents[2] / "configs"
SUITES = ("written", "unseen_constructions", "long_distance", "unseen_words", "noisy")
BANKING: Mapping[str, Any] = {
    "model": {"dropout": 0.1, "frozen_embeddings": False},
    "train": {
        "epochs": 8,
        "batch_emails": 64,
        "curriculum_epochs": 0,
        "margin": 0.0,
        "label_smoothing": 0.1,
    },
}


def main() -> None:
    """Measure what the command line names and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["cartwise", "speed", "teach", "vectors", "banking77"])
    parser.add_argument("run", nargs="?", type=Path, help="run folder of a pretrained router")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=300, help="most pairs of a suite")
    parser.add_argument("--made", type=int, help="train the LSTM on so many made pairs")
    parser.add_argument("--per-route", type=int, help="train on so many e-mails of each route")
    options = parser.parse_args()
    measure: Mapping[str, Callable[[argparse.Namespace], Table]] = {
        "cartwise": lambda o: measure_suites(Router.load(o.run), pairs=o.pairs),
        "speed": lambda o: measure_speed(o.run),
        "teach": measure_teaching,
        "vectors": measure_vectors,
        "banking77": measure_banking,
    }
    Console(width=160).print(measure[options.what](options))


def measure_suites(router: Router, *, pairs: int) -> Table:
    """Return pair consistency on the suites, each phenomenon for itself."""
    table = Table("suite", "pairs", "consistency %", "by phenomenon %")
    for name in SUITES:
        suite = make_suite(name, count=None if name == "written" else pairs)
        right = try_pairs(router, suite)
        apart: dict[str, list[bool]] = {}
        for pair, both in zip(suite, right, strict=True):
            apart.setdefault(pair.phenomenon, []).append(both)
        shares = ", ".join(f"{key} {100 * np.mean(apart[key]):.0f}" for key in sorted(apart))
        table.add_row(name, str(len(suite)), f"{100 * np.mean(right):.1f}", shares)
    return table


def try_pairs(router: Router, pairs: Sequence[Pair]) -> list[bool]:
    """Return for each pair whether a router gets both of its members right."""
    emails = pair_emails(pairs)
    best = router.probabilities([item.email for item in emails]).argmax(axis=1)
    right = [router.routes[i] == item.route for i, item in zip(best, emails, strict=True)]
    return [right[i] and right[i + 1] for i in range(0, len(right), 2)]


def measure_speed(run: Path) -> Table:
    """Return e-mails a second of the router and of the transformers pipeline, same encoder."""
    router, rough = Router.load(run), Router.load(run)
    prepare_model(rough, Wishes(run="", precision="bfloat16"))
    emails = [e.email for e in pair_emails(make_pairs(count=50, seed=7))]
    texts = [f"{email.subject} {email.text}" for email in emails]
    pipeline = _pipeline(run)
    table = Table("what", "e-mails/s")
    for name, score in (
        ("router", lambda: router.decide(emails)),
        ("router, bfloat16", lambda: rough.decide(emails)),
        ("pipeline, one at a time", lambda: list(pipeline(texts))),
        ("pipeline, batch_size=32", lambda: list(pipeline(texts, batch_size=32))),
    ):
        table.add_row(name, f"{len(emails) / min(_seconds(score) for _ in range(2)):.0f}")
    return table


def _pipeline(run: Path) -> Any:
    import transformers

    values = transformers.AutoConfig.from_pretrained(run, local_files_only=True)
    model = transformers.AutoModelForSequenceClassification.from_config(values).eval()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(run / "tokenizer.json"), pad_token="[PAD]", model_max_length=512
    )
    return transformers.pipeline("text-classification", model=model, tokenizer=tokenizer)


def _seconds(score: Callable[[], object]) -> float:
    started = time.perf_counter()
    score()
    return time.perf_counter() - started


def measure_teaching(options: argparse.Namespace) -> Table:
    """Return what an LSTM reaches alone and taught by a run, mean and spread over seeds."""
    return _compare_lstm(options, {"alone": {}, "taught": {"train": {"teacher": str(options.run)}}})


def measure_vectors(options: argparse.Namespace) -> Table:
    """Return what an LSTM reaches from fresh word vectors and from the encoder's."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors.txt"
        settings = load_settings(CONFIGS / "lstm.yaml", _less(options.made))
        emails = load_splits(settings).train
        words = build_vocabulary((token_texts(e.email) for e in emails), min_count=1).words[2:]
        write_vectors(Router.load(options.run), words, width=settings.model.embedding, file=file)
        taken = {"text": {"vectors": str(file)}}
        return _compare_lstm(options, {"fresh": {"text": {"vectors": None}}, "encoder's": taken})


def _compare_lstm(options: argparse.Namespace, ways: Mapping[str, Mapping[str, Any]]) -> Table:
    names = ("unseen_words", "unseen_constructions", "written")
    suites = {name: make_suite(name, count=options.pairs) for name in names}
    table = Table("LSTM", "seeds", *names)
    for way, flags in ways.items():
        found = []
        for seed in range(options.seeds):
            less = _less(options.made)
            train = {**flags.get("train", {}), "seed": seed}
            values = {**less, **flags, "train": train}
            settings = load_settings(CONFIGS / "lstm.yaml", values)
            with tempfile.TemporaryDirectory() as folder:
                router = fit_run(settings, folder=Path(folder), progress=False).router
            found.append([float(np.mean(try_pairs(router, suites[name]))) for name in names])
        table.add_row(way, str(options.seeds), *map(_spread, np.transpose(found)))
    return table


def _less(made: int | None) -> dict[str, Any]:
    """Return the settings of a shorter training on ``made`` pairs, none for None."""
    if made is None:
        return {}
    return {"corpus": {"pairs": made, "written_variants": 0, "parts": 4}}


def measure_banking(options: argparse.Namespace) -> Table:
    """Return accuracy on Banking77's test split (Casanueva et al. 2020)."""
    folder = Path(os.environ["ROUTING_PUBLIC_DATA"]) / "data" / "banking77"
    everything, test = (read_banking(folder / f"{name}.csv") for name in ("train", "test"))
    found = []
    for seed in range(options.seeds):
        settings = load_settings(CONFIGS / "minilm.yaml", BANKING)
        rest, validation = split_groups(everything, share=0.05)
        if options.per_route:
            rest = draw_few(rest, per_route=options.per_route, seed=seed)
            validation = draw_few(validation, per_route=2, seed=seed)
        settings = train_long_enough(settings, emails=len(rest), seed=seed)
        router = fit(settings, rest, validation)
        best = router.probabilities([item.email for item in test]).argmax(axis=1)
        right = [router.routes[i] == item.route for i, item in zip(best, test, strict=True)]
        found.append(float(np.mean(right)))
    table = Table("Banking77", "e-mails", "seeds", "accuracy %")
    table.add_row("minilm.yaml", str(len(rest)), str(options.seeds), _spread(found))
    return table


def read_banking(file: Path) -> list[LabelledEmail]:
    """Return the rows of a Banking77 file as labelled e-mails."""
    with file.open(encoding="utf-8", newline="") as stream:
        return [
            LabelledEmail(email_from_text(row["text"], id=str(i), trim="none"), row["category"])
            for i, row in enumerate(csv.DictReader(stream))
        ]


def fit(
    settings: Settings, train: Sequence[LabelledEmail], validation: Sequence[LabelledEmail]
) -> Router:
    """Return a router fitted into a folder that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        return fit_router(
            settings, train=train, validation=validation, folder=Path(folder), progress=False
        )


def _spread(shares: Iterable[float]) -> str:
    values = 100 * np.array(list(shares))
    return f"{values.mean():.1f} ± {values.std():.1f}"


if __name__ == "__main__":
    main()
