from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from routing.corpus.pieces import PieceReader
from routing.records import Email, LabelledEmail
from routing.router import Router, build_model
from routing.settings import PretrainedSettings, Settings
from routing.training.module import RoutingModule
from routing.training.run import fit_router


def test_every_depth_learns_at_its_own_rate(
    tiny_encoder: Path, tiny: Callable[..., Settings]
) -> None:
    reader = PieceReader.from_file(tiny_encoder / "tokenizer.json", max_tokens=64)
    wanted = PretrainedSettings(
        name=str(tiny_encoder), window_tokens=16, layer_decay=0.5, head_learning_rate=0.3
    )
    model = build_model(wanted, reader=reader, routes=2)
    settings = tiny(train={"learning_rate": 0.08, "warmup_share": 0.0}).train
    module = RoutingModule(model, routes=2, settings=settings, steps=10)
    optimizer = module.configure_optimizers()["optimizer"]
    rates = [group["initial_lr"] for group in optimizer.param_groups]
    assert rates == pytest.approx([0.02, 0.02, 0.04, 0.04, 0.08, 0.08, 0.3, 0.3])


def test_a_pretrained_run_stands_alone(
    tmp_path: Path, tiny_encoder: Path, tiny: Callable[..., Settings]
) -> None:
    emails = [
        LabelledEmail(Email("1", text="box, the parcel came"), "refunds"),
        LabelledEmail(Email("2", text="the parcel came in a box"), "delivery"),
    ]
    model = PretrainedSettings(name=str(tiny_encoder), window_tokens=16)
    settings = tiny(train={"epochs": 1}).model_copy(update={"model": model})
    folder = tmp_path / "run"
    router = fit_router(settings, train=emails, validation=emails, folder=folder, progress=False)
    names = {file.name for file in folder.iterdir()}
    assert {"model.safetensors", "tokenizer.json", "config.json", "reader.json"} <= names
    tiny_encoder.rename(away := tiny_encoder.with_name("away"))
    try:
        again = Router.load(folder)
    finally:
        away.rename(tiny_encoder)
    read = [item.email for item in emails] + [Email("long", text="the parcel " * 30), Email("")]
    np.testing.assert_array_equal(again.logits(read), router.logits(read))
