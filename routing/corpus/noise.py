"""Typing habits and slips, laid over both members of a pair alike.

A slip belongs to a word, not to a place: both members have the same misspelt words, so noise
never tells which member is which and an exact pair stays exact.
"""

import random
import re
from collections.abc import Callable

_WORD = re.compile(r"[A-Za-z]{4,}")
_NEAR = {
    "a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj",
    "i": "uo", "j": "hk", "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o",
    "q": "w", "r": "et", "s": "ad", "t": "ry", "u": "yi", "v": "cb", "w": "qe", "x": "zc",
    "y": "tu", "z": "x",
}  # fmt: skip
_SHORT = {
    "you": "u", "your": "ur", "please": "pls", "are": "r", "for": "4", "because": "cos",
    "thanks": "thx", "and": "n", "to": "2", "with": "w", "though": "tho", "message": "msg",
}  # fmt: skip

Change = Callable[[str], str]


def draw_noise(rng: random.Random, *, strength: float, texts: tuple[str, str]) -> Change:
    """Return one change to be made to both members.

    Args:
        rng: source of chance.
        strength: share of the longer words that are misspelt, 0 to 1; also how likely each
            habit (no capitals, no full stops, texting words) is.
        texts: the members; slips are drawn from the words that both have.
    """
    slips = _draw_slips(rng, strength, texts)
    steps: list[Change] = []
    if slips:
        steps.append(lambda text: _replace_words(text, slips))
    if rng.random() < strength * 2:
        short = {w: s for w, s in _SHORT.items() if rng.random() < 0.6}
        steps.append(lambda text: _replace_words(text, short))
    if rng.random() < strength * 3:
        steps.append(str.lower)
    elif rng.random() < strength / 2:
        steps.append(str.upper)
    if rng.random() < strength * 3:
        steps.append(drop_apostrophes)
    if rng.random() < strength * 2:
        steps.append(drop_punctuation)
    return lambda text: _apply(steps, text)


def _apply(steps: list[Change], text: str) -> str:
    for step in steps:
        text = step(text)
    return text


def _draw_slips(rng: random.Random, strength: float, texts: tuple[str, str]) -> dict[str, str]:
    first = dict.fromkeys(word.lower() for word in _WORD.findall(texts[0]))
    second = {word.lower() for word in _WORD.findall(texts[1])}
    return {
        word: misspell(word, rng) for word in first if word in second and rng.random() < strength
    }


def misspell(word: str, rng: random.Random) -> str:
    """Return the word with two letters swapped, one lost, one doubled or one mistyped."""
    at = 1 + int(rng.random() * (len(word) - 2))
    match int(rng.random() * 4):
        case 0:
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case 1:
            return word[:at] + word[at + 1 :]
        case 2:
            return word[:at] + word[at] + word[at:]
        case _:
            near = _NEAR[word[at]]
            return word[:at] + near[int(rng.random() * len(near))] + word[at + 1 :]


def _replace_words(text: str, words: dict[str, str]) -> str:
    def replace(found: re.Match[str]) -> str:
        word = found[0]
        new = words.get(word.lower())
        if new is None:
            return word
        return new.capitalize() if word[0].isupper() else new

    return re.sub(r"[A-Za-z]+", replace, text)


def drop_apostrophes(text: str) -> str:
    """Return the text without apostrophes inside words: ``dont``, ``its``."""
    return re.sub(r"(?<=\w)'(?=\w)", "", text)


def drop_punctuation(text: str) -> str:
    """Return the text without commas and most full stops; sentences run on."""
    return re.sub(r"[,;.](?=\s|$)", "", text)
