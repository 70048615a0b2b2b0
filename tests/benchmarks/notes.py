"""How often case notes are right word for word: by suite, and by length without attention.

    python -m tests.benchmarks.notes [--pairs N] [--epochs N] [--folder FOLDER]
    python -m tests.benchmarks.notes runs/note [RUN ...]

Without runs it trains two writers by configs/note.yaml, with attention and without, on e-mails
of the grammar that say what their note says. Prints the share of exact notes on held-out e-mails.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from routing.flags import load_settings
from routing.notes import NoteWriter
from routing.training.notes import fit_notes, noted_emails
from routing.training.writing import NotedEmail

SUITES = ("in_distribution", "unseen_words", "long_distance")
LENGTHS = ((0, 20), (20, 40), (40, 60), (60, 100), (100, 400))


def fit(attention: bool, *, pairs: int | None, epochs: int | None, folder: Path) -> NoteWriter:
    """Return a writer, trained; what is None is as configs/note.yaml has it."""
    flags = {
        "model": {"attention": attention},
        "corpus": {"pairs": pairs} if pairs else {},
        "train": {"epochs": epochs} if epochs else {},
    }
    fitted = fit_notes(load_settings(Path("configs/note.yaml"), flags), folder=folder)
    print(f"attention {attention}: {fitted.line()}", flush=True)
    return fitted.writer


def exact(writer: NoteWriter, items: Sequence[NotedEmail], *, beam: int = 1) -> list[bool]:
    """Return which notes are right word for word."""
    writer.beam = beam
    notes = writer.write([item.email for item in items])
    return [note.words == item.words for note, item in zip(notes, items, strict=True)]


def share(found: Sequence[bool]) -> str:
    return f"{sum(found) / len(found):6.1%} of {len(found):4}" if found else "-"


def print_suites(
    writers: Mapping[str, NoteWriter], *, count: int, beams: Sequence[int]
) -> list[NotedEmail]:
    """Print the shares by suite; return the e-mails of all suites but those of unseen words."""
    known = []
    for suite in SUITES:
        items = noted_emails(count=count, seed=77, suite=suite, noise=0)
        known += items if suite != "unseen_words" else []
        for name, writer in writers.items():
            cells = [f"beam of {beam} {share(exact(writer, items, beam=beam))}" for beam in beams]
            print(f"{suite:16} {name:10} {'   '.join(cells)}", flush=True)
    return known


def print_lengths(writers: Mapping[str, NoteWriter], items: Sequence[NotedEmail]) -> None:
    """Print the shares by length of the e-mail in words."""
    for low, high in LENGTHS:
        some = [item for item in items if low < len(item.email.text.split()) <= high]
        cells = [f"{name} {share(exact(writer, some))}" for name, writer in writers.items()]
        print(f"{low:4} to {high:3} words  " + "   ".join(cells), flush=True)


def main() -> None:
    """Load or train the writers and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", nargs="*", type=Path, help="measure these, train nothing")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--beams", type=int, nargs="+", default=[1], help="1: greedy")
    parser.add_argument("--count", type=int, default=800, help="e-mails of each suite")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with TemporaryDirectory() as kept:
        folder = options.folder or Path(kept)
        writers = {run.name: NoteWriter.load(run) for run in options.runs} or {
            name: fit(name == "attention", pairs=options.pairs, epochs=options.epochs, folder=at)
            for name in ("attention", "one vector")
            for at in [folder / name.replace(" ", "_")]
        }
        known = print_suites(writers, count=options.count, beams=options.beams)
        print_lengths(writers, known)


if __name__ == "__main__":
    main()
