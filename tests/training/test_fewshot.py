from collections import Counter
from collections.abc import Callable
from pathlib import Path

from routing.corpus.splits import Splits
from routing.records import Email, LabelledEmail
from routing.settings import BayesSettings, Settings
from routing.training.fewshot import draw_few, fit_curve, train_long_enough


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


def test_curve_rises_to_what_the_words_tell(tmp_path: Path, tiny: Callable[..., Settings]) -> None:
    bayes = tiny().model_copy(update={"model": BayesSettings()})
    splits = Splits(train=emails(8), validation=emails(8), test=emails(4))
    said: list[str] = []
    points = list(
        fit_curve(
            {"bayes": bayes}, splits, folder=tmp_path, sizes=(2, 8, 99), seeds=2, say=said.append
        )
    )
    assert [(p.name, p.per_route, p.seed) for p in points] == [
        ("bayes", 2, 0),
        ("bayes", 2, 1),
        ("bayes", 8, 0),
        ("bayes", 8, 1),
    ]
    assert points[-1].accuracy == points[-1].macro_f1 == 1.0
    assert said[0] == "bayes: 2 e-mails per route, seed 0"
