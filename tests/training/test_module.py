"""Schedules, failures and losses of the module, in real trainings of a few steps."""

import csv
import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from routing.corpus.cartwise import make_pairs
from routing.corpus.pairs import pair_emails, read_pairs
from routing.corpus.readers import WordReader
from routing.corpus.swaps import label_swaps
from routing.errors import SettingsError, TrainingError
from routing.evaluation.metrics import calibration_error
from routing.flags import load_settings
from routing.models.second_look import best_swap
from routing.router import Router, build_model
from routing.settings import TrainSettings
from routing.text.vocabulary import Vocabulary
from routing.training.module import RoutingModule
from routing.training.run import fit_router, fit_run
from routing.training.second_look import choose_look, whole_pairs


def rates(*, steps: int, **settings: object) -> list[float]:
    """Return the learning rate of each step, the peak being 1."""
    module = RoutingModule(
        nn.Linear(2, 2),
        routes=2,
        settings=TrainSettings(learning_rate=1.0, **settings),
        steps=steps,
    )
    chosen = module.configure_optimizers()
    optimizer, scheduler = chosen["optimizer"], chosen["lr_scheduler"]["scheduler"]
    found = []
    for _ in range(steps):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


@pytest.mark.parametrize(
    ("schedule", "right"),
    [
        ("constant", [0.25, 0.5, 0.75, 1, 1, 1, 1, 1]),
        ("plateau", [0.25, 0.5, 0.75, 1, 1, 1, 1, 1]),
        ("linear", [0.25, 0.5, 0.75, 1, 1, 0.75, 0.5, 0.25]),
        ("cosine", [0.25, 0.5, 0.75, 1, 1, 0.853553, 0.5, 0.146447]),
    ],
)
def test_rate_rises_then_follows_its_schedule(schedule, right):
    found = rates(steps=8, schedule=schedule, warmup_share=0.5)
    assert found == pytest.approx(right, abs=1e-6)


def test_biases_and_norms_do_not_decay():
    module = RoutingModule(nn.Linear(3, 2), routes=2, settings=TrainSettings(), steps=1)
    groups = module.configure_optimizers()["optimizer"].param_groups
    assert [(g["weight_decay"], [p.ndim for p in g["params"]]) for g in groups] == [
        (0.01, [2]),
        (0.0, [1]),
    ]


def fit(settings, folder: Path):
    train = pair_emails(make_pairs(count=20, seed=0))
    validation = pair_emails(make_pairs(count=6, seed=1))
    return fit_router(settings, train=train, validation=validation, folder=folder, progress=False)


def history(folder: Path) -> list[dict[str, str]]:
    with (folder / "history.csv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_same_seed_gives_the_same_bits_and_another_seed_does_not(tiny, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        fit(tiny(train={"seed": seed, "epochs": 1}), tmp_path / name)
    one, same, other = ((tmp_path / n / "model.safetensors").read_bytes() for n in "abc")
    assert one == same
    assert one != other


def test_last_step_of_all_has_the_last_rate(tiny, tmp_path):
    settings = tiny(
        train={"epochs": 3, "schedule": "linear", "curriculum_epochs": 1.5},
        trainer={"accumulate_grad_batches": 2},
    )
    fit(settings, tmp_path)
    rows = history(tmp_path)
    assert [row["step"] for row in rows] == ["1", "3", "6"], "2, 4 and 5 batches, two to a step"
    assert float(rows[-1]["learning_rate"]) == 0.0
    assert float(rows[-2]["learning_rate"]) > 0.0


def test_plateau_halves_the_rate_after_two_epochs_without_progress(tiny, tmp_path):
    settings = tiny(
        train={"epochs": 5, "schedule": "plateau", "learning_rate": 1e-6, "patience": 9}
    )
    fit(settings, tmp_path)
    found = [float(row["learning_rate"]) for row in history(tmp_path)]
    assert found == pytest.approx([1e-6, 1e-6, 5e-7, 5e-7, 2.5e-7])


def test_early_stopping_ends_before_the_last_epoch(tiny, tmp_path):
    fit(tiny(train={"epochs": 30, "learning_rate": 1e-9, "patience": 2}), tmp_path)
    assert len(history(tmp_path)) == 3


def test_best_weights_are_those_of_the_best_epoch(tiny, tmp_path):
    router = fit(tiny(train={"epochs": 4, "learning_rate": 0.05}), tmp_path)
    rows = history(tmp_path)
    best = max(rows, key=lambda row: (float(row["val_macro_f1"]), -float(row["val_loss"])))
    emails = pair_emails(make_pairs(count=6, seed=1))
    logits = torch.from_numpy(router.logits([item.email for item in emails]))
    right = torch.tensor([router.routes.index(item.route) for item in emails])
    loss = float(nn.functional.cross_entropy(logits, right))
    assert loss == pytest.approx(float(best["val_loss"]), abs=1e-5)


def test_exploding_loss_names_the_step_and_the_remedy(tiny, tmp_path):
    settings = tiny(train={"learning_rate": 1e30, "clip_norm": 0, "warmup_share": 0, "epochs": 9})
    with pytest.raises(TrainingError, match=r"the loss is \S+ at step \d+ \(epoch \d\): lower"):
        fit(settings, tmp_path)


def test_truncation_is_refused_for_models_without_time(tiny, tmp_path):
    settings = load_settings(
        flags={"model": {"kind": "transformer"}, "train": {"truncate_steps": 5}}
    )
    with pytest.raises(SettingsError, match=r"train\.truncate_steps = 5: model"):
        fit(settings, tmp_path)


@pytest.mark.parametrize(
    "changed",
    [
        {"train": {"class_weights": "effective", "label_smoothing": 0.1}},
        {"train": {"truncate_steps": 4, "clip_norm": 0}},
        {"train": {"margin": 0.0, "schedule": "linear"}},
        {"trainer": {"precision": "bf16-mixed", "accumulate_grad_batches": 2}},
        {"trainer": {"logger": "csv", "deterministic": False}},
    ],
)
def test_every_way_of_training_ends_with_a_finite_loss(tiny, tmp_path, changed):
    fit(tiny(**changed), tmp_path)
    assert all(math.isfinite(float(row["train_loss"])) for row in history(tmp_path))


def test_a_fit_on_pairs_learns_which_stretches_to_swap(tiny, pairs_file, tmp_path):
    emails = pair_emails(list(read_pairs(Path(pairs_file))))
    settings = tiny(
        model={"second_look": 2.0, "hidden": 16, "embedding": 16},
        train={"epochs": 15, "learning_rate": 0.02, "swap": 1.0, "patience": 15},
    )
    router = fit_router(
        settings, train=emails[:60], validation=emails[60:], folder=tmp_path, progress=False
    )
    rows = [router.reader.rows(item.email) for item in emails]
    right = torch.from_numpy(label_swaps(rows, [(i, i + 1) for i in range(0, len(rows), 2)]))
    assert (right >= 0).all()
    batch = router.reader.batch(rows)
    with torch.inference_mode():
        embedded = router.model.embed(batch.token_ids, batch.word_ids, batch.piece_ids)
        states = router.model.read(embedded, batch.lengths)[2]
        scores = router.model.finder(states, batch.lengths)
    found = (best_swap(scores) == right).all(dim=1)
    assert found.float().mean() > 0.8
    loaded = Router.load(tmp_path)
    assert loaded.calibration.second_look == router.model.second_look == loaded.model.second_look
    same = [router.probabilities([e.email for e in emails]) for router in (router, loaded)]
    assert np.array_equal(*same)
    metrics = json.loads((tmp_path / "metrics.json").read_text())
    right = [loaded.routes.index(item.route) for item in emails[60:]]
    found = calibration_error(same[1][60:], right)
    assert metrics["validation_calibration_error"] == pytest.approx(found)


def test_without_swaps_to_learn_from_emails_are_read_once(tiny, tmp_path):
    settings = tiny(model={"second_look": 2.0}, train={"epochs": 1})
    emails = [replace(e, pair="") for e in pair_emails(make_pairs(count=20, seed=0))]
    router = fit_router(
        settings, train=emails[:30], validation=emails[30:], folder=tmp_path, progress=False
    )
    assert router.settings.model.second_look == 0
    assert router.model.finder is None
    assert Router.load(tmp_path).settings.model.second_look == 0
    assert "second_look 0.0" in (tmp_path / "MODEL_CARD.md").read_text()


def test_a_third_route_has_no_second_look(tiny, tmp_path):
    emails = pair_emails(make_pairs(count=20, seed=0))
    emails += [replace(e, route="sales", pair="") for e in emails[:6]]
    router = fit_router(
        tiny(model={"second_look": 2.0}, train={"epochs": 1}),
        train=emails,
        validation=emails[-8:],
        folder=tmp_path,
        progress=False,
    )
    assert router.model.finder is None


@pytest.mark.parametrize(
    ("once", "twice", "limit"),
    [
        ("11110000", "11111111", 5.0),
        ("11110000", "11110000", 0.0),
        ("10101011", "11110000", 5.0),  # fewer e-mails, more pairs
        ("11110000", "10101011", 0.0),
    ],
)
def test_a_second_look_is_kept_where_it_sends_more_pairs_right(
    tiny, monkeypatch, once, twice, limit
):
    settings = tiny(model={"second_look": 5.0})
    emails = pair_emails(make_pairs(count=4, seed=0))
    reader = WordReader(Vocabulary(("<padding>", "<unknown>")), placeholders=True, max_tokens=99)
    model = build_model(settings.model, reader=reader, routes=2)
    router = Router(settings=settings, routes=["delivery", "refunds"], reader=reader, model=model)
    right = np.array([router.routes.index(e.route) for e in emails])

    def logits(_):
        found = np.array(list(map(int, twice if model.second_look else once)))
        return np.eye(2)[np.where(found, right, 1 - right)]

    monkeypatch.setattr(router, "logits", logits)
    assert choose_look(router, emails) == model.second_look == limit


def test_a_second_look_is_asked_of_whole_pairs(monkeypatch):
    monkeypatch.setattr("routing.training.second_look._CHECKED", 4)
    names = ["a", "b", "a", "", "c", "b", "", "c"]
    item = pair_emails(make_pairs(count=1, seed=0))[0]
    emails = [replace(item, pair=name, group=str(n)) for n, name in enumerate(names)]
    found = [[int(e.group) for e in unit] for unit in whole_pairs(emails)]
    assert found == [[0, 2], [3], [6]]
    monkeypatch.setattr("routing.training.second_look._CHECKED", 8)
    found = [[int(e.group) for e in unit] for unit in whole_pairs(emails)]
    assert found == [[0, 2], [1, 5], [3], [4, 7], [6]]


def test_a_run_whose_second_look_was_useless_is_resumed(tiny, pairs_file, tmp_path):
    settings = tiny(model={"second_look": 1e-9}, train={"epochs": 1}, data={"train": pairs_file})
    first = fit_run(settings, folder=tmp_path / "run", progress=False).router
    assert first.calibration.second_look == first.model.second_look == 0.0
    known = load_settings(tmp_path / "run" / "settings.yaml")
    again = fit_run(known, folder=tmp_path / "run", resume=True, progress=False).router
    assert again.calibration.second_look == Router.load(tmp_path / "run").model.second_look == 0.0
