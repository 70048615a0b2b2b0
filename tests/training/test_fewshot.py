from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from routing.corpus.splits import Splits
from routing.errors import CorpusError
from routing.flags import load_settings
from routing.records import Email, LabelledEmail
from routing.settings import BayesSettings, Settings
from routing.training.fewshot import draw_few, fit_curve, train_long_enough
from routing.training.trials import Contestant, Suite, run_trial
from routing.training.vectors import CARTWISE


def emails(count: int) -> list[LabelledEmail]:
    return [
        LabelledEmail(Email(f"{route}{i}", text=f"{word} {i}"), route, group=f"pair{i}")
        for i in range(count)
        for route, word in (("refunds", "charger"), ("delivery", "parcel"))
    ]


def test_draw_has_as_many_of_each_route_and_whole_groups() -> None:
    drawn = draw_few(emails(20), per_route=5, seed=0)
    assert Counter(item.route for item in drawn) == {"refunds": 5, "delivery": 5}
    assert set(Counter(item.group for item in drawn).values()) == {2}


def test_larger_draw_holds_the_smaller_and_seeds_differ() -> None:
    few, more = (draw_few(emails(20), per_route=n, seed=0) for n in (3, 8))
    assert {item.email.id for item in few} < {item.email.id for item in more}
    assert draw_few(emails(20), per_route=3, seed=1) != few


def test_a_group_that_is_too_large_is_left_out() -> None:
    threads = [LabelledEmail(Email(str(i)), "refunds", group="thread") for i in range(3)]
    assert draw_few(threads, per_route=2, seed=0) == []


def test_few_emails_are_trained_on_long_enough(tiny: Callable[..., Settings]) -> None:
    settings = tiny(train={"epochs": 4, "batch_emails": 16})
    few = train_long_enough(settings, emails=33, seed=7).train
    assert (few.epochs, few.patience, few.seed) == (100, 100, 7)
    assert train_long_enough(settings, emails=16 * 300, seed=0).train.epochs == 4


def bayes_of(settings: Settings) -> Settings:
    return settings.model_copy(update={"model": BayesSettings()})


def test_curve_rises_to_what_the_words_tell(tmp_path: Path, tiny: Callable[..., Settings]) -> None:
    splits = Splits(train=emails(8), validation=emails(8), test=[])
    said: list[str] = []

    def fit(settings: Settings) -> list[tuple[int, Contestant]]:
        return list(
            fit_curve(
                {"bayes": settings}, splits, folder=tmp_path, sizes=(8, 2, 99), seeds=2,
                say=said.append,
            )
        )  # fmt: skip

    found = fit(bayes_of(tiny()))
    assert [(size, c.facts.seed, c.facts.training_emails) for size, c in found] == [
        (2, 0, 4),
        (2, 1, 4),
        (8, 0, 16),
        (8, 1, 16),
    ]
    trial = run_trial(found[-1][1], Suite("s", emails(4)))
    assert all(item.right for item in trial.predictions)
    assert said[0] == "fitting bayes, 2 e-mails of each route, seed 0"
    fit(bayes_of(tiny()))
    assert len(said) == 4
    fit(bayes_of(tiny(text={"min_count": 1})))
    assert len(said) == 8


def test_sizes_that_no_route_has_are_refused(tmp_path: Path, tiny: Callable[..., Settings]) -> None:
    splits = Splits(train=emails(3), validation=emails(3), test=[])
    with pytest.raises(CorpusError, match=r"no route has 4 e-mails to learn from, .* has 3: give"):
        list(fit_curve({"bayes": bayes_of(tiny())}, splits, folder=tmp_path, sizes=(8, 4)))


@pytest.mark.parametrize(("mail", "right"), [(None, None), ("mail.csv", CARTWISE)])
def test_few_emails_of_cartwise_do_not_start_from_what_all_of_it_taught(
    mail: str | None, right: Path | None, tmp_path: Path, tiny: Callable[..., Settings]
) -> None:
    settings = tiny(text={"vectors": "cartwise"}, data={"train": mail})
    splits = Splits(train=emails(4), validation=emails(4), test=[])
    list(fit_curve({"lstm": settings}, splits, folder=tmp_path, sizes=(2,), seeds=1))
    [run] = tmp_path.iterdir()
    assert load_settings(run / "settings.yaml").text.vectors == right
