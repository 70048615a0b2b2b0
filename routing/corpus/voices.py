"""Ways of saying the same sentences: contracted (isn't, I'd), or said by several people (we)."""

import re


def _upper(words: str) -> str:
    return words[0].upper() + words[1:]


_SHORT = {
    "is not": "isn't", "are not": "aren't", "was not": "wasn't", "were not": "weren't",
    "has not": "hasn't", "have not": "haven't", "had not": "hadn't", "do not": "don't",
    "does not": "doesn't", "did not": "didn't", "will not": "won't", "would not": "wouldn't",
    "could not": "couldn't", "should not": "shouldn't", "need not": "needn't",
    "cannot": "can't", "I am": "I'm", "it is": "it's", "that is": "that's",
    "what is": "what's", "where is": "where's", "there is": "there's", "here is": "here's",
    "I would": "I'd", "I will": "I'll", "I had": "I'd", "you will": "you'll",
    "you would": "you'd", "you are": "you're", "we are": "we're",
}  # fmt: skip
_CONTRACTIONS = tuple(
    (f" {long} ", f" {short} ")
    for lower, lower_short in _SHORT.items()
    for long, short in ((lower, lower_short), (_upper(lower), _upper(lower_short)))
)
_KIN = "wife|husband|son|daughter|mother|father|sister|brother|aunt|uncle|flatmate|boss|phone"
_PLURAL = {
    "i am": "we are", "i was": "we were", "am i": "are we", "was i": "were we", "i'm": "we're",
    "i'd": "we'd", "i've": "we've", "i'll": "we'll", "i": "we", "me": "us", "my": "our",
    "mine": "ours", "myself": "ourselves",
}  # fmt: skip
VOICED = frozenset(
    word
    for words in (*_SHORT.items(), *_PLURAL.items())
    for word in " ".join(words).lower().split()
)
_WE = re.compile(
    rf"\b(I am|I was|am I|was I|I'm|I'd|I've|I'll|I|me|my(?! (?:{_KIN})\b)|mine|myself)\b",
    re.IGNORECASE,
)


def contract(text: str) -> str:
    """Return the text with ``is not`` as ``isn't``, ``I would`` as ``I'd`` and so on."""
    text = f" {text}"
    for long, short in _CONTRACTIONS:
        text = text.replace(long, short)
    return text[1:]


def speak_for_many(text: str) -> str:
    """Return the text with ``we`` for ``I``; ``my wife`` stays whose she is."""
    return _WE.sub(lambda found: _like(_PLURAL[found[0].lower()], found[0]), text)


def _like(new: str, old: str) -> str:
    pronoun = re.match(r"I\b", old)
    return new[0].upper() + new[1:] if old[0].isupper() and not pronoun else new
