"""E-mail -> tokens, each with its place in the original characters.

One regular expression reads the text from left to right, so that private data become
placeholder tokens, negations come off their verbs (``hasn't`` -> ``has n't``) and every token
still knows where it stood. Training and serving share it.
"""

import re
from collections.abc import Iterator

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
    """Return only the texts of ``_read``: most of them without a step in Python each."""
    pattern = _WITH if placeholders else _WITHOUT
    texts: list[str] = []
    for found in pattern.finditer(straighten(text).lower()):
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
