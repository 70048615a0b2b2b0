"""How often case notes are right word for word: by suite, and by length without attention.

    python -m tests.benchmarks.notes --pairs 4000 --epochs 12 [--folder FOLDER]

Trains two writers, with attention and without, on e-mails of the grammar that say what their
note says, and prints the share of exact notes on held-out e-mails. About 15 minutes each on one
quiet core.
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


def fit(attention: bool, *, pairs: int, epochs: int, folder: Path) -> NoteWriter:
    """Return a writer, trained."""
    flags = {
        "model": {"attention": attention},
        "corpus": {"pairs": pairs, "noise": 0.0},
        "train": {"epochs": epochs},
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


def print_suites(writers: Mapping[str, NoteWriter], count: int) -> list[NotedEmail]:
    """Print the shares by suite; return the e-mails of all suites but those of unseen words."""
    known = []
    for suite in SUITES:
        items = noted_emails(count=count, seed=77, suite=suite, noise=0)
        known += items if suite != "unseen_words" else []
        for name, writer in writers.items():
            greedy, beam = (share(exact(writer, items, beam=beam)) for beam in (1, 4))
            print(f"{suite:16} {name:10} greedy {greedy}   beam of 4 {beam}", flush=True)
    return known


def print_lengths(writers: Mapping[str, NoteWriter], items: Sequence[NotedEmail]) -> None:
    """Print the shares by length of the e-mail in words."""
    for low, high in LENGTHS:
        some = [item for item in items if low < len(item.email.text.split()) <= high]
        cells = [f"{name} {share(exact(writer, some))}" for name, writer in writers.items()]
        print(f"{low:4} to {high:3} words  " + "   ".join(cells), flush=True)


def main() -> None:
    """Train both writers and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=4000)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--count", type=int, default=800, help="e-mails of each suite")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    with TemporaryDirectory() as kept:
        folder = options.folder or Path(kept)
        writers = {
            name: fit(name == "attention", pairs=options.pairs, epochs=options.epochs, folder=at)
            for name in ("attention", "one vector")
            for at in [folder / name.replace(" ", "_")]
        }
        print_lengths(writers, print_suites(writers, options.count))


if __name__ == "__main__":
    main()
