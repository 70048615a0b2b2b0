"""E-mail -> tokens, each with its place in the original characters.

One regular expression reads the text from left to right, so that private data become
placeholder tokens, negations come off their verbs (``hasn't`` -> ``has n't``) and every token
still knows where it stood. Training and serving share it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from routing.records import Email, Token
from routing.text.clean import straighten
from routing.text.subject import subject_spans

SUBJECT_END = "<subject>"
"""Stands between the subject's tokens and the text's."""

LINE = "<line>"
"""Stands for one or more line breaks."""

_END = r"(?![\w@'+:/-]|\.[\w.+-])"
"""Not inside anything longer, such as an address."""

_PLAIN = rf"[^\W\d_]++(?:'(?:s|m|d|re|ve|ll|(?<=n')t))?{_END}[.,!?]?"
"""A word of letters alone, maybe with a short form and a mark behind it."""

_RUN = rf"(?P<run>{_PLAIN}(?:(?:[ ]|\n*){_PLAIN})*)|"
"""Words without anything special between them: tried first, because most text is nothing else."""

_PIECE = re.compile(
    r"[^\W\d_]++(?!')|[.,!?]|\n+|[^\W\d_]+(?=n't\b)|n't\b|[^\W\d_]+|'(?:s|m|d|re|ve|ll)\b",
    re.IGNORECASE,
)
"""A token of a run."""

_SHORT = re.compile(r"n't\b|'", re.IGNORECASE)
_BREAKS = re.compile(r"\n+")
_FIGURE = re.compile(r"[\d$€£¥₹#]")
"""Without one of these no private data that reach over a blank start in a word."""

_UNIT = re.compile(r"usd|eur|gbp|dollar|pound|quid|bucks|rupees", re.IGNORECASE)
"""How a word starts that may end an amount on the line above."""

_MOST_CHUNKS = 100_000
"""Chunks of text whose tokens are kept."""

_LONGEST_CHUNK = 60
"""Characters of a chunk whose tokens are kept."""

_PRIVATE = r"""
  (?P<url>(?:https?://|www\.)[^\s<>"']*[\w/])
| (?P<address>(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
| (?P<date>(?<![\w.-])(?:\d{4}-\d\d?-\d\d?
    |\d\d?(?P<mark>[./-])\d\d?(?P=mark)(?:\d{4}|\d\d))(?![\w-]))
| (?P<card>(?<![\w-])(?:\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,4}
    |[a-z]{2}\d\d(?:[ ][a-z]{4})?(?:[ ]\d{4}){2,7}(?:[ ]\d{1,3})?)(?![\w-]))
| (?P<amount>[$€£¥₹]\s?\d[\d.,]*k?\b
    |(?<![\w.,])\d[\d.,]*\s?(?:[$€£¥₹]
       |(?:usd|eur|gbp|euros?|dollars?|pounds?|quid|bucks|rupees)\b))
| (?P<phone>\+\d{1,3}(?:[ ./-]?\(?\d{1,5}\)?){2,6}(?![\w-])
    |(?<![\w(])\(?0\d{1,4}\)?[ /.-]\d{2,8}(?:[ .-]\d{2,6}){0,3}(?![\w-])
    |(?<![\w(])(?:1[ .-])?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])
    |(?<![\w-])0[1-9]\d{8,9}(?![\w-]))
| (?P<order>\#\s?[a-z]{0,4}-?\d+[\w-]*
    |(?<![\w-])(?=[a-z0-9-]*\d{3})[a-z]{1,4}-?\d[\da-z-]{3,}(?![\w-])
    |(?<![\w-])(?=[a-z0-9-]{8})(?:[a-z-]*\d){4}[a-z0-9-]*(?![\w-])
    |(?<![\w.,-])(?=[\d-]*\d{3})\d{2,}(?:-\d{2,}){1,5}(?![\w-])
    |(?<![\w.,-])(?!(?:19|20)\d\d(?!\d))\d{4,}(?![\w-]))
"""
_WORDS = r"""
  (?P<line>(?<!\s)\s*\n\s*)
| (?P<word>[^\W\d_]+(?=n't\b)|n't\b|'(?:s|m|d|re|ve|ll)\b|\d{1,3}(?:,\d{3})+(?![\w,])
    |[^\W_]+(?:[.-][^\W_]+)*|['"().,;:!?…>*/&%+=#@—–-])
"""
_WITH = re.compile(_RUN + _PRIVATE + "|" + _WORDS, re.VERBOSE | re.IGNORECASE)
_WITHOUT = re.compile(_RUN + _WORDS, re.VERBOSE | re.IGNORECASE)


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
    subject = email.subject
    texts = [
        text
        for start, end in (subject_spans(subject) if subject else ())
        for text in _read_texts(subject[start:end], placeholders=placeholders)
    ]
    if texts:
        texts.append(SUBJECT_END)
    texts += _read_texts(email.text, placeholders=placeholders)
    return texts


def is_word(text: str) -> bool:
    """Return True for words and placeholders, False for punctuation, marks and line breaks."""
    return text[-1].isalnum() or (text[0] == "<" and text not in (SUBJECT_END, LINE))


def _read(text: str, *, placeholders: bool) -> Iterator[tuple[str, int, int]]:
    pattern = _WITH if placeholders else _WITHOUT
    for found in pattern.finditer(straighten(text).lower()):
        kind = found.lastgroup
        if kind == "run":
            for piece in _PIECE.finditer(found.string, *found.span()):
                yield _named(piece.group(), None), *piece.span()
        else:
            yield _named(found.group(), kind), *found.span()


def _read_texts(text: str, *, placeholders: bool) -> list[str]:
    """Return only the texts of ``_read``, from what is known of each chunk between blanks."""
    text = straighten(text).lower()
    chunks = _lines_joined(text).split(" ")
    found = list(map(_CHUNKS[placeholders].__getitem__, chunks))
    texts: list[str] = []
    start = 0
    for place in [place for place, known in enumerate(found) if known is None]:
        if place < start:
            continue
        texts += chain.from_iterable(found[start:place])  # type: ignore[arg-type]
        start = _stretch_end(chunks, found, place)
        after = start + 1
        broken = after < len(chunks) and chunks[start] == "\n"
        if broken and (found[after] is None or _UNIT.match(chunks[after])):
            return _pattern_texts(text, placeholders=placeholders)
        texts += _pattern_texts(" ".join(chunks[place:start]), placeholders=placeholders)
    texts += chain.from_iterable(found[start:])  # type: ignore[arg-type]
    return texts


def _lines_joined(text: str) -> str:
    """Return ``text`` with each run of line breaks as one between blanks."""
    lines = text.split("\n")
    if len(lines) == 1:
        return text
    filled = [line for line in lines if line and not line.isspace()]
    ends = ["" if line and not line.isspace() else "\n" for line in (lines[0], lines[-1])]
    if not filled:
        return "\n"
    return " ".join([ends[0], " \n ".join(filled), ends[1]])


def _stretch_end(chunks: Sequence[str], found: Sequence[tuple[str, ...] | None], place: int) -> int:
    """Return one past the last chunk of the line that private data at ``place`` may reach.

    They may go on in the next chunk ("17 euros", "0171 555"), and from there if a figure
    follows ("gb29 nwbk 6016 1331").
    """
    end = place + 1
    while end < len(chunks) and chunks[end] != "\n":
        end += 1
        if found[end - 1] is not None and (end == len(chunks) or found[end] is not None):
            break
    return end


class _Chunks(dict[str, tuple[str, ...] | None]):
    """What stands between blanks -> its tokens, None where they hang on what stands beside it."""

    def __init__(self, *, placeholders: bool) -> None:
        super().__init__()
        self.placeholders = placeholders

    def __missing__(self, chunk: str) -> tuple[str, ...] | None:
        hangs = self.placeholders and _FIGURE.search(chunk)
        texts = None if hangs else tuple(_pattern_texts(chunk, placeholders=self.placeholders))
        if len(chunk) <= _LONGEST_CHUNK:
            if len(self) >= _MOST_CHUNKS:
                self.clear()
            self[chunk] = texts
        return texts


_CHUNKS = {flag: _Chunks(placeholders=flag) for flag in (False, True)}


def _pattern_texts(text: str, *, placeholders: bool) -> list[str]:
    """Return the texts of ``_read`` of a straightened, lower-case text."""
    pattern = _WITH if placeholders else _WITHOUT
    texts: list[str] = []
    for found in pattern.finditer(text):
        kind = found.lastgroup
        if kind == "run":
            texts += _split_run(found.group())
        else:
            texts.append(_named(found.group(), kind))
    return texts


def _split_run(run: str) -> list[str]:
    """Return the texts that ``_PIECE`` finds in a run, faster."""
    if "'" in run:
        run = _SHORT.sub(r" \g<0>", run)
    if "\n" in run:
        run = _BREAKS.sub(f" {LINE} ", run)
    for mark in ".,!?":
        run = run.replace(mark, f" {mark} ")
    return run.split()


def _named(text: str, kind: str | None) -> str:
    """Return the token that stands for ``text``, which matched as ``kind`` (None: in a run)."""
    match kind:
        case "word":
            return text
        case None:
            return LINE if text[0] == "\n" else text
        case "mark":
            return "<date>"
        case _:
            return f"<{kind}>"
