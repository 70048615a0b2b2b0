"""Languages told by common words and scripts."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from routing.records import Email
from routing.text import languages
from routing.text.languages import COMMON_PLACES, guess_language, guess_languages, guess_script
from routing.text.tokens import is_word, token_texts


def words(text: str) -> list[str]:
    return [word for word in token_texts(Email(id="1", text=text)) if is_word(word)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("English", "Where is my parcel?"),
        ("German", "Wo ist mein Paket? Ich warte seit zwei Wochen."),
        ("French", "Où est mon colis ? Je l'attends depuis deux semaines."),
        ("Spanish", "¿Dónde está mi paquete? Quiero mi dinero."),
        ("Italian", "Vorrei un rimborso, non un nuovo pacco."),
        ("Portuguese", "Olá, onde está a minha encomenda? Ainda não chegou."),
        ("Dutch", "Waar is mijn pakket?"),
        ("Swedish", "Jag vill ha pengarna tillbaka, inte en ny vara."),
        ("Finnish", "Hei, missä minun pakettini on?"),
        ("Polish", "Gdzie jest moja paczka? Nie dotarła."),
        ("Turkish", "Kargom nerede? Lütfen yardım."),
        ("Cyrillic script", "Где моя посылка?"),
        ("Greek script", "Πού είναι το δέμα μου;"),
        ("Cjk script", "我的包裹在哪里"),
    ],
)
def test_a_language_is_told_by_its_common_words(language: str, text: str) -> None:
    assert guess_language(words(text)) == language


@pytest.mark.parametrize("text", ["", "parcel late refund", "a a a a a", "die", "12 34 !"])
def test_what_cannot_be_told_is_none(text: str) -> None:
    assert guess_language(words(text)) is None


def test_the_script_is_that_of_most_letters() -> None:
    assert guess_script("abc где") == "Latin"
    assert guess_script("123 !") is None


def counted(words: list[str]) -> str | None:
    """Return the language that has most of the common words, told word by word."""
    texts = {name: text.split() for name, text in languages._COMMON.items()}
    hits = Counter(name for word in set(words) for name, text in texts.items() if word in text)
    (best, count), (_, second) = [*hits.most_common(2), ("", 0), ("", 0)][:2]
    enough = count >= max(2, 0.15 * len(words))
    return best if enough and count >= 1.5 * second else None


def test_many_texts_are_told_as_each_alone_is() -> None:
    rng = Random(3)
    common = list(COMMON_PLACES)
    mixed = [*common, *[f"word{i}" for i in range(300)]]
    texts = [rng.choices(rng.choice([common, mixed]), k=rng.randint(0, 12)) for _ in range(2_000)]
    texts += [text.split()[: rng.randint(1, 9)] for text in languages._COMMON.values()]
    found = np.zeros((len(texts), len(common)), bool)
    for row, text in zip(found, texts, strict=True):
        row[[COMMON_PLACES[word] for word in text if word in COMMON_PLACES]] = True
    told = guess_languages(found, np.array(list(map(len, texts))))
    assert told == list(map(counted, texts)) == list(map(guess_language, texts))
    assert 50 < sum(language is not None for language in told) < len(texts) - 50
    assert guess_languages(found[:0], np.zeros(0, int)) == []
