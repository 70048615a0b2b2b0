"""Cutting labelled e-mails into splits without parting a group."""

import hashlib
from collections import defaultdict
from collections.abc import Sequence

from routing.records import LabelledEmail


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


def _keys(item: LabelledEmail) -> list[str]:
    text = " ".join(f"{item.email.subject} {item.email.text}".lower().split())
    keys = [f"text:{text}"]
    if item.pair:
        keys.append(f"pair:{item.pair}")
    if item.group:
        keys.append(f"group:{item.group}")
    return keys


def _rank(name: str, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed}:{name}".encode(), digest_size=8).digest()
