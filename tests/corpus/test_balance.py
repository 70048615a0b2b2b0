"""No word, place, length, opening, closing or noise gives the route away.

Each test trains a small counting model on one kind of clue from training pairs and asks it for
the routes of pairs that training never sees. Knowing nothing, it gets one in two right.
"""

import re
from itertools import pairwise

import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from routing.corpus.cartwise import make_pairs

TRAINED = list(make_pairs(count=5000, seed=11))
TESTED = list(make_pairs(count=3000, seed=12, suite="in_distribution"))


def words(text):
    return re.findall(r"[a-z0-9']+", text.lower())


def guess(clues, *, tested=TESTED):
    """Return per pair whether each member's route is guessed right from its clues."""
    texts = [t for pair in TRAINED for t in pair.members.values()]
    vectorizer = CountVectorizer(analyzer=clues)
    counts = vectorizer.fit_transform(texts)
    model = MultinomialNB().fit(counts, [0, 1] * len(TRAINED))
    tests = [t for pair in tested for t in pair.members.values()]
    guesses = model.predict(vectorizer.transform(tests))
    return (guesses.reshape(-1, 2) == [0, 1]).tolist()


def share(guesses):
    return sum(sum(pair) for pair in guesses) / (2 * len(guesses))


def in_thirds(text):
    found = words(text)
    return [f"{word} {3 * at // len(found)}" for at, word in enumerate(found)]


def from_both_ends(text):
    found = words(text)
    ends = [*enumerate(found[:5]), *enumerate(found[:-6:-1], start=-5)]
    return [f"{word} {at}" for at, word in ends]


def bigram_places(text):
    found = words(text)
    return [f"{a} {b} {at}" for at, (a, b) in enumerate(pairwise(found[:4]))]


def layout(text):
    marks = [f"{mark} {min(text.count(mark), 9)}" for mark in ".,;:?!'\n>\"()"]
    return [*marks, f"words {len(words(text)) // 3}", f"letters {len(text) // 15}"]


def casing(text):
    return [str(text.islower()), str(text.isupper()), f"capitals {sum(map(str.isupper, text))}"]


CLUES = {
    "words": words,
    "words by thirds": in_thirds,
    "words at both ends": from_both_ends,
    "bigrams at the start": bigram_places,
    "length and marks": layout,
    "casing": casing,
}


@pytest.mark.parametrize("name", CLUES)
def test_no_clue_tells_the_route_beyond_52_percent(name):
    assert 0.48 <= share(guess(CLUES[name])) <= 0.52


def test_counting_words_gets_no_exact_pair_right():
    guesses = guess(words)
    exact = [
        guessed
        for pair, guessed in zip(TESTED, guesses, strict=True)
        if len({tuple(sorted(words(text))) for text in pair.members.values()}) == 1
    ]
    assert len(exact) >= 0.7 * len(TESTED)
    assert not any(all(guessed) for guessed in exact)


def test_the_same_test_finds_a_clue_where_there_is_one():
    delivery = {pair.members["delivery"] for pair in (*TRAINED, *TESTED)}
    assert share(guess(lambda text: [str(text in delivery)])) == 1.0


def test_the_thing_named_first_tells_nothing():
    money = re.compile(r"refund|money|repay|reimburse|credit|cheque|cash|price")
    goods = re.compile(r"replacement|deliver|resend|parcel|package|goods")
    right = total = 0
    for pair in TESTED:
        for route, text in pair.members.items():
            first_money, first_goods = money.search(text.lower()), goods.search(text.lower())
            if first_money and first_goods:
                total += 1
                money_first = first_money.start() < first_goods.start()
                right += money_first == (route == "refunds")
    assert total > 1500
    assert abs(right / total - 0.5) < 0.03
