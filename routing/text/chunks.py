"""E-mail -> the texts of its tokens, fast: from what is known of each chunk between blanks.

Most chunks (``parcel``, ``it.``, ``hasn't``) are read the same wherever they stand, so each
distinct one is cut into tokens once. Only those with figures or signs of money may be part of
private data that go on behind a blank (``17 euros``, ``0171 555``); what follows them decides.
"""

import re
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from routing.records import Email
from routing.text.clean import straighten
from routing.text.pattern import SUBJECT_END, find_texts
from routing.text.subject import subject_spans

T = TypeVar("T")

_FIGURE = re.compile(r"[\d$€£¥₹#]")
"""Without one of these no private data that reach over a blank start in a word."""

_UNIT = re.compile(r"usd|eur|gbp|dollar|pound|quid|bucks|rupees", re.IGNORECASE)
"""How a word starts that may end an amount."""

_BLANK_LINES = re.compile(r"\n\s+\n")
"""More than one blank line, or one with blanks in it."""

_BREAK = re.compile(r"(?<!\s)\s*\n\s*")
"""A run of line breaks and what blanks stand in and around it."""

_MOST_CHUNKS = 30_000
"""Chunks of text of which it is kept how they are read."""

_LONGEST_CHUNK = 60
"""Characters of a chunk of which it is kept."""


class ChunkReader(Generic[T]):
    """Reads e-mails chunk by chunk; what it gives out of some tokens is called a piece.

    Args:
        encode: texts of tokens -> their piece; joined in order, pieces are the whole.
        placeholders: replace private data by placeholder tokens.
    """

    def __init__(self, encode: Callable[[Sequence[str]], T], *, placeholders: bool) -> None:
        self._encode = encode
        self._placeholders = placeholders
        self._nothing = encode(())
        self._known: _Kept[T | None] = _Kept(self._read_chunk)
        self._alone: _Kept[T] = _Kept(self._read_whole)

    def read_email(self, email: Email) -> list[T]:
        """Return the pieces of subject and text, that of a ``<subject>`` mark between them."""
        subject = email.subject
        pieces = [
            piece
            for start, end in (subject_spans(subject) if subject else ())
            for piece in self.read_text(subject[start:end])
        ]
        if any(pieces):
            pieces.append(self._encode([SUBJECT_END]))
        pieces += self.read_text(email.text)
        return pieces

    def read_text(self, text: str) -> list[T]:
        """Return the pieces of a text."""
        text = straighten(text).lower()
        chunks = _lines_joined(text).split(" ")
        found = list(map(self._known.__getitem__, chunks))
        pieces: list[T] = found  # type: ignore[assignment]
        last = 0
        for place in [place for place, known in enumerate(found) if known is None]:
            if place < last:
                continue
            last = _stretch_end(chunks, found, place)
            if _goes_on_below(chunks, found, last):
                return [self._read_whole(text)]
            if last == place + 1:
                pieces[place] = self._alone[chunks[place]]
            else:
                rest = [self._nothing] * (last - place - 1)
                pieces[place:last] = [self._read_whole(" ".join(chunks[place:last])), *rest]
        return pieces

    def forget(self) -> None:
        """Forget all chunks: for when what ``encode`` gave out is no longer true."""
        self._known.clear()
        self._alone.clear()

    def _read_chunk(self, chunk: str) -> T | None:
        """Return the piece of a chunk, None where it hangs on what stands beside it."""
        if self._placeholders and _FIGURE.search(chunk):
            return None
        return self._read_whole(chunk)

    def _read_whole(self, text: str) -> T:
        return self._encode(find_texts(text, placeholders=self._placeholders))


class _Kept(dict[str, T]):
    """Chunk -> what ``read`` says of it; kept of so many, and none too long."""

    def __init__(self, read: Callable[[str], T]) -> None:
        super().__init__()
        self.read = read

    def __missing__(self, chunk: str) -> T:
        value = self.read(chunk)
        if len(chunk) <= _LONGEST_CHUNK:
            if len(self) >= _MOST_CHUNKS:
                self.clear()
            self[chunk] = value
        return value


def _lines_joined(text: str) -> str:
    """Return ``text`` with each run of line breaks as one between blanks."""
    if "\n" not in text:
        return text
    if _BLANK_LINES.search(text) is None:
        return text.replace("\n\n", "\n").replace("\n", " \n ")
    return _BREAK.sub(" \n ", text)


def _stretch_end(chunks: Sequence[str], found: Sequence[object], place: int) -> int:
    """Return one past the last chunk of the line that private data at ``place`` may reach.

    They may go on in the next chunk ("17 euros", "0171 555"), and from there if a figure
    follows ("gb29 nwbk 6016 1331").
    """
    end = place + 1
    while end < len(chunks) and (chunk := chunks[end]) != "\n":
        letters = len(chunk) == 4 and end + 1 < len(chunks) and found[end + 1] is None
        if found[end] is not None and not letters and not _UNIT.match(chunk):
            break
        end += 1
    return end


def _goes_on_below(chunks: Sequence[str], found: Sequence[object], end: int) -> bool:
    """Return whether an amount before the line break at ``end`` may go on in the next line."""
    after = end + 1
    if after >= len(chunks) or chunks[end] != "\n":
        return False
    return found[after] is None or _UNIT.match(chunks[after]) is not None
