"""Fit one router: labelled e-mails -> trained, calibrated Router in a run folder."""

import logging
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import lightning
from lightning.fabric.utilities.rank_zero import rank_zero_only
from torch import nn

from routing.corpus.checks import check_splits, refuse
from routing.corpus.pieces import PieceReader
from routing.corpus.readers import Reader, WordReader
from routing.corpus.sources import Splits, load_splits
from routing.corpus.swaps import label_swaps
from routing.errors import CorpusError, SettingsError
from routing.evaluation.metrics import accuracy, calibration_error, macro_f1
from routing.models.bayes import BayesModel
from routing.models.encoders import find_encoder
from routing.models.recurrent import RecurrentModel
from routing.models.transformer import TransformerModel
from routing.records import LabelledEmail
from routing.router import Router, build_model, softmax
from routing.settings import (
    BayesSettings,
    PretrainedSettings,
    RecurrentSettings,
    Settings,
    TrainSettings,
)
from routing.text.tokens import token_texts
from routing.text.vocabulary import build_vocabulary
from routing.training.calibration import Floats, calibrate
from routing.training.checkpoint import Checkpoints, StoppedError, read_weights
from routing.training.data import Encoded, RoutingData, encode
from routing.training.folder import (
    Metrics,
    check_folder,
    check_same_data,
    finish_folder,
    start_folder,
)
from routing.training.history import History
from routing.training.losses import weigh_routes
from routing.training.module import RoutingModule
from routing.training.second_look import choose_look, read_once, wants_second_look
from routing.training.teacher import add_unlabelled, ask_teacher, load_teacher
from routing.training.trainer import make_trainer, quiet, stop_on_interrupt
from routing.training.vectors import start_words

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a fit gives.

    Attributes:
        router: trained and calibrated.
        metrics: what it reached.
        splits: the e-mails it was fitted and measured on.
    """

    router: Router
    metrics: Metrics
    splits: Splits


def fit_run(
    settings: Settings,
    *,
    folder: Path,
    resume: bool = False,
    progress: bool = True,
    command: Sequence[str] = (),
) -> Fitted:
    """Return the router fitted on the e-mails that the settings name; saved in ``folder``.

    Args:
        settings: of the run; with ``resume`` those that it was started with.
        folder: the run folder; an older run in it is replaced.
        resume: go on with the run that stands in ``folder``.
        progress: show a progress bar.
        command: the command line, for provenance.json.

    Raises:
        CorpusError: e-mails that cannot be trained on.
        TrainingError: the loss exploded.
        RunError: a run that cannot be resumed.
        SettingsError: a folder that cannot be written.
        KeyboardInterrupt: stopped by Ctrl-C; the message says how to go on.
    """
    check_folder(folder, settings)
    splits = load_splits(settings)
    findings = check_splits(splits, min_emails=settings.data.min_emails)
    if settings.data.checks == "error":
        refuse(findings)
    for finding in findings if is_first_process() else ():
        _LOG.warning(finding.message)
    parts = 1 if settings.data.train else settings.corpus.parts
    if parts > settings.train.epochs and settings.model.kind != "bayes" and is_first_process():
        _LOG.warning(
            "corpus.parts %d is more than train.epochs %d: some e-mails are never read; give fewer "
            "parts or more epochs",
            *(parts, settings.train.epochs),
        )
    return _fit(
        settings,
        splits,
        folder,
        parts=parts,
        resume=resume,
        progress=progress,
        command=command,
    )


def fit_router(
    settings: Settings,
    *,
    train: Sequence[LabelledEmail],
    validation: Sequence[LabelledEmail],
    folder: Path,
    progress: bool = True,
) -> Router:
    """Return a router trained on ``train``, calibrated on ``validation`` and saved in ``folder``.

    Raises what ``fit_run`` raises.
    """
    splits = Splits(train=list(train), validation=list(validation), test=[])
    return _fit(settings, splits, folder, progress=progress).router


def is_first_process() -> bool:
    """Return True in the one process (rank 0) that writes and prints."""
    return not getattr(rank_zero_only, "rank", 0)


def _fit(
    settings: Settings,
    splits: Splits,
    folder: Path,
    *,
    parts: int = 1,
    resume: bool = False,
    progress: bool = True,
    command: Sequence[str] = (),
) -> Fitted:
    if not splits.train or not splits.validation:
        raise CorpusError(
            f"{len(splits.train)} e-mails to train and {len(splits.validation)} to validate on: "
            "both are needed; give more e-mails or another data.validation_share"
        )
    if settings.text.vectors and settings.model.kind not in ("recurrent", "transformer"):
        raise SettingsError(
            f"text.vectors {settings.text.vectors}: model.kind {settings.model.kind} has no word "
            "vectors; leave it out (--text.vectors null)"
        )
    if settings.train.encoder is not None:
        raise SettingsError(
            f"train.encoder {settings.train.encoder}: only a writer of notes (--model.kind note) "
            "starts from a router; leave it out (--train.encoder null)"
        )
    started = time.perf_counter()
    teacher = load_teacher(settings)
    if teacher is not None:
        splits = add_unlabelled(splits, settings, teacher)
    _check_routes(splits.train, column=settings.data.route_column)
    lightning.seed_everything(settings.train.seed, verbose=False)
    routes = sorted({item.route for item in [*splits.train, *splits.validation, *splits.test]})
    history = History(folder / "history.csv")
    fitting = _Fitting(
        settings, splits, folder, routes, history, parts, resume, progress, command, teacher
    )
    router = fitting.bayes() if isinstance(settings.model, BayesSettings) else fitting.neural()
    look = choose_look(router, splits.validation)
    logits = router.logits([item.email for item in splits.validation])  # (B, R)
    calibration = calibrate(router, train=splits.train, validation=splits.validation, logits=logits)
    router.calibration = replace(calibration, second_look=look)
    seconds = time.perf_counter() - started + history.seconds_before
    metrics = _measure(router, splits, logits=logits, seconds=seconds)
    if is_first_process():
        router.save(folder)
        finish_folder(folder, router.settings, routes=routes, metrics=metrics)
    return Fitted(router=router, metrics=metrics, splits=splits)


def _check_routes(train: Sequence[LabelledEmail], *, column: str) -> None:
    """Raise CorpusError when there is nothing to choose between."""
    routes = {item.route for item in train}
    if len(routes) < 2:
        raise CorpusError(
            f"all {len(train)} e-mails to train on have the route {', '.join(map(repr, routes))}: "
            "give e-mails of two routes or more; the routes of a table are read from the column "
            f"that data.route_column names, now {column!r}"
        )


@dataclass(frozen=True, slots=True)
class _Fitting:
    """The parts of one fit."""

    settings: Settings
    splits: Splits
    folder: Path
    routes: Sequence[str]
    history: History
    parts: int
    resume: bool
    progress: bool
    command: Sequence[str]
    teacher: Router | None = None

    def bayes(self) -> Router:
        """Return the router that counts words."""
        self._open_folder()
        train = self.splits.train
        reader = _make_reader(self.settings, train)
        model = BayesModel(**self.settings.model.model_dump(exclude={"kind"})).fit(
            [reader.words(item.email) for item in train],
            [self.routes.index(item.route) for item in train],
        )
        return Router(settings=self.settings, routes=self.routes, reader=reader, model=model)

    def neural(self) -> Router:
        """Return the router with the best weights that training came by."""
        reader = _make_reader(self.settings, self.splits.train)
        train = self._encode_train(reader)
        settings = self.settings if train.swaps is not None else read_once(self.settings)
        data = RoutingData(
            train=train,
            validation=encode(self.splits.validation, reader, self.routes),
            reader=reader,
            settings=settings.train,
            parts=self.parts,
        )
        model = _build(settings, reader, routes=self.routes)
        if settings.text.vectors is not None:
            assert isinstance(model, RecurrentModel | TransformerModel)
            assert isinstance(reader, WordReader)
            start_words(model.vectors, reader.vocabulary.words, settings.text.vectors)
        checkpoints = Checkpoints(self.folder, steps=settings.train.checkpoint_steps)
        with quiet():
            trainer = make_trainer(
                settings,
                folder=self.folder,
                callbacks=[checkpoints, self.history],
                progress=self.progress,
            )
        self._open_folder()
        module = RoutingModule(
            model,
            routes=len(self.routes),
            settings=_repeatable(settings),
            steps=data.optimizer_steps(settings.trainer.accumulate_grad_batches),
            route_weights=weigh_routes(
                data.train.routes, count=len(self.routes), weighting=settings.train.class_weights
            ),
        )
        self._train(trainer, module, data, checkpoints)
        best = read_weights(checkpoints.best) if trainer.is_global_zero else None
        model = _build(settings, reader, routes=self.routes)
        weights = trainer.strategy.broadcast(best)
        assert weights is not None
        model.load_state_dict(weights)
        return Router(settings=settings, routes=self.routes, reader=reader, model=model)

    def _encode_train(self, reader: Reader) -> Encoded:
        """Return the training split as numbers.

        The teacher's probabilities are there if it has one, the pairs' swaps if two routes and a
        second look are wanted and there is a swap to learn from.
        """
        train = self.splits.train
        encoded = encode(train, reader, self.routes)
        if len(self.routes) == 2 and wants_second_look(self.settings):
            swaps = label_swaps(encoded.rows, encoded.units)
            encoded = replace(encoded, swaps=swaps if (swaps >= 0).any() else None)
        if self.teacher is None:
            return encoded
        return replace(encoded, teacher=ask_teacher(self.teacher, train, routes=self.routes))

    def _open_folder(self) -> None:
        """Begin the run folder, or check that the run in it can go on."""
        splits = {
            "train": self.splits.train,
            "validation": self.splits.validation,
            "test": self.splits.test,
        }
        if self.resume:
            check_same_data(self.folder, self.settings, splits)
        elif is_first_process():
            start_folder(self.folder, self.settings, splits=splits, command=self.command)

    def _train(
        self,
        trainer: lightning.Trainer,
        module: RoutingModule,
        data: RoutingData,
        checkpoints: Checkpoints,
    ) -> None:
        known = checkpoints.last if self.resume and checkpoints.last.is_file() else None
        try:
            with quiet(), stop_on_interrupt(checkpoints):
                trainer.fit(module, data, ckpt_path=known, weights_only=True)
        except (StoppedError, SystemExit):
            raise KeyboardInterrupt(
                f"go on with: python -m routing.fit --resume {self.folder}"
            ) from None
        except BaseException:
            _end_other_processes(trainer)
            raise


def _build(settings: Settings, reader: Reader, *, routes: Sequence[str]) -> nn.Module:
    if settings.train.truncate_steps and not isinstance(settings.model, RecurrentSettings):
        raise SettingsError(
            f"train.truncate_steps = {settings.train.truncate_steps}: model.kind "
            f"{settings.model.kind} has no steps in time; leave it at 0"
        )
    return build_model(settings.model, reader=reader, routes=len(routes))


def _repeatable(settings: Settings) -> TrainSettings:
    """Return the optimization with one thread where dropout hangs on which thread draws first."""
    random = getattr(settings.model, "dropout", 0.0) > 0
    return settings.train.model_copy(update={"threads": 1}) if random else settings.train


def _end_other_processes(trainer: lightning.Trainer) -> None:
    """End the processes that Lightning started, which would wait for this one for ever."""
    launcher: Any = trainer.strategy.launcher
    if launcher is not None and getattr(launcher, "procs", None):
        launcher.kill(signal.SIGKILL)


def _make_reader(settings: Settings, train: Sequence[LabelledEmail]) -> Reader:
    text = settings.text
    if isinstance(settings.model, PretrainedSettings):
        tokenizer = find_encoder(settings.model.name) / "tokenizer.json"
        return PieceReader.from_file(tokenizer, max_tokens=text.max_tokens)
    vocabulary = build_vocabulary(
        (token_texts(item.email, placeholders=text.placeholders) for item in train),
        min_count=text.min_count,
        max_words=text.max_words,
        piece_buckets=getattr(settings.model, "piece_buckets", 0),
    )
    return WordReader(vocabulary, placeholders=text.placeholders, max_tokens=text.max_tokens)


def _measure(router: Router, splits: Splits, *, logits: Floats, seconds: float) -> Metrics:
    """Return what the router reached; ``logits`` (B, R) are its own of the validation e-mails."""
    validation = _measure_split(router, splits.validation, logits)
    test: tuple[float | None, ...] = (None, None, None)
    if splits.test:
        logits = router.logits([item.email for item in splits.test])
        test = _measure_split(router, splits.test, logits)
    return Metrics(
        validation_accuracy=validation[0],
        validation_macro_f1=validation[1],
        validation_calibration_error=validation[2],
        test_accuracy=test[0],
        test_macro_f1=test[1],
        test_calibration_error=test[2],
        training_emails=len(splits.train),
        training_seconds=seconds,
    )


def _measure_split(
    router: Router, emails: Sequence[LabelledEmail], logits: Floats
) -> tuple[float, float, float]:
    """Return accuracy, macro-F1 and calibration error on e-mails with these ``logits`` (B, R)."""
    probabilities = softmax(logits / router.calibration.temperature)
    right = [router.routes.index(item.route) for item in emails]
    predicted = [int(i) for i in probabilities.argmax(axis=1)]
    return (
        accuracy(right, predicted),
        macro_f1(right, predicted, routes=len(router.routes)),
        calibration_error(probabilities, right),
    )
