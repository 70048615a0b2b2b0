import random
import re
from collections import Counter

import pytest

from routing.corpus.cartwise import (
    label_members,
    make_emails,
    make_noted_emails,
    make_noted_pairs,
    make_pairs,
    split_subject,
)
from routing.corpus.grammar import PHENOMENA
from routing.corpus.maker import read_grammar
from routing.corpus.pairs import pair_emails
from routing.errors import CorpusError
from routing.records import Pair

SOME = list(make_pairs(count=1500, seed=5))


def words(text):
    return re.findall(r"[a-z0-9']+", text.lower())


def test_the_same_seed_gives_the_same_pairs():
    assert list(make_pairs(count=30, seed=3)) == list(make_pairs(count=30, seed=3))


def test_another_seed_gives_other_pairs():
    first = {pair.members["refunds"] for pair in make_pairs(count=100, seed=1)}
    second = {pair.members["refunds"] for pair in make_pairs(count=100, seed=2)}
    assert len(first & second) < 3


def test_fewer_pairs_are_the_first_of_more():
    assert list(make_pairs(count=40, seed=3))[:7] == list(make_pairs(count=7, seed=3))


def test_making_pairs_leaves_the_global_source_of_chance_alone():
    random.seed(1)
    expected = random.random()
    random.seed(1)
    list(make_pairs(count=3, seed=0))
    assert random.random() == expected


def test_every_phenomenon_is_made_about_equally_often():
    counts = Counter(pair.phenomenon for pair in SOME)
    assert set(counts) == set(PHENOMENA)
    assert min(counts.values()) > 0.07 * len(SOME)


def test_a_pair_has_one_member_for_each_route_and_they_differ():
    for pair in SOME:
        assert list(pair.members) == ["refunds", "delivery"]
        assert pair.members["refunds"] != pair.members["delivery"]


def test_most_pairs_are_exact_and_the_rest_near():
    bags = [[Counter(words(text)) for text in pair.members.values()] for pair in SOME]
    differences = [sum(((a - b) + (b - a)).values()) for a, b in bags]
    assert sum(d == 0 for d in differences) >= 0.7 * len(SOME)
    assert sum(d <= 12 for d in differences) >= 0.95 * len(SOME)


def test_members_have_8_to_250_words():
    lengths = [len(text.split()) for pair in SOME for text in pair.members.values()]
    assert min(lengths) >= 8
    assert max(lengths) <= 250
    assert max(lengths) > 150


def test_no_notation_is_left_in_a_text():
    for pair in SOME:
        for text in pair.members.values():
            assert not re.search(r"[{}\[\]|$](?!\d)|//|==", text), text


def test_pairs_are_as_noisy_as_asked():
    def bare(noise):
        pairs = make_pairs(count=200, seed=1, noise=noise)
        return sum(pair.members["refunds"].islower() for pair in pairs)

    assert bare(0.0) < 10 < 30 < bare(1.0)


@pytest.mark.parametrize("noise", [-0.1, 1.5])
def test_noise_outside_0_to_1_is_refused(noise):
    with pytest.raises(CorpusError, match=rf"noise {noise} is not a share: give a number from"):
        list(make_pairs(count=1, seed=0, noise=noise))


def test_an_unknown_suite_is_refused_with_those_that_exist():
    with pytest.raises(
        CorpusError, match="suite 'hard' does not exist: choose from train, train_far"
    ):
        list(make_pairs(count=1, seed=0, suite="hard"))


def test_a_case_note_names_what_is_missing_and_what_came():
    for noted in make_noted_pairs(count=300, seed=2, noise=0.0):
        refunds, delivery = noted.notes["refunds"], noted.notes["delivery"]
        assert (refunds.missing, refunds.came) == (delivery.came, delivery.missing)
        assert bool(refunds.missing) != bool(refunds.wanted)
        assert refunds.wanted != delivery.wanted or refunds.missing


def test_a_case_note_is_one_line_with_a_placeholder_for_the_order_number():
    lines = [note.line() for _, note in make_noted_emails(count=400, seed=2)]
    assert all(re.search(r" · order: (<order>|none)$", line) for line in lines)
    assert any(re.match(r"missing: .+ · came: .+ · order: <order>", line) for line in lines)
    assert any(re.match(r"wanted: .+ · order: none", line) for line in lines)


def test_the_order_number_of_a_note_stands_in_the_text():
    for text, note in make_noted_emails(count=400, seed=4, noise=0.0):
        if note.order:
            assert note.order.lower() in text.lower()


def test_emails_of_a_pair_are_one_group_side_by_side():
    first, second, third = make_emails(count=3, seed=6)
    assert (first.route, second.route) == ("refunds", "delivery")
    assert first.group == first.pair == second.group != third.group
    assert first.email.id != second.email.id


def test_the_subject_line_of_a_member_becomes_the_subject():
    pair = Pair(id="p", phenomenon="owed", members={"refunds": "Subject: A b\n\nHi, c."})
    (email,) = label_members(pair)
    assert (email.email.subject, email.email.text) == ("A b", "Hi, c.")


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ("subject: x\ny", ("x", "y")),
        ("Hello", ("", "Hello")),
        ("Subject: only", ("only", "")),
    ],
)
def test_split_subject(member, expected):
    assert split_subject(member) == expected


def test_every_phenomenon_has_forty_patterns_and_eight_constructions_in_training():
    for phenomenon in PHENOMENA:
        trained = [p for p in read_grammar().patterns if p.phenomenon == phenomenon]
        trained = [p for p in trained if not p.held_out]
        assert len({p.sequence for p in trained}) >= 40
        assert len({p.construction for p in trained}) >= 8


def test_lists_are_as_long_as_promised():
    grammar = read_grammar()
    for name in ("came", "missing", "settled", "owed", "want", "refuse"):
        assert len(set(grammar.phrases[name].options)) >= 50, name
    assert len(grammar.tables["contents"].split("\n")) >= 300
    assert len(set(grammar.tables["containers"].split("\n"))) >= 60


def test_trimming_quotes_never_makes_the_members_alike():
    emails = pair_emails(make_pairs(count=1500, seed=3), trim="all")
    for first, second in zip(emails[::2], emails[1::2], strict=True):
        assert first.email.text != second.email.text, first.email.body
