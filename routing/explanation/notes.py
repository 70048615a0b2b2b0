"""A case note on terminal, page and JSON: each of its words, and the words it looked at."""

from html import escape
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from routing.notes import CaseNote

_MOST = 3
"""Words of the e-mail shown for a word of the note."""

_LEAST = 0.05
"""Least weight of a word that is shown."""


def note_view(note: CaseNote) -> RenderableType:
    """Return the note and, for each of its words, the words that were looked at most."""
    table = Table("word", "looked at (share of the attention)", box=None, pad_edge=False)
    for word, seen in _words(note):
        table.add_row(Text(word), Text(seen))
    return Group(Text(f"Case note: {note.line()}", style="bold"), table)


def note_panel(note: CaseNote | None) -> str:
    """Return the note as a part of the HTML page; "" without one."""
    if note is None:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{escape(word)}</th><td>{escape(seen)}</td></tr>'
        for word, seen in _words(note)
    )
    return (
        f'<section class="card"><header><h2>Case note</h2><p>{escape(note.line())}</p>'
        '<p class="soft small">What each of its words looked at in the message.</p></header>'
        '<table><thead><tr><th scope="col">word</th>'
        f'<th scope="col">looked at</th></tr></thead><tbody>{rows}</tbody></table></section>'
    )


def note_row(note: CaseNote | None) -> dict[str, Any] | None:
    """Return the note as what ``json`` writes, by the schema of the explanation."""
    if note is None:
        return None
    words = []
    for word, look in zip(note.words, note.looks, strict=True):
        seen = [{"token": note.tokens[place], "share": share} for place, share in looked_at(look)]
        words.append({"text": word, "looked_at": seen})
    return {"line": note.line(), "words": words}


def _words(note: CaseNote) -> list[tuple[str, str]]:
    """Return each word of the note and, in words, what it looked at."""
    found = []
    for word, look in zip(note.words, note.looks, strict=True):
        seen = " · ".join(f"{note.tokens[place]} {share:.0%}" for place, share in looked_at(look))
        found.append((word, seen or "nothing: written without looking"))
    return found


def looked_at(look: tuple[float, ...]) -> list[tuple[int, float]]:
    """Return the places of the tokens looked at most, each with its weight in [0, 1]."""
    ranked = sorted(enumerate(look), key=lambda item: -item[1])[:_MOST]
    return [(place, share) for place, share in ranked if share >= _LEAST]
