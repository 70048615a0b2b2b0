"""Languages told by common words and scripts."""

import pytest

from routing.records import Email
from routing.text.languages import guess_language, guess_script
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
