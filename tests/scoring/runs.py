"""Tiny routers and mail to score, made on the spot."""

import json
from collections.abc import Sequence
from pathlib import Path

import torch

from routing.corpus.readers import WordReader
from routing.flags import load_settings
from routing.models.bayes import BayesModel
from routing.router import Router, build_model
from routing.settings import Settings
from routing.text.vocabulary import Vocabulary

WORDS = ("where", "is", "my", "parcel", "the", "charger", "never")
WORDS += ("came", "i", "want", "money", "back", "please")
ROUTES = ("delivery", "refunds")


def make_settings(kind: str, **data: str) -> Settings:
    sizes = {
        "recurrent": {"embedding": 6, "hidden": 8, "layers": 2, "piece_buckets": 50},
        "transformer": {"embedding": 8, "heads": 2, "layers": 2, "feedforward": 6},
    }
    sizes = {} if kind == "bayes" else {**sizes[kind], "second_look": 0.1}
    return load_settings(flags={"model": {"kind": kind, **sizes}, "data": data})


def make_router(kind: str = "recurrent", **data: str) -> Router:
    """A router with random weights (naive Bayes: fitted on two e-mails)."""
    torch.manual_seed(0)
    settings = make_settings(kind, **data)
    pieces = 0 if kind == "bayes" else settings.model.piece_buckets
    vocabulary = Vocabulary(("<padding>", "<unknown>", *WORDS), pieces)
    reader = WordReader(vocabulary, placeholders=True, max_tokens=64)
    if kind == "bayes":
        model = BayesModel().fit([["parcel", "never", "came"], ["money", "back"]], [0, 1])
    else:
        model = build_model(settings.model, reader=reader, routes=len(ROUTES))
    return Router(settings=settings, routes=ROUTES, reader=reader, model=model)


def make_run(folder: Path, kind: str = "recurrent", **data: str) -> Path:
    make_router(kind, **data).save(folder)
    return folder


def make_text(number: int) -> str:
    """A text of its own for each number, of 1 to 29 words."""
    return " ".join(WORDS[(number * 7 + i * i) % len(WORDS)] for i in range(1 + number * 5 % 29))


def write_rows(file: Path, count: int, ids: Sequence[str] = ()) -> Path:
    rows = (
        {"id": ids[n] if ids else f"m{n}", "subject": f"order {n}", "body": make_text(n)}
        for n in range(count)
    )
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def write_eml(file: Path, number: int) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    head = f"From: a@example.com\nSubject: order {number}\nMessage-ID: <e{number}@example.com>\n"
    file.write_text(f"{head}\n{make_text(number)}\n", encoding="utf-8")
    return file


def read_lines(text: str | bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]
