"""The three routers that a newcomer fits first, side by side."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import torch
import yaml

from routing.corpus.sources import Splits
from routing.corpus.suites import make_suite
from routing.errors import TrainingError
from routing.evaluation.comparison import Comparison
from routing.router import Router
from routing.settings import Settings
from routing.training.trials import Suite, compare_routers, pair_suite

SUITES = ("in_distribution", "unseen_words", "unseen_constructions", "written")
SUITE_PAIRS = 300

_COMMAND = "ROUTING_FIT_COMMAND"
"""Environment variable: the command line (JSON) that a process of its own is a part of."""


@dataclass(frozen=True, slots=True)
class Beside:
    """A fit that goes on in a process of its own.

    Attributes:
        folder: its run folder.
        process: ``python -m routing.fit``; its one line comes by a pipe.
    """

    folder: Path
    process: subprocess.Popen[str]

    def wait(self) -> str:
        """Return the line that the fit has printed, once it is done.

        Raises TrainingError when it failed (it has said why), KeyboardInterrupt when stopped.
        """
        said = self.process.communicate()[0]
        match self.process.returncode:
            case 0:
                return said.rstrip()
            case 130:
                raise KeyboardInterrupt(f"go on with: python -m routing.fit --resume {self.folder}")
            case code:
                raise TrainingError(f"{self.folder} was not fitted (exit code {code}, see above)")


@contextmanager
def fit_beside(
    plans: Mapping[Path, Settings], *, resume: bool, command: Sequence[str] = ()
) -> Iterator[Beside | None]:
    """Fit the last of several plans beside the others, where cores would lie idle; else None.

    ``command`` is the command line for the provenance of all of them.

    On a processor one small model keeps no more than one core busy, so each process gets its
    share of the cores. The process ends with the block.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    folder, settings = list(plans.items())[-1]
    alone = settings.trainer.devices == 1 and "LOCAL_RANK" not in os.environ
    if len(plans) == 1 or resume or cores < 2 or not alone or torch.cuda.is_available():
        yield None
        return
    before = torch.get_num_threads()
    torch.set_num_threads(cores - cores // 2)
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "settings.yaml"
        file.write_text(yaml.safe_dump(settings.model_dump(mode="json")), encoding="utf-8")
        process = subprocess.Popen(
            [sys.executable, "-m", "routing.fit", "--config", str(file), "--out", str(folder)],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"OMP_NUM_THREADS": str(cores // 2), _COMMAND: json.dumps(command)},
        )
        try:
            yield Beside(folder, process)
        except KeyboardInterrupt:
            let_end(process)
            raise
        finally:
            process.kill()
            process.wait()
            torch.set_num_threads(before)


def whole_command(own: Sequence[str]) -> Sequence[str]:
    """Return the command line that this process is a part of: its ``own``, or that of the fit
    beside which it goes on."""
    found: Sequence[str] = json.loads(os.environ.get(_COMMAND, "null")) or own
    return found


def let_end(process: subprocess.Popen[str], *, seconds: float = 30) -> None:
    """Wait until a fit that Ctrl-C has reached as well has written what it needs to go on."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=seconds)


def compare_starters(routers: Mapping[str, Router], splits: Splits) -> Comparison:
    """Return the comparison of routers, given by name, on the same e-mails.

    On the Cartwise corpus these are the main suites; on own e-mails the test split, where there
    is none the validation split.
    """
    if next(iter(routers.values())).settings.data.train is None:
        suites = [pair_suite(name, make_suite(name, count=SUITE_PAIRS)) for name in SUITES]
    elif splits.test:
        suites = [Suite("test", splits.test)]
    else:
        suites = [Suite("validation", splits.validation)]
    return compare_routers(dict(routers), suites)
