"""Which language a text is in, told by its commonest words, or by its script.

Good enough to hand an e-mail in a language that training never saw to a person; no more.
"""

import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

_COMMON = {
    "English": "a an the and to of is you that it in for on are with my have this not was be i at "
    "what how can do would please your from when but they we there as so by "
    "or if about any",
    "German": "der die das und ist nicht ich ein eine einen mit für auf dem den wie mein meine "
    "habe sie zu von wurde noch bitte kann aber wo wir es im auch wann",
    "French": "le la les des et est pas je un une pour que qui dans mon ma vous nous avec sur ce "
    "au du mais où votre été bonjour merci sont aux comment",
    "Spanish": "el la los las y es no un una que de en mi por para con se lo su pero como más "
    "está cuando dónde gracias hola quiero puedo del al",
    "Portuguese": "o os as e é não um uma que de em meu minha por para com se mas como mais está "
    "quando onde obrigado olá quero do da no na foi ainda",
    "Italian": "il lo gli e è non un una che di in mio mia per con si ma come più sono quando "
    "dove grazie della del ho al dal alla ancora vorrei",
    "Dutch": "de het een en is niet ik van dat op te zijn voor met mijn aan er maar om wat waar "
    "heb heeft ook nog wel kan bij graag jullie",
    "Swedish": "och att det är jag inte en ett på som för med har den till av min mitt men var "
    "vad när kan ni om från hej tack",
    "Danish": "og at det er jeg ikke en et på som for med har den til af min mit men hvor hvad "
    "når kan fra hej tak jeres endnu",
    "Norwegian": "og at det er jeg ikke en et på som for med har den til av min mitt men hvor hva "
    "når kan fra hei takk deres ennå",
    "Finnish": "ja on ei että se en hän mutta tai kun minun olen ole mitä missä miten hei kiitos "
    "joka jos myös vielä nyt voi",
    "Polish": "i nie się na jest to w z do że mi mój moja ale jak co czy kiedy gdzie proszę "
    "dziękuję jestem są od dla już został",
    "Czech": "a je se na to v že s z do mi můj moje ale jak co kdy kde prosím děkuji jsem jsou od "
    "pro už ještě není nebyl",
    "Hungarian": "a az és nem hogy van egy is meg de mi nekem mikor hol kérem köszönöm vagyok "
    "csak már még ez el volt",
    "Romanian": "și este nu un o la în de pe cu că am mi meu mea dar cum când unde vă mulțumesc "
    "sunt pentru din mai fost",
    "Turkish": "ve bir bu için ne de da var değil ben benim nasıl nerede lütfen teşekkür ama çok "
    "mi mı henüz oldu",
    "Indonesian": "dan yang di tidak saya itu ini untuk dengan ada ke dari belum sudah bisa apa "
    "kapan mana terima kasih tolong",
}
_NAMES = tuple(_COMMON)
_ALL = dict.fromkeys(" ".join(_COMMON.values()).split())
COMMON_PLACES = {word: place for place, word in enumerate(_ALL)}
"""Common word -> its column in what ``guess_languages`` is given."""

_TELLS = [[i for i, name in enumerate(_NAMES) if word in _COMMON[name].split()] for word in _ALL]
_WIDEST = max(map(len, _TELLS))
_LANGUAGES = np.array([[*told, *[len(_NAMES)] * (_WIDEST - len(told))] for told in _TELLS])
"""Places of the languages that each common word is of, (C, most), filled up with one past all."""


def guess_language(words: Sequence[str]) -> str | None:
    """Return the language of lower-case ``words``, or ``Greek script`` and the like.

    None when it cannot be told: fewer than two different common words, or two languages that
    are close together.
    """
    if script := name_script(guess_script("".join(words))):
        return script
    found = np.zeros((1, len(COMMON_PLACES)), bool)
    found[0, [COMMON_PLACES[word] for word in COMMON_PLACES.keys() & words]] = True
    return guess_languages(found, np.array([len(words)]))[0]


def guess_languages(found: npt.NDArray[np.bool_], words: npt.NDArray[np.int64]) -> list[str | None]:
    """Return the language of each of some texts in Latin script, None where it cannot be told.

    Args:
        found: (B, C), True where the text holds the common word of that column.
        words: (B,) how many words each text has.
    """
    texts, places = np.nonzero(found)
    columns = len(_NAMES) + 1
    told = (texts[:, None] * columns + _LANGUAGES[places]).ravel()
    hits = np.bincount(told, minlength=len(found) * columns).reshape(-1, columns)[:, :-1]  # (B, L)
    second, first = np.sort(hits, axis=1)[:, -2:].T
    sure = (first >= np.maximum(2, 0.15 * words)) & (first >= 1.5 * second)
    best = hits.argmax(axis=1).tolist()
    return [_NAMES[i] if told else None for i, told in zip(best, sure.tolist(), strict=True)]


def guess_script(text: str) -> str | None:
    """Return the script of most letters of ``text``: Latin, Cyrillic, Cjk …; None without."""
    if text.isascii():
        return "Latin" if any(map(str.isalpha, text)) else None
    scripts: Counter[str] = Counter()
    for char, count in Counter(text).items():
        if char.isalpha():
            scripts[_script(char)] += count
    return scripts.most_common(1)[0][0].title() if scripts else None


def name_script(script: str | None) -> str | None:
    """Return ``Greek script`` and the like, None for Latin script: it can be of many languages."""
    return None if script in (None, "Latin") else f"{script} script"


@lru_cache(maxsize=10_000)
def _script(char: str) -> str:
    return unicodedata.name(char, "UNKNOWN").split()[0].split("-")[0]
