"""How often case notes are right word for word: by suite, and by length without attention.

    python -m tests.benchmarks.notes [--pairs N] [--epochs N] [--folder FOLDER]
    python -m tests.benchmarks.notes runs/note [RUN ...]

Without runs it trains two writers by configs/note.yaml, with attention and without, on e-mails
of the grammar that say what their note says; both start from runs/lstm. Prints the share of
exact notes on held-out e-mails. In ``made_up_words`` the goods of ``unseen_words``, which written
pairs name here and there, are called by words that stand nowhere.
"""

import argparse
import random
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from routing.flags import load_settings
from routing.notes import NoteWriter
from routing.text.tokens import token_texts
from routing.training.notes import fit_notes, noted_emails
from routing.training.writing import NotedEmail

SUITES = ("in_distribution", "unseen_words", "made_up_words", "long_distance")
LENGTHS = ((0, 20), (20, 40), (40, 60), (60, 100), (100, 400))


def fit(attention: bool, *, pairs: int | None, epochs: int | None, folder: Path) -> NoteWriter:
    """Return a writer, trained; what is None is as configs/note.yaml has it."""
    flags = {
        "model": {"attention": attention},
        "corpus": {"pairs": pairs, "parts": 1} if pairs else {},
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


def suite_items(suite: str, *, count: int) -> list[NotedEmail]:
    """Return the e-mails of a suite with their notes."""
    if suite != "made_up_words":
        return noted_emails(count=count, seed=77, suite=suite, noise=0)
    some = noted_emails(count=20_000, seed=0, noise=0)
    known = {word for item in some for word in token_texts(item.email)}
    renamed = (make_up(item, known) for item in suite_items("unseen_words", count=count))
    return [item for item in renamed if item is not None]


def make_up(item: NotedEmail, known: Set[str]) -> NotedEmail | None:
    """Return the e-mail and its note with other names for words not ``known``, None without any.

    A word has the same name each time.
    """
    names = {word: made_up(word) for word in item.words if word.isalpha() and word not in known}
    if not names:
        return None
    pattern = re.compile(rf"\b({'|'.join(names)})\b", re.IGNORECASE)
    email = item.email
    subject, text = (
        pattern.sub(lambda found: names[found[0].lower()], part)
        for part in (email.subject, email.text)
    )
    renamed = tuple(names.get(word, word) for word in item.words)
    return NotedEmail(replace(email, subject=subject, text=text, body=text), renamed)


def made_up(word: str) -> str:
    """Return a word of three syllables that is no word."""
    rng = random.Random(word)
    return "".join(rng.choice("bdfgklmnprtvz") + rng.choice("aeiou") for _ in range(3)) + "x"


def share(found: Sequence[bool]) -> str:
    return f"{sum(found) / len(found):6.1%} of {len(found):4}" if found else "-"


def print_suites(
    writers: Mapping[str, NoteWriter], *, count: int, beams: Sequence[int]
) -> list[NotedEmail]:
    """Print the shares by suite; return the e-mails of the suites whose words are known."""
    known = []
    for suite in SUITES:
        items = suite_items(suite, count=count)
        known += items if not suite.endswith("words") else []
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
