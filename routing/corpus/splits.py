"""Splits of labelled e-mails, and cutting them without parting a group."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from routing.records import Email, Finding, LabelledEmail


@dataclass(frozen=True, slots=True)
class Splits:
    """What one fit needs.

    Attributes:
        train: e-mails to learn from.
        validation: e-mails for stopping and calibration.
        test: e-mails that are only measured on; may be empty.
        findings: what was left out while reading them.
    """

    train: list[LabelledEmail]
    validation: list[LabelledEmail]
    test: list[LabelledEmail]
    findings: tuple[Finding, ...] = ()


def split_groups(
    emails: Sequence[LabelledEmail], *, share: float, seed: int = 0
) -> tuple[list[LabelledEmail], list[LabelledEmail]]:
    """Return (rest, cut): about ``share`` of every route's e-mails are cut off.

    E-mails of one pair, one group (thread) or one text stay together. The same e-mails are cut
    whatever their order.
    """
    groups: dict[str, list[LabelledEmail]] = defaultdict(list)
    for root, item in zip(_roots(emails), emails, strict=True):
        groups[root].append(item)
    want: dict[str, float] = defaultdict(float)
    for item in emails:
        want[item.route] += share
    rest: list[LabelledEmail] = []
    cut: list[LabelledEmail] = []
    for root in sorted(groups, key=lambda name: _rank(name, seed)):
        members = groups[root]
        if sum(want[item.route] for item in members) >= len(members) / 2:
            cut += members
            for item in members:
                want[item.route] -= 1
        else:
            rest += members
    return rest, cut


def _roots(emails: Sequence[LabelledEmail]) -> list[str]:
    """Return for each e-mail the name of the group it belongs to (union-find over its keys)."""
    parent: dict[str, str] = {}

    def find(key: str) -> str:
        while parent.setdefault(key, key) != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    keyed = [_keys(item) for item in emails]
    for keys in keyed:
        for key in keys[1:]:
            first, second = sorted((find(keys[0]), find(key)))
            parent[second] = first
    return [find(keys[0]) for keys in keyed]


def text_key(email: Email) -> str:
    """Return subject and text with case and blanks evened out: the same for duplicates."""
    return " ".join(f"{email.subject} {email.text}".lower().split())


def _keys(item: LabelledEmail) -> list[str]:
    keys = [f"text:{text_key(item.email)}"]
    if item.pair:
        keys.append(f"pair:{item.pair}")
    if item.group:
        keys.append(f"group:{item.group}")
    return keys


def _rank(name: str, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed}:{name}".encode(), digest_size=8).digest()
