"""The regular expression that reads a text from left to right, and what its matches are called.

Private data become placeholder tokens, negations come off their verbs (``hasn't`` -> ``has n't``).
"""

import re
from collections.abc import Iterator

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


def find_tokens(text: str, *, placeholders: bool) -> Iterator[tuple[str, int, int]]:
    """Yield the tokens of a straightened, lower-case text with their places in it."""
    pattern = _WITH if placeholders else _WITHOUT
    for found in pattern.finditer(text):
        kind = found.lastgroup
        if kind == "run":
            for piece in _PIECE.finditer(found.string, *found.span()):
                yield _named(piece.group(), None), *piece.span()
        else:
            yield _named(found.group(), kind), *found.span()


def find_texts(text: str, *, placeholders: bool) -> list[str]:
    """Return the texts of ``find_tokens``, faster."""
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
