"""Batches: every e-mail once, pairs whole, ranks apart, little padding."""

import itertools

import numpy as np
import pytest
import torch

from routing.corpus.readers import WordReader
from routing.errors import SettingsError
from routing.records import Email, LabelledEmail
from routing.settings import TrainSettings
from routing.text.vocabulary import build_vocabulary
from routing.training.data import (
    Batches,
    RoutingData,
    curriculum_share,
    deal,
    encode,
    shortest_units,
)


def make_emails(count: int, *, pairs: int = 0) -> list[LabelledEmail]:
    """Return ``count`` e-mails of lengths 1, 2, 3 …, the first 2 * ``pairs`` of them in pairs."""
    return [
        LabelledEmail(
            email=Email(id=str(i), text=" ".join(f"w{i}" for _ in range(i + 1))),
            route="ab"[i % 2],
            pair=f"p{i // 2}" if i < 2 * pairs else "",
        )
        for i in range(count)
    ]


def make_reader(emails: list[LabelledEmail]) -> WordReader:
    texts = [item.email.text.split() for item in emails]
    vocabulary = build_vocabulary(texts, min_count=1, max_words=999, piece_buckets=0)
    return WordReader(vocabulary, placeholders=False, max_tokens=400)


def make_batches(emails: list[LabelledEmail], **options: object) -> Batches:
    reader = make_reader(emails)
    options = {"batch_emails": 4, "seed": 3, **options}
    return Batches(encode(emails, reader, ("a", "b")), reader, **options)


def seen(batches: Batches) -> list[int]:
    """Return the lengths of the e-mails that count; they tell the e-mails apart."""
    return [
        int(length)
        for batch in batches
        for length, weight in zip(batch.lengths, batch.weights, strict=True)
        if weight > 0
    ]


@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
@pytest.mark.parametrize(("count", "pairs"), [(1, 0), (7, 0), (13, 3), (20, 10)])
def test_ranks_together_see_every_email_once(ranks, count, pairs):
    emails = make_emails(count, pairs=pairs)
    parts = [make_batches(emails, rank=rank, ranks=ranks) for rank in range(ranks)]
    assert sorted(itertools.chain.from_iterable(map(seen, parts))) == list(range(1, count + 1))
    assert len({len(list(part)) for part in parts}) == 1, "every rank takes as many steps"


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_mean_over_ranks_of_weighted_sums_is_the_mean_over_the_batch(ranks):
    emails = make_emails(13, pairs=3)
    parts = [list(make_batches(emails, rank=rank, ranks=ranks)) for rank in range(ranks)]
    whole = list(make_batches(emails))
    for step, batch in enumerate(whole):
        sums = [(p[step].weights * p[step].lengths).sum() for p in parts]
        assert float(sum(sums)) / ranks == pytest.approx(float(batch.lengths.double().mean()))


def test_members_of_a_pair_stand_in_one_batch():
    emails = make_emails(12, pairs=6)
    for batch in make_batches(emails):
        assert len(batch.pairs) == 2
        for first, second in batch.pairs.tolist():
            low, high = sorted(batch.lengths[[first, second]].tolist())
            assert (low % 2, high) == (1, low + 1)


def test_epochs_have_orders_of_their_own_that_repeat():
    emails = make_emails(40)
    assert seen(make_batches(emails, epoch=1)) == seen(make_batches(emails, epoch=1))
    assert seen(make_batches(emails, epoch=1)) != seen(make_batches(emails, epoch=2))
    assert seen(make_batches(emails, epoch=1)) != seen(make_batches(emails, epoch=1, seed=4))


def test_batches_before_the_first_are_left_out():
    emails = make_emails(22)
    whole, rest = make_batches(emails), make_batches(emails, first=2)
    assert len(rest) == len(whole)
    assert seen(rest) == seen(whole)[8:]


def test_padding_is_at_most_five_percent():
    rng = np.random.default_rng(0)
    lengths = np.clip(rng.lognormal(3.6, 0.7, 8000), 1, 400).astype(int)
    emails = [
        LabelledEmail(Email(id=str(i), text=" ".join(["w"] * n)), route="a")
        for i, n in enumerate(lengths)
    ]
    reader = make_reader(emails)
    batches = Batches(encode(emails, reader, ("a",)), reader, batch_emails=64, seed=0)
    places = sum(batch.token_ids.numel() for batch in batches)
    real = sum(int(batch.lengths.sum()) for batch in batches)
    assert real == lengths.sum()
    assert 1 - real / places <= 0.05


def test_shortest_units_keep_pairs_and_order():
    units = [(0, 1), (2,), (3, 4), (5,)]
    lengths = [9, 1, 2, 4, 5, 7]
    assert shortest_units(lengths, units, share=0.5) == [(2,), (3, 4)]
    assert shortest_units(lengths, units, share=0.01) == [(2,)]
    assert shortest_units(lengths, units, share=1.0) == units


@pytest.mark.parametrize(
    ("curriculum", "shares"), [(0, [1, 1]), (1, [0.5, 1]), (3, [0.25, 0.5, 0.75, 1, 1])]
)
def test_curriculum_grows_evenly(curriculum, shares):
    found = [curriculum_share(e, curriculum_epochs=curriculum) for e in range(len(shares))]
    assert found == shares


@pytest.mark.parametrize("accumulate", [1, 3])
@pytest.mark.parametrize("curriculum", [0.0, 2.0])
def test_steps_are_counted_as_they_are_taken(accumulate, curriculum):
    emails = make_emails(45, pairs=8)
    reader = make_reader(emails)
    split = encode(emails, reader, ("a", "b"))
    settings = TrainSettings(epochs=4, batch_emails=6, curriculum_epochs=curriculum)
    data = RoutingData(train=split, validation=split, reader=reader, settings=settings)
    taken = sum(-(-len(list(data._training_batches(epoch))) // accumulate) for epoch in range(4))
    assert data.optimizer_steps(accumulate) == taken


def test_each_epoch_takes_its_part_and_all_parts_are_all_emails():
    emails = make_emails(45, pairs=8)
    reader = make_reader(emails)
    split = encode(emails, reader, ("a", "b"))
    settings = TrainSettings(epochs=4, batch_emails=6)
    data = RoutingData(train=split, validation=split, reader=reader, settings=settings, parts=4)
    parts = [seen(data._training_batches(epoch)) for epoch in range(4)]
    assert sorted(itertools.chain.from_iterable(parts)) == list(range(1, 46))
    assert [len(part) for part in parts] == [12, 11, 11, 11]
    assert sorted(seen(data._training_batches(5))) == sorted(parts[1])


def test_more_parts_than_emails_are_refused():
    with pytest.raises(SettingsError, match=r"corpus\.parts 3 is more .* deal out: 2"):
        deal([(0, 1), (2,)], parts=3, epoch=0)


def test_teacher_goes_with_its_emails():
    emails = make_emails(5)
    reader = make_reader(emails)
    split = encode(emails, reader, ("a", "b"))
    teacher = np.array([[i / 10, 1 - i / 10] for i in range(5)])
    split = type(split)(split.rows, split.routes, split.units, teacher)
    for batch in Batches(split, reader, batch_emails=2, seed=0):
        torch.testing.assert_close(batch.teacher[:, 0], (batch.lengths - 1) / 10)
