"""What is odd in labelled e-mails, found before a router is trained on them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from routing.corpus.splits import Splits, text_key
from routing.errors import CorpusError
from routing.records import Finding, LabelledEmail

_SHOWN = 3

_Said = Mapping[str, Sequence[tuple[str, LabelledEmail]]]
"""The e-mails of each split, each after what it says (``text_key``)."""


def check_splits(splits: Splits, *, min_emails: int) -> list[Finding]:
    """Return everything odd, the findings of reading first; none for clean e-mails.

    ``min_emails``: fewest training e-mails that a route should have.
    """
    named = {"train": splits.train, "validation": splits.validation, "test": splits.test}
    said = {
        name: [(text_key(item.email), item) for item in emails] for name, emails in named.items()
    }
    checks = [
        _empty_texts(said),
        _duplicates(said),
        _two_routes(said),
        _few_emails(splits.train, min_emails=min_emails),
        _unknown_routes(named),
    ]
    return [*splits.findings, *(finding for finding in checks if finding.count)]


def refuse(findings: Sequence[Finding]) -> None:
    """Raise CorpusError with every finding, one a line, when there is any."""
    if findings:
        lines = "\n".join(finding.message for finding in findings)
        raise CorpusError(f"{lines}\nmend the e-mails, or train all the same: --data.checks warn")


def name_some(names: Iterable[str]) -> str:
    """Return the first few of ``names``, with dots for the rest."""
    names = list(names)
    shown = ", ".join(names[:_SHOWN])
    return f"{shown}, …" if len(names) > _SHOWN else shown


def _empty_texts(said: _Said) -> Finding:
    found = [item.email.id for emails in said.values() for text, item in emails if not text]
    message = f"{len(found)} e-mails have an empty text ({name_some(found)}): leave them out"
    return Finding(kind="empty text", count=len(found), message=message)


def _duplicates(said: _Said) -> Finding:
    """E-mails whose text stands in an earlier split, too: what is measured on them is not so."""
    seen: set[str] = set()
    found: list[str] = []
    for split, emails in said.items():
        found += [f"{split}: {item.email.id}" for text, item in emails if text and text in seen]
        seen |= {text for text, _ in emails}
    message = (
        f"{len(found)} e-mails stand in an earlier split with the same text "
        f"({name_some(found)}): leave them out of one"
    )
    return Finding(kind="duplicate across splits", count=len(found), message=message)


def _two_routes(said: _Said) -> Finding:
    routes: dict[str, set[str]] = defaultdict(set)
    for emails in said.values():
        for text, item in emails:
            routes[text].add(item.route)
    torn = {text: sorted(names) for text, names in routes.items() if len(names) > 1 and text}
    shown = name_some(f"{text[:40]!r}: {' and '.join(names)}" for text, names in torn.items())
    message = f"{len(torn)} texts have more than one route ({shown}): choose one for each"
    return Finding(kind="two routes", count=len(torn), message=message)


def _few_emails(train: Sequence[LabelledEmail], *, min_emails: int) -> Finding:
    counts = Counter(item.route for item in train)
    few = {route: count for route, count in sorted(counts.items()) if count < min_emails}
    shown = name_some(f"{route}: {count}" for route, count in few.items())
    message = (
        f"{len(few)} routes have fewer than {min_emails} training e-mails ({shown}): "
        "add e-mails, join routes, or lower data.min_emails"
    )
    return Finding(kind="few e-mails", count=len(few), message=message)


def _unknown_routes(named: Mapping[str, Sequence[LabelledEmail]]) -> Finding:
    known = {item.route for item in named["train"]}
    lost = Counter(
        item.route for emails in named.values() for item in emails if item.route not in known
    )
    shown = name_some(f"{route}: {count}" for route, count in sorted(lost.items()))
    message = (
        f"{len(lost)} routes have no training e-mail and can never be right ({shown}): "
        "add training e-mails or leave them out"
    )
    return Finding(kind="unknown route", count=len(lost), message=message)
