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

_PLAIN = r"(?P<plain>[^\W\d_]+(?![\w@'+:/-]|\.[\w.+-]))|"
"""A word of letters alone, tried first because most tokens are."""

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
_WITH = re.compile(_PLAIN + _PRIVATE + "|" + _WORDS, re.VERBOSE | re.IGNORECASE)
_WITHOUT = re.compile(_PLAIN + _WORDS, re.VERBOSE | re.IGNORECASE)


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
        item[0]
        for start, end in (subject_spans(subject) if subject else ())
        for item in _read(subject[start:end], placeholders=placeholders)
    ]
    if texts:
        texts.append(SUBJECT_END)
    texts += [item[0] for item in _read(email.text, placeholders=placeholders)]
    return texts


def is_word(text: str) -> bool:
    """Return True for words and placeholders, False for punctuation, marks and line breaks."""
    return text[-1].isalnum() or (text[0] == "<" and text not in (SUBJECT_END, LINE))


def _read(text: str, *, placeholders: bool) -> Iterator[tuple[str, int, int]]:
    pattern = _WITH if placeholders else _WITHOUT
    for found in pattern.finditer(straighten(text).lower()):
        match found.lastgroup:
            case "plain" | "word":
                yield found.group(), found.start(), found.end()
            case "mark":
                yield "<date>", found.start(), found.end()
            case kind:
                yield f"<{kind}>", found.start(), found.end()
