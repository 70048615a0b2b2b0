"""Cartwise e-mails out of the grammar: any number of labelled minimal pairs from a seed.

Both members of a pair are one expansion of one pattern, written out twice: once with the one
thing in the open role, once with the other. All that does not decide is the same in both.
"""

import random
from collections.abc import Iterator
from itertools import islice

from routing.corpus.maker import ROUTES, Maker
from routing.corpus.notes import Note, NotedPair
from routing.corpus.recipes import find_recipe
from routing.errors import CorpusError
from routing.records import Email, LabelledEmail, Pair


def make_pairs(
    *, count: int, seed: int, suite: str = "train", noise: float | None = None
) -> Iterator[Pair]:
    """Yield minimal pairs, the same ones for the same arguments.

    Args:
        count: number of pairs.
        seed: any whole number.
        suite: ``train`` or a suite that is made (suites.py has their cards).
        noise: share of pairs with typing slips and habits, 0 to 1; None for the suite's own.

    Raises:
        CorpusError: a suite that does not exist, or noise outside 0 to 1.
    """
    for noted in make_noted_pairs(count=count, seed=seed, suite=suite, noise=noise):
        yield noted.pair


def make_noted_pairs(
    *, count: int, seed: int, suite: str = "train", noise: float | None = None
) -> Iterator[NotedPair]:
    """Yield the pairs of ``make_pairs`` with their constructions and case notes."""
    recipe = find_recipe(suite)
    if noise is not None and not 0 <= noise <= 1:
        raise CorpusError(f"noise {noise} is not a share: give a number from 0 to 1")
    maker = Maker(recipe, random.Random(f"{suite} {seed}"), noise)
    made = 0
    while made < count:
        noted = maker.draw(f"{suite}-{seed}-{made}")
        if noted is not None:
            made += 1
            yield noted


def make_noted_emails(
    *, count: int, seed: int, suite: str = "train", noise: float | None = None
) -> Iterator[tuple[str, Note]]:
    """Yield texts with their case notes: both members of each pair, one after the other."""
    pairs = make_noted_pairs(count=-(-count // 2), seed=seed, suite=suite, noise=noise)
    texts = ((n.pair.members[route], n.notes[route]) for n in pairs for route in ROUTES)
    yield from islice(texts, count)


def make_emails(
    *, count: int, seed: int, suite: str = "train", noise: float | None = None
) -> Iterator[LabelledEmail]:
    """Yield labelled e-mails: both members of each pair, one after the other."""
    pairs = make_pairs(count=-(-count // 2), seed=seed, suite=suite, noise=noise)
    emails = (email for pair in pairs for email in label_members(pair))
    yield from islice(emails, count)


def label_members(pair: Pair) -> tuple[LabelledEmail, ...]:
    """Return the members of a pair as labelled e-mails of one group, nothing trimmed."""
    labelled = []
    for route, member in pair.members.items():
        subject, text = split_subject(member)
        email = Email(id=f"{pair.id}/{route}", subject=subject, text=text, body=text)
        labelled.append(
            LabelledEmail(
                email=email, route=route, group=pair.id, pair=pair.id, phenomenon=pair.phenomenon
            )
        )
    return tuple(labelled)


def split_subject(member: str) -> tuple[str, str]:
    """Return the subject and the rest of a member; the subject is its ``Subject:`` line."""
    if member[:8].lower() != "subject:":
        return "", member
    subject, _, text = member.partition("\n")
    return subject[8:].strip(), text.strip()
