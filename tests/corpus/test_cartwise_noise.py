import random
import re
from collections import Counter

import pytest

from routing.corpus.noise import draw_noise, drop_apostrophes, drop_punctuation, misspell
from routing.corpus.voices import contract, speak_for_many

A = "The refund came, the kettle didn't. Please send the kettle."
B = "The kettle came, the refund didn't. Please send the kettle."


def words(text):
    return Counter(re.findall(r"[a-z0-9']+", text.lower()))


def test_noise_keeps_an_exact_pair_exact():
    for seed in range(200):
        change = draw_noise(random.Random(seed), strength=0.5, texts=(A, B))
        assert words(change(A)) == words(change(B))


def test_noise_is_repeatable():
    first, second = (draw_noise(random.Random(4), strength=0.5, texts=(A, B)) for _ in range(2))
    assert first(A) == second(A) != A


def test_no_strength_means_no_change():
    assert draw_noise(random.Random(4), strength=0.0, texts=(A, B))(A) == A


def test_a_misspelt_word_is_near_the_word():
    for seed in range(50):
        slip = misspell("kettle", random.Random(seed))
        assert abs(len(slip) - 6) <= 1
        assert slip[0] == "k"
        assert sum((Counter(slip) - Counter("kettle")).values()) <= 1


def test_apostrophes_inside_words_are_dropped():
    assert drop_apostrophes("it's 'mine', isn't it") == "its 'mine', isnt it"


def test_punctuation_at_the_end_of_words_is_dropped():
    assert drop_punctuation("No, not 3.50. Why?") == "No not 3.50 Why?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is not here. I would wait", "It isn't here. I'd wait"),
        ("The box is not here, as it is.", "The box isn't here, as it is."),
        ("Cannot say", "Can't say"),
        ("I have the box", "I have the box"),
        ("I have not seen", "I haven't seen"),
    ],
)
def test_contract(text, expected):
    assert contract(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I am here and give me my kettle", "we are here and give us our kettle"),
        ("my wife told me it is mine", "my wife told us it is ours"),
        ("Am I wrong? I was", "Are we wrong? we were"),
        ("The time and its limit", "The time and its limit"),
    ],
)
def test_speak_for_many(text, expected):
    assert speak_for_many(text) == expected
