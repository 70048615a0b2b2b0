"""E-mail -> tokens, each with its place in the original characters.

Training and serving share it.
"""

from collections.abc import Iterator
from itertools import chain

from routing.records import Email, Token
from routing.text.chunks import ChunkReader
from routing.text.clean import straighten
from routing.text.pattern import LINE, SUBJECT_END, find_tokens
from routing.text.subject import subject_spans

__all__ = ["LINE", "SUBJECT_END", "is_word", "token_texts", "tokenize"]

_TEXTS: dict[bool, ChunkReader[tuple[str, ...]]] = {
    flag: ChunkReader(tuple, placeholders=flag) for flag in (False, True)
}


def tokenize(email: Email, *, placeholders: bool = True) -> list[Token]:
    """Return the tokens of subject and text, a ``<subject>`` mark between them.

    Offsets of the subject's tokens point into ``email.subject``, the others into ``email.text``.
    Without a subject there is no mark. ``placeholders=False`` keeps private data as words.
    """
    tokens = [
        Token(text, start + first, end + first, "subject")
        for first, last in subject_spans(email.subject)
        for text, start, end in _read(email.subject[first:last], placeholders=placeholders)
    ]
    if tokens:
        tokens.append(Token(SUBJECT_END, len(email.subject), len(email.subject), "subject"))
    tokens += [Token(*item) for item in _read(email.text, placeholders=placeholders)]
    return tokens


def token_texts(email: Email, *, placeholders: bool = True) -> list[str]:
    """Return only the texts of ``tokenize(email)``, faster."""
    return list(chain.from_iterable(_TEXTS[placeholders].read_email(email)))


def is_word(text: str) -> bool:
    """Return True for words and placeholders, False for punctuation, marks and line breaks."""
    return text[-1].isalnum() or (text[0] == "<" and text not in (SUBJECT_END, LINE))


def _read(text: str, *, placeholders: bool) -> Iterator[tuple[str, int, int]]:
    return find_tokens(straighten(text).lower(), placeholders=placeholders)
