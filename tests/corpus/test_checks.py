"""The checks of labelled e-mails before training."""

import pytest

from routing.corpus.checks import check_splits, name_some, refuse
from routing.corpus.splits import Splits
from routing.errors import CorpusError
from routing.records import Email, Finding, LabelledEmail


def emails(*texts: str, route: str = "delivery", name: str = "e") -> list[LabelledEmail]:
    return [
        LabelledEmail(email=Email(id=f"{name}{i}", text=text), route=route)
        for i, text in enumerate(texts)
    ]


def only(splits: Splits, *, min_emails: int = 1) -> Finding:
    (finding,) = check_splits(splits, min_emails=min_emails)
    return finding


def test_clean_emails_have_no_findings() -> None:
    splits = Splits(train=emails("a", "b"), validation=emails("c"), test=[])
    assert check_splits(splits, min_emails=2) == []


def test_empty_texts_are_counted() -> None:
    found = only(Splits(train=emails("a", " \n", ""), validation=emails("c"), test=[]))
    assert (found.kind, found.count) == ("empty text", 2)
    assert found.message == "2 e-mails have an empty text (e1, e2): leave them out"


def test_duplicates_across_splits_are_named_with_their_split() -> None:
    splits = Splits(train=emails("a"), validation=emails("A ", "b"), test=emails("b", "c"))
    found = only(splits)
    assert (found.kind, found.count) == ("duplicate across splits", 2)
    assert "same text (validation: e0, test: e0)" in found.message


def test_one_text_with_two_routes_is_shown() -> None:
    train = emails("where is it", "x") + emails("Where  is it", "y", route="refunds")
    found = only(Splits(train=train, validation=[], test=[]))
    assert (found.kind, found.count) == ("two routes", 1)
    assert "('where is it': delivery and refunds): choose one" in found.message


def test_routes_with_too_few_emails_are_named_with_counts() -> None:
    train = emails("a", "b", "c") + emails("d", route="sales")
    found = only(Splits(train=train, validation=[], test=[]), min_emails=3)
    assert (found.kind, found.count) == ("few e-mails", 1)
    assert "1 routes have fewer than 3 training e-mails (sales: 1): add e-mails" in found.message


def test_routes_that_training_never_sees_are_named() -> None:
    splits = Splits(train=emails("a"), validation=[], test=emails("b", "c", route="sales"))
    found = only(splits)
    assert (found.kind, found.count) == ("unknown route", 1)
    assert "can never be right (sales: 2)" in found.message


def test_findings_of_reading_come_first() -> None:
    read = Finding(kind="no route", count=1, message="1 e-mails have no route")
    splits = Splits(train=emails("a", ""), validation=[], test=[], findings=(read,))
    assert [found.kind for found in check_splits(splits, min_emails=1)] == [
        "no route",
        "empty text",
    ]


def test_findings_can_be_refused_all_at_once() -> None:
    refuse([])
    findings = [Finding(kind="k", count=1, message=text) for text in ("one is odd", "two is odd")]
    with pytest.raises(CorpusError, match="one is odd\ntwo is odd\nmend the e-mails"):
        refuse(findings)


@pytest.mark.parametrize(("names", "said"), [("ab", "a, b"), ("abcde", "a, b, c, …"), ("", "")])
def test_long_lists_are_shortened(names: str, said: str) -> None:
    assert name_some(names) == said
