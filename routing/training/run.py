"""Fit one router: labelled e-mails -> trained, calibrated Router in a run folder."""

import json
import time
from collections.abc import Sequence
from pathlib import Path

import lightning
import torch
from lightning.pytorch.callbacks import EarlyStopping, ModelCheckpoint
from lightning.pytorch.loggers import CSVLogger

from routing.corpus.readers import WordReader
from routing.evaluation.metrics import accuracy, calibration_error, macro_f1
from routing.models.bayes import BayesModel
from routing.records import LabelledEmail
from routing.router import Calibration, Router, build_model, softmax
from routing.settings import BayesSettings, Settings
from routing.text.tokens import token_texts
from routing.text.vocabulary import build_vocabulary
from routing.training.calibration import choose_threshold, fit_temperature
from routing.training.data import Encoded, RoutingData
from routing.training.module import RoutingModule


def fit_router(
    settings: Settings,
    *,
    train: Sequence[LabelledEmail],
    validation: Sequence[LabelledEmail],
    folder: Path,
    progress: bool = True,
) -> Router:
    """Return a router trained on ``train``, calibrated on ``validation`` and saved in ``folder``."""
    lightning.seed_everything(settings.train.seed, workers=True, verbose=False)
    routes = sorted({item.route for item in [*train, *validation]})
    started = time.perf_counter()
    reader = _make_reader(settings, train)
    if isinstance(settings.model, BayesSettings):
        arguments = settings.model.model_dump(exclude={"kind"})
        model = BayesModel(**arguments).fit(
            [reader.words(item.email) for item in train],
            [routes.index(item.route) for item in train],
        )
        router = Router(settings=settings, routes=routes, reader=reader, model=model)
    else:
        router = _fit_neural(settings, routes, reader, train, validation, folder, progress)
    router.calibration = _calibrate(router, validation)
    if _is_first_process():
        router.save(folder)
        seconds = time.perf_counter() - started
        _write_records(router, validation, folder, seconds=seconds, emails=len(train))
    return router


def _make_reader(settings: Settings, train: Sequence[LabelledEmail]) -> WordReader:
    text = settings.text
    vocabulary = build_vocabulary(
        (token_texts(item.email, placeholders=text.placeholders) for item in train),
        min_count=text.min_count,
        max_words=text.max_words,
        piece_buckets=getattr(settings.model, "piece_buckets", 0),
    )
    return WordReader(vocabulary, placeholders=text.placeholders, max_tokens=text.max_tokens)


def encode(emails: Sequence[LabelledEmail], reader: WordReader, routes: Sequence[str]) -> Encoded:
    """Return labelled e-mails as numbers, the members of each pair in one unit."""
    units: dict[str, list[int]] = {}
    for place, item in enumerate(emails):
        units.setdefault(item.pair or f"\0{place}", []).append(place)
    index = {route: i for i, route in enumerate(routes)}
    return Encoded(
        rows=[reader.rows(item.email) for item in emails],
        routes=[index[item.route] for item in emails],
        units=[tuple(places) for places in units.values()],
    )


def _fit_neural(
    settings: Settings,
    routes: Sequence[str],
    reader: WordReader,
    train: Sequence[LabelledEmail],
    validation: Sequence[LabelledEmail],
    folder: Path,
    progress: bool,
) -> Router:
    data = RoutingData(
        train=encode(train, reader, routes),
        validation=encode(validation, reader, routes),
        reader=reader,
        batch_emails=settings.train.batch_emails,
        seed=settings.train.seed,
    )
    model = build_model(settings.model, words=len(reader.vocabulary), routes=len(routes))
    steps = settings.train.epochs * -(-len(train) // settings.train.batch_emails)
    module = RoutingModule(model, routes=len(routes), settings=settings.train, steps=steps)
    best = ModelCheckpoint(
        dirpath=folder / "checkpoints",
        monitor="val_macro_f1",
        mode="max",
        save_last=True,
        save_weights_only=False,
    )
    trainer = _make_trainer(settings, folder, [best], progress)
    trainer.fit(module, data, weights_only=False)
    if best.best_model_path:
        state = torch.load(best.best_model_path, map_location="cpu", weights_only=True)
        prefix = "model."
        model.load_state_dict(
            {
                k.removeprefix(prefix): v
                for k, v in state["state_dict"].items()
                if k.startswith(prefix)
            }
        )
    return Router(settings=settings, routes=routes, reader=reader, model=model.cpu())


def _make_trainer(
    settings: Settings, folder: Path, callbacks: list[lightning.Callback], progress: bool
) -> lightning.Trainer:
    stop = EarlyStopping("val_macro_f1", mode="max", patience=settings.train.patience)
    options = settings.trainer
    return lightning.Trainer(
        max_epochs=settings.train.epochs,
        devices=options.devices,
        accelerator=options.accelerator,
        strategy=options.strategy,
        num_nodes=options.num_nodes,
        precision=options.precision,  # type: ignore[arg-type]
        accumulate_grad_batches=options.accumulate_grad_batches,
        deterministic=options.deterministic,
        gradient_clip_val=settings.train.clip_norm or None,
        logger=CSVLogger(str(folder), name="", version="log"),
        callbacks=[*callbacks, stop],
        enable_progress_bar=progress,
        enable_model_summary=False,
        num_sanity_val_steps=0,
        use_distributed_sampler=False,
        log_every_n_steps=10,
    )


def _calibrate(router: Router, validation: Sequence[LabelledEmail]) -> Calibration:
    limits = router.settings.handover
    logits = router.logits([item.email for item in validation])
    right = [router.routes.index(item.route) for item in validation]
    temperature = fit_temperature(logits, right)
    threshold = choose_threshold(softmax(logits / temperature), right, limits.max_misrouted)
    return Calibration(
        temperature=temperature,
        thresholds=dict.fromkeys(router.routes, threshold),
        ambiguity_margin=limits.ambiguity_margin,
        max_unknown_share=limits.max_unknown_share,
        min_words=limits.min_words,
    )


def _write_records(
    router: Router,
    validation: Sequence[LabelledEmail],
    folder: Path,
    *,
    seconds: float,
    emails: int,
) -> None:
    probabilities = router.probabilities([item.email for item in validation])
    right = [router.routes.index(item.route) for item in validation]
    predicted = [int(i) for i in probabilities.argmax(axis=1)]
    metrics = {
        "validation_accuracy": accuracy(right, predicted),
        "validation_macro_f1": macro_f1(right, predicted, routes=len(router.routes)),
        "validation_calibration_error": calibration_error(probabilities, right),
        "training_seconds": seconds,
        "training_emails": emails,
    }
    (folder / "metrics.json").write_text(json.dumps(metrics, indent=1), encoding="utf-8")


def _is_first_process() -> bool:
    return not torch.distributed.is_initialized() or torch.distributed.get_rank() == 0
