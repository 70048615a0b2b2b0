"""Lightning's Trainer, as the settings want it."""

import logging
import os
import signal
import warnings

import pytest

from routing.errors import SettingsError
from routing.flags import load_settings
from routing.training.checkpoint import Checkpoints
from routing.training.trainer import make_loggers, make_trainer, quiet, stop_on_interrupt


def make(tmp_path, **trainer: object):
    settings = load_settings(flags={"trainer": {"accelerator": "cpu", **trainer}})
    with quiet():
        return make_trainer(settings, folder=tmp_path, callbacks=[], progress=False)


def test_trainer_takes_the_settings(tmp_path):
    trainer = make(tmp_path, accumulate_grad_batches=3, precision="bf16-mixed")
    assert trainer.accumulate_grad_batches == 3
    assert trainer.precision == "bf16-mixed"
    assert trainer.loggers == []


@pytest.mark.parametrize(("tiles", "precision"), [(True, "bf16-mixed"), (False, "32-true")])
def test_automatic_precision_asks_the_processor(tmp_path, monkeypatch, tiles, precision):
    monkeypatch.setattr("torch.cpu._is_amx_tile_supported", lambda: tiles)
    assert make(tmp_path, precision="auto").precision == precision


@pytest.mark.parametrize(
    "wrong",
    [
        {"strategy": "fsdp"},
        {"strategy": "nonsense"},
        {"accelerator": "tpu"},
        {"precision": "7-bit"},
        {"devices": 0},
    ],
)
def test_what_the_machine_cannot_do_is_one_line(tmp_path, wrong):
    with pytest.raises(SettingsError, match="the trainer settings cannot be used here: ") as caught:
        make(tmp_path, **wrong)
    assert "\n" not in str(caught.value)


def test_loggers_are_chosen_by_name(tmp_path):
    found = make_loggers("csv+tensorboard", folder=tmp_path)
    assert [type(logger).__name__ for logger in found] == ["CSVLogger", "TensorBoardLogger"]
    assert make_loggers("none", folder=tmp_path) == []
    assert type(make_loggers("CSVLogger", folder=tmp_path)[0]).__name__ == "CSVLogger"


def test_unknown_logger_is_refused_with_the_known_ones(tmp_path):
    with pytest.raises(SettingsError, match=r"trainer\.logger 'paper' is not known: choose from"):
        make_loggers("csv+paper", folder=tmp_path)


def test_logger_without_its_package_says_which(tmp_path):
    with pytest.raises(SettingsError, match=r"trainer\.logger 'CometLogger' needs a package"):
        make_loggers("CometLogger", folder=tmp_path)


def test_quiet_lasts_no_longer_than_asked():
    log = logging.getLogger("lightning.pytorch")
    level, filters = log.level, list(warnings.filters)
    with quiet():
        assert log.level == logging.ERROR
    assert log.level == level
    assert list(warnings.filters) == filters


def test_first_interrupt_asks_to_stop_and_the_second_ends_at_once(tmp_path):
    checkpoints = Checkpoints(tmp_path, steps=1)
    before = signal.getsignal(signal.SIGINT)
    with stop_on_interrupt(checkpoints):
        os.kill(os.getpid(), signal.SIGINT)
        assert checkpoints.stop
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
