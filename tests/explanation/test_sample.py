"""The check of a fitted router over a sample of mail."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from routing.explanation import sample
from routing.explanation.faithfulness import read_faithfulness
from routing.explanation.sample import MEAN_TOKENS, check_run, sample_emails
from routing.flags import load_settings
from routing.records import Email
from routing.router import Router
from tests.explanation.routers import additive_router


def router_that_checks(count: int) -> Router:
    router = additive_router({"money": 2.0, "parcel": -1.0})
    router.settings = load_settings(None, {"explanation": {"checked_emails": count}})
    return router


def mail(*lengths: int) -> list[Email]:
    return [Email(id=str(n), text="money parcel " * (n // 2)) for n in lengths]


def chosen(emails: Sequence[Email], *, count: int, seed: int = 0) -> list[str]:
    router = router_that_checks(count)
    return [email.id for email in sample_emails(router, emails, count=count, seed=seed)]


def test_the_faithfulness_over_the_sample_is_stored_in_the_run(tmp_path: Path) -> None:
    found = check_run(router_that_checks(2), tmp_path, mail(2, 4, 6, 8))
    assert found is not None
    assert found.emails == 2
    assert read_faithfulness(tmp_path) == found


def test_nothing_is_measured_or_stored_when_no_emails_are_asked_for(tmp_path: Path) -> None:
    assert check_run(router_that_checks(0), tmp_path, mail(2, 4)) is None
    assert not list(tmp_path.iterdir())


def test_the_sample_repeats_with_the_seed_and_changes_with_it() -> None:
    emails = mail(*range(2, 80, 2))
    assert chosen(emails, count=5) == chosen(emails, count=5)
    assert chosen(emails, count=5) != chosen(emails, count=5, seed=1)


def test_a_sample_of_more_than_there_are_is_all_of_them() -> None:
    assert sorted(chosen(mail(2, 4, 6), count=9)) == ["2", "4", "6"]


def test_emails_without_words_or_unreadable_are_not_chosen() -> None:
    emails = [Email(id="a", text=""), Email(id="b", error="empty file"), *mail(2)]
    assert chosen(emails, count=3) == ["2"]


def test_the_longest_emails_are_left_out_of_a_sample_that_is_too_long() -> None:
    lengths = (MEAN_TOKENS // 2, MEAN_TOKENS, MEAN_TOKENS, 2 * MEAN_TOKENS)
    emails = [Email(id=str(i), text="money " * n) for i, n in enumerate(lengths)]
    assert sorted(chosen(emails, count=4)) == ["0", "1", "2"]


def test_two_emails_stay_however_long_they_are() -> None:
    emails = [Email(id=str(n), text="money " * 9 * MEAN_TOKENS) for n in range(8)]
    assert len(chosen(emails, count=3)) == 2


def test_ctrl_c_says_that_the_run_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sample, "measure_faithfulness", stop)
    with pytest.raises(KeyboardInterrupt, match=r"is whole but for its faithfulness\.json"):
        check_run(router_that_checks(1), tmp_path, mail(2))
