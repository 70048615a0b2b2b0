from collections import Counter

import pytest

from routing.records import Email
from routing.text.tokens import is_word, token_texts
from routing.training.disorders import (
    DISORDERS,
    move_negation,
    out_of_scope,
    shuffle_sentences,
    shuffle_words,
    swap_nouns,
)

EMAIL = Email(
    "1",
    subject="Re: order AB-12345",
    text="The parcel came. It wasn't my lamp, though, but a kettle!\nPay £ 20 to 0171 123 4567?",
)


def words(email: Email) -> Counter[str]:
    return Counter(text for text in token_texts(email) if is_word(text))


@pytest.mark.parametrize("name", DISORDERS)
def test_a_disorder_keeps_the_words_and_changes_their_order(name: str) -> None:
    changed = DISORDERS[name](EMAIL)
    assert words(changed) == words(EMAIL)
    assert token_texts(changed) != token_texts(EMAIL)
    assert (changed.id, changed.subject.split()[-1]) != ("", "")


@pytest.mark.parametrize("name", DISORDERS)
def test_the_same_email_is_always_changed_the_same_way(name: str) -> None:
    assert DISORDERS[name](EMAIL) == DISORDERS[name](EMAIL)


def test_subject_and_text_are_shuffled_apart() -> None:
    email = Email("1", subject="one two three", text="four five six seven")
    changed = shuffle_words(email)
    assert sorted(changed.subject.split()) == ["one", "three", "two"]
    assert sorted(changed.text.split()) == ["five", "four", "seven", "six"]


def test_sentences_stay_whole() -> None:
    changed = shuffle_sentences(Email("1", text="One. Two two!\nThree three three? Four"))
    for sentence in ("One.", "Two two!", "Three three three?", "Four"):
        assert sentence in changed.text


def test_two_things_change_places_and_keep_their_punctuation() -> None:
    changed = swap_nouns(Email("1", text="The parcel, not my lamp, came."))
    assert changed.text == "The lamp, not my parcel, came."


@pytest.mark.parametrize("text", ["Hello", "The parcel and the parcel", ""])
def test_without_two_things_nothing_is_swapped(text: str) -> None:
    email = Email("1", text=text)
    assert swap_nouns(email) is email


@pytest.mark.parametrize("text", ["I want it", "not", "", "not so"])
def test_without_a_negation_or_a_place_for_it_nothing_moves(text: str) -> None:
    email = Email("1", text=text)
    assert move_negation(email) is email


def test_a_negation_moves_to_another_word() -> None:
    changed = move_negation(Email("1", text="please do not send money but send goods"))
    assert changed.text.split().count("not") == 1
    assert "do not send money" not in changed.text


def test_probes_cover_every_kind_and_belong_to_no_route() -> None:
    probes = out_of_scope()
    assert {probe.route for probe in probes} == {""}
    assert {probe.phenomenon for probe in probes} == {
        "empty",
        "gibberish",
        "other language",
        "newsletter",
        "other matter",
        "auto-reply",
    }
    assert len({probe.email.id for probe in probes}) == len(probes)
    replies = [probe.email for probe in probes if probe.phenomenon == "auto-reply"]
    assert all(reply.auto_reply for reply in replies)
