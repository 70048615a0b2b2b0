"""E-mail -> tokens, each with its place in the original characters.

One regular expression reads the text from left to right, so that private data become
placeholder tokens, negations come off their verbs (``hasn't`` -> ``has n't``) and every token
still knows where it stood. Training and serving share it.
"""

import re
from collections.abc import Iterator

from routing.records import Email, Token
from routing.text.clean import bare_subject, straighten

SUBJECT_END = "<subject>"
"""Stands between the subject's tokens and the text's."""

LINE = "<line>"
"""Stands for one or more line breaks."""

_PRIVATE = r"""
  (?P<url>(?:https?://|www\.)[^\s<>"']+)
| (?P<address>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
| (?P<card>(?<![\w-])\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,4}(?![\w-]))
| (?P<amount>[$€£¥₹]\s?\d[\d.,]*\b
    |(?<![\w.,])\d[\d.,]*\s?(?:[$€£¥₹]
       |(?:usd|eur|gbp|euros?|dollars?|pounds?|quid|bucks|rupees)\b))
| (?P<phone>(?<![\w+])\+?\(?\d{2,4}\)?[ /-]?\d{3,4}[ -]?\d{3,6}(?![\w-]))
| (?P<order>\#\s?[a-z]{0,4}-?\d+[\w-]*
    |(?<![\w-])(?=[a-z0-9-]*\d{3})[a-z]{1,4}-?\d[\da-z-]{3,}(?![\w-])
    |(?<![\w.,-])\d{4,}(?:-\d+)*(?![\w-]))
"""
_WORDS = r"""
  (?P<line>\s*\n\s*)
| (?P<word>[^\W\d_]+(?=n't\b)|n't\b|'(?:s|m|d|re|ve|ll)\b|[^\W_]+(?:[.-][^\W_]+)*
    |['"().,;:!?…>*/&%+=#@—–-])
"""
_WITH = re.compile(_PRIVATE + "|" + _WORDS, re.VERBOSE | re.IGNORECASE)
_WITHOUT = re.compile(_WORDS, re.VERBOSE | re.IGNORECASE)


def tokenize(email: Email, *, placeholders: bool = True) -> list[Token]:
    """Return the tokens of subject and text, a ``<subject>`` mark between them.

    Offsets of the subject's tokens point into ``email.subject``, the others into ``email.text``.
    Without a subject there is no mark. ``placeholders=False`` keeps private data as words.
    """
    bare = bare_subject(email.subject)
    tokens: list[Token] = []
    if bare:
        shift = email.subject.find(bare)
        tokens = [
            Token(text, start + shift, end + shift, "subject")
            for text, start, end in _read(bare, placeholders=placeholders)
        ]
        tokens.append(Token(SUBJECT_END, len(email.subject), len(email.subject), "subject"))
    tokens += [Token(*item) for item in _read(email.text, placeholders=placeholders)]
    return tokens


def token_texts(email: Email, *, placeholders: bool = True) -> list[str]:
    """Return only the texts of ``tokenize(email)``, faster."""
    bare = bare_subject(email.subject)
    texts = [item[0] for item in _read(bare, placeholders=placeholders)] if bare else []
    if bare:
        texts.append(SUBJECT_END)
    texts += [item[0] for item in _read(email.text, placeholders=placeholders)]
    return texts


def is_word(text: str) -> bool:
    """Return True for words and placeholders, False for punctuation, marks and line breaks."""
    return text[-1].isalnum() or (text[0] == "<" and text not in (SUBJECT_END, LINE))


def _read(text: str, *, placeholders: bool) -> Iterator[tuple[str, int, int]]:
    pattern = _WITH if placeholders else _WITHOUT
    for match in pattern.finditer(straighten(text).lower()):
        kind = match.lastgroup
        if kind == "word":
            yield match.group(), match.start(), match.end()
        elif kind is not None:
            yield f"<{kind}>", match.start(), match.end()
