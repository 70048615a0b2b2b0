"""A case note on the terminal: each of its words, and the words of the e-mail it comes from."""

from pathlib import Path

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from routing.notes import CaseNote, NoteWriter
from routing.records import Email

_MOST = 3
"""Words of the e-mail shown for a word of the note."""

_LEAST = 0.05
"""Least weight of a word that is shown."""


def note_views(run: Path | None, email: Email) -> list[RenderableType]:
    """Return the view of the note that the writer in ``run`` writes; nothing without a run.

    Raises RunError when ``run`` writes no notes.
    """
    if run is None:
        return []
    return [note_view(note) for note in NoteWriter.load(run).write([email])]


def note_view(note: CaseNote) -> RenderableType:
    """Return the note and, for each of its words, the words that were looked at most."""
    table = Table("word", "looked at (share of the attention)", box=None, pad_edge=False)
    for word, look in zip(note.words, note.looks, strict=True):
        seen = [f"{note.tokens[place]} {share:.0%}" for place, share in looked_at(look)]
        table.add_row(Text(word), Text(" · ".join(seen) or "nothing: written without looking"))
    return Group(Text(f"Case note: {note.line()}", style="bold"), table)


def looked_at(look: tuple[float, ...]) -> list[tuple[int, float]]:
    """Return the places of the tokens looked at most, each with its weight in [0, 1]."""
    ranked = sorted(enumerate(look), key=lambda item: -item[1])[:_MOST]
    return [(place, share) for place, share in ranked if share >= _LEAST]
