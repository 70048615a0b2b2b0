"""How fast mail is scored, and beside what: everything in one run, as ratios.

``python tests/benchmarks/scoring.py RUN [RUN …] [--emails N] [--memory]``

For each run: e-mails a second of the bare model on ready token batches (one process a core, one
thread each, as scoring runs it), end to end from JSON lines and from .eml files, a plain loop over
single e-mails, the model's multiply-adds against those of a matrix product, and the latency of
one decision. Beside them scikit-learn, fastText and, when it is there, MiniLM on the same mails.
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

from routing.corpus.cartwise import label_members, make_pairs
from routing.mail import read_emails
from routing.router import Router, _cut_by_tokens

CORES = len(os.sched_getaffinity(0))


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
    for n, (text, _) in enumerate(mails[: min(count, 3_000)]):
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


def bare_speed(router: Router, batches: Sequence[object], emails: int) -> float:
    """E-mails a second of the model alone, the batches dealt out to the cores."""

    def work(core: int, barrier: object) -> None:
        torch.set_num_threads(1)
        mine = batches[core::CORES]
        with torch.inference_mode():
            router.model(*mine[0].inputs())
            barrier.wait()
            for batch in mine:
                router.model(*batch.inputs())

    return emails / in_every_core(work)


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
        for start in range(0, len(readings), 512):
            part = readings[start : start + 512]
            cut = _cut_by_tokens([len(r) for r in part], 8192)
            batches += [router.reader.batch([part[i] for i in places]) for places in cut]
        tokens = sum(map(len, readings))
        bare = bare_speed(router, batches, len(readings))
        work = multiply_adds(router, tokens // len(readings)) * tokens / len(readings) * bare
        share = work / product_speed()
        print(f"  bare model              {bare:9,.0f} e-mails/s  {share:6.1%} of matrix product")
    else:
        words = [router.reader.words(email) for email in emails]
        start = time.perf_counter()
        router.model.logits(words)
        bare = len(words) / (time.perf_counter() - start) * CORES
        print(f"  bare model              {bare:9,.0f} e-mails/s  (words given)")
    few = folder / "few.jsonl"
    few.write_text("".join(islice(rows.open(), 600)))
    warm_up = end_to_end(run, few, folder / "few.out.jsonl")
    for name, source, number in (
        ("jsonl to jsonl", rows, count),
        (".eml to jsonl", files, len(list(files.iterdir()))),
    ):
        seconds = end_to_end(run, source, folder / "out.jsonl")
        steady = (number - 600) / max(1e-9, seconds - warm_up)
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


def measure_others(mails: Sequence[tuple[str, str]], folder: Path) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    texts, routes = [text for text, _ in mails], [route for _, route in mails]
    pipeline = make_pipeline(TfidfVectorizer(), MultinomialNB()).fit(texts[:1000], routes[:1000])
    start = time.perf_counter()
    pipeline.predict_proba(texts)
    print(
        f"\nscikit-learn TF-IDF + NB  {len(texts) / (time.perf_counter() - start):9,.0f} e-mails/s"
    )
    try:
        import fasttext
    except ImportError:
        print("fastText                  not installed (pip install fasttext-wheel)")
        return
    file = folder / "fasttext.txt"
    flat = [" ".join(text.split()) for text in texts]
    labelled = [f"__label__{r} {t}\n" for r, t in zip(routes[:1000], flat[:1000], strict=True)]
    file.write_text("".join(labelled))
    model = fasttext.train_supervised(str(file), verbose=0)
    start = time.perf_counter()
    model.f.multilinePredict([t + "\n" for t in flat], 1, 0.0, "strict")
    print(f"fastText                  {len(texts) / (time.perf_counter() - start):9,.0f} e-mails/s")


def measure_memory(run: str, folder: Path) -> None:
    """Peak resident memory of the command's processes on few and on many mails."""
    for count in (10_000, 500_000):
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
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{CORES} cores, torch {torch.__version__}")
        if options.memory:
            measure_memory(options.runs[0], folder)
            return
        rows, files, mails = write_mail(folder, options.emails)
        for run in options.runs:
            measure_run(run, rows, files, folder)
        measure_others(mails, folder)


if __name__ == "__main__":
    main()
