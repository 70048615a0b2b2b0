"""Lightning's Trainer as the settings want it, and nothing on the screen but a progress bar."""

import logging
import signal
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import lightning
import torch
from lightning.fabric.utilities.exceptions import MisconfigurationException
from lightning.pytorch import loggers
from lightning.pytorch.callbacks import EarlyStopping, RichProgressBar

from routing.errors import SettingsError
from routing.settings import Settings, TrainerSettings
from routing.training.checkpoint import Checkpoints

_LOGGERS = {"csv": "CSVLogger", "tensorboard": "TensorBoardLogger"}


def make_trainer(
    settings: Settings, *, folder: Path, callbacks: Sequence[lightning.Callback], progress: bool
) -> lightning.Trainer:
    """Return the Trainer; ``callbacks`` come before early stopping and the progress bar.

    Raises SettingsError for what Lightning refuses: a strategy, precision or number of devices
    that this machine does not have.
    """
    stop = EarlyStopping("val_macro_f1", mode="max", patience=settings.train.patience)
    bars: list[lightning.Callback] = [RichProgressBar(leave=False)] if progress else []
    options = settings.trainer
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    try:
        return lightning.Trainer(
            max_epochs=settings.train.epochs,
            devices=options.devices,
            accelerator=options.accelerator,
            strategy=options.strategy,
            num_nodes=options.num_nodes,
            precision=_precision(options),  # type: ignore[arg-type]
            accumulate_grad_batches=options.accumulate_grad_batches,
            deterministic=options.deterministic,
            logger=make_loggers(options.logger, folder=folder),
            callbacks=[*callbacks, stop, *bars],
            enable_progress_bar=progress,
            enable_checkpointing=False,
            enable_model_summary=False,
            num_sanity_val_steps=0,
            use_distributed_sampler=False,
            reload_dataloaders_every_n_epochs=1,
            log_every_n_steps=10,
            default_root_dir=folder,
        )
    except (MisconfigurationException, ValueError, RuntimeError, ImportError) as error:
        words = " ".join(str(error).split())
        raise SettingsError(f"the trainer settings cannot be used here: {words}") from error


def _precision(options: TrainerSettings) -> str:
    """Return the precision; for ``auto`` bfloat16 where the device has units made for it."""
    if options.precision != "auto":
        return options.precision
    gpu = options.accelerator in ("auto", "gpu", "cuda") and torch.cuda.is_available()
    tiles = getattr(torch.cpu, "_is_amx_tile_supported", bool)
    fast = torch.cuda.is_bf16_supported() if gpu else tiles()
    return "bf16-mixed" if fast else "32-true"


def make_loggers(names: str, *, folder: Path) -> list[loggers.Logger]:
    """Return Lightning's loggers of ``names`` (joined by ``+``), writing below ``folder``/log."""
    return [_make_logger(name, folder) for name in names.split("+") if name != "none"]


def _make_logger(name: str, folder: Path) -> loggers.Logger:
    kind = getattr(loggers, _LOGGERS.get(name, name), None)
    if kind is None or not name:
        known = ", ".join([*_LOGGERS, *loggers.__all__])
        raise SettingsError(f"trainer.logger {name!r} is not known: choose from none, {known}")
    options = {"name": "", "version": "log"} if name in _LOGGERS else {}
    try:
        logger: loggers.Logger = kind(save_dir=str(folder), **options)
    except ModuleNotFoundError as error:
        raise SettingsError(f"trainer.logger {name!r} needs a package: {error}") from error
    return logger


@contextmanager
def quiet() -> Iterator[None]:
    """Silence Lightning's tips and notices, and warnings of no use to the reader, for a while."""
    chatty = [logging.getLogger(name) for name in ("lightning.pytorch", "lightning.fabric")]
    levels = [log.level for log in chatty]
    for log in chatty:
        log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            for module in ("lightning", "torch", "torchmetrics"):
                warnings.filterwarnings("ignore", module=rf"{module}(\.|$)")
            yield
    finally:
        for log, level in zip(chatty, levels, strict=True):
            log.setLevel(level)


@contextmanager
def stop_on_interrupt(checkpoints: Checkpoints) -> Iterator[None]:
    """Turn the first Ctrl-C into a stop with a checkpoint; a second one ends at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def ask_to_stop(number: int, frame: FrameType | None) -> None:
        checkpoints.stop = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask_to_stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
