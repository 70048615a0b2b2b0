import json
import re
from collections import Counter

import pytest

from routing.corpus.cartwise import make_noted_pairs, make_pairs
from routing.corpus.grammar import PHENOMENA
from routing.corpus.maker import read_grammar
from routing.corpus.pairs import read_pairs, write_pairs
from routing.corpus.suites import make_suite, read_cards
from routing.corpus.things import read_words
from routing.corpus.written import is_held_out, written_pairs
from routing.errors import CorpusError

MADE = [name for name in read_cards() if name != "written"]
TRAINED = list(make_noted_pairs(count=3000, seed=1))


def texts(pairs):
    return {text for pair in pairs for text in pair.members.values()}


def test_there_are_seven_suites_and_each_has_a_card():
    cards = read_cards()
    assert list(cards) == [
        "in_distribution",
        "unseen_words",
        "unseen_constructions",
        "long_distance",
        "long_emails",
        "noisy",
        "written",
    ]
    assert all(card.asks and card.held_out and card.size >= 200 for card in cards.values())


@pytest.mark.parametrize("name", MADE)
def test_a_suite_is_repeatable_and_has_every_phenomenon(name):
    pairs = make_suite(name, count=100, seed=3)
    assert pairs == make_suite(name, count=100, seed=3)
    assert len(pairs) == 100
    assert {pair.phenomenon for pair in pairs} == set(PHENOMENA)


@pytest.mark.parametrize("name", MADE)
def test_no_text_of_a_suite_is_trained_on(name):
    trained = texts(noted.pair for noted in TRAINED)
    assert not trained & texts(make_suite(name, count=100))


def test_what_is_trained_on_and_what_is_tested_are_parted_by_the_deciding_sentences():
    def bare(pairs):
        return {text for text in texts(pairs) if len(text.split()) < 14 and "\n" not in text}

    trained = bare(make_pairs(count=3000, seed=4, noise=0.0))
    tested = bare(make_pairs(count=300, seed=5, suite="in_distribution", noise=0.0))
    assert len(tested) > 25
    assert not trained & tested


def test_unseen_words_share_no_content_and_no_container_with_training():
    tables = read_grammar().tables
    held_out, trained = read_words(tables, held_out=True), read_words(tables, held_out=False)
    nouns = [n.text.lower() for n in (*held_out.contents, *held_out.containers)]
    assert len(held_out.contents) >= 30
    assert len(held_out.containers) >= 10
    assert not set(nouns) & {n.text.lower() for n in (*trained.contents, *trained.containers)}
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, nouns))})\b")
    for noted in make_noted_pairs(count=1500, seed=9, noise=0.0):
        for text in noted.pair.members.values():
            assert not pattern.search(text.lower()), text


def test_every_pair_of_unseen_words_names_an_unseen_word():
    held_out = read_words(read_grammar().tables, held_out=True)
    nouns = [n.text.lower() for n in (*held_out.contents, *held_out.containers)]
    for pair in make_pairs(count=200, seed=1, suite="unseen_words", noise=0.0):
        for text in pair.members.values():
            assert any(noun in text.lower() for noun in nouns), text


def test_unseen_constructions_are_whole_and_at_least_two_in_each_phenomenon():
    trained = {(noted.pair.phenomenon, noted.construction) for noted in TRAINED}
    suite = make_noted_pairs(count=600, seed=2, suite="unseen_constructions")
    unseen = {(noted.pair.phenomenon, noted.construction) for noted in suite}
    assert not trained & unseen
    counts = Counter(phenomenon for phenomenon, _ in unseen)
    assert all(counts[phenomenon] >= 2 for phenomenon in PHENOMENA)


def test_deciding_words_of_long_distance_are_50_to_300_words_apart():
    distances = [pair.distance for pair in make_suite("long_distance", count=300)]
    assert min(distances) >= 50
    assert 200 < max(distances) <= 300


def test_a_distance_is_counted_between_the_deciding_words():
    (pair,) = make_pairs(count=1, seed=0, suite="long_distance")
    assert all(len(text.split()) > pair.distance for text in pair.members.values())


def test_long_emails_are_longer_than_any_trained_on():
    suite = texts(make_suite("long_emails", count=60))
    longest = max(len(t.split()) for noted in TRAINED for t in noted.pair.members.values())
    assert min(len(text.split()) for text in suite) > max(250, longest)
    assert max(len(text.split()) for text in suite) <= 400


def test_noisy_pairs_are_noisier_than_training():
    known = {word for text in texts(n.pair for n in TRAINED[:1500]) for word in text.split()}

    def odd(pairs):
        found = [word for text in texts(pairs) for word in text.split()]
        return sum(word not in known for word in found) / len(found)

    assert odd(make_suite("noisy", count=100)) > 1.4 * odd(make_suite("in_distribution", count=100))


def test_a_tenth_of_the_written_pairs_is_held_out_with_every_phenomenon_and_writer():
    trained, held_out = written_pairs("train"), written_pairs("held_out")
    assert 0.07 < len(held_out) / (len(trained) + len(held_out)) < 0.13
    assert {pair.phenomenon for pair in held_out} == set(PHENOMENA)
    writers = {pair.id.split("-")[0] for pair in trained}
    assert {pair.id.split("-")[0] for pair in held_out} == writers
    assert not {pair.id for pair in trained} & {pair.id for pair in held_out}
    assert not texts(trained) & texts(held_out)


def test_the_written_suite_is_the_held_out_tenth():
    assert make_suite("written") == written_pairs("held_out")
    some = make_suite("written", count=40)
    assert len(some) == 40
    assert len({pair.id.split("-")[0] for pair in some}) > 15, "by many writers"


@pytest.mark.parametrize(("pair_id", "expected"), [("a-owed-01", False), ("a-owed-13", False)])
def test_a_written_pair_stays_on_its_side(pair_id, expected):
    assert is_held_out(pair_id) == expected


def test_an_unknown_split_is_refused():
    with pytest.raises(CorpusError, match="split 'test' does not exist: choose train or held_out"):
        written_pairs("test")


def test_missing_written_pairs_are_named(monkeypatch, tmp_path):
    monkeypatch.setattr("routing.corpus.written.data_folder", lambda: tmp_path)
    with pytest.raises(CorpusError, match=r"has no \*\.jsonl: restore the written pairs"):
        written_pairs()


def test_an_unknown_suite_is_refused_with_those_that_exist():
    with pytest.raises(CorpusError, match="suite 'easy' does not exist: choose from in_dist"):
        make_suite("easy")


def test_a_suite_written_to_a_file_is_read_back(tmp_path):
    pairs = make_suite("long_distance", count=5)
    assert write_pairs(tmp_path / "suite.jsonl", pairs) == 5
    assert read_pairs(tmp_path / "suite.jsonl") == pairs
    first = json.loads((tmp_path / "suite.jsonl").read_text().split("\n")[0])
    assert set(first) == {"id", "phenomenon", "refunds", "delivery", "distance"}
