"""Starters fitted side by side: what becomes of the fit in the other process."""

import subprocess
import sys
from pathlib import Path

import pytest

from routing.errors import TrainingError
from routing.training.starters import Beside, fit_beside, let_end


def ended(code: int) -> Beside:
    program = f"print('runs/t: done'); raise SystemExit({code})"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    return Beside(Path("runs/t"), process)


def test_the_line_of_the_other_process_is_given() -> None:
    assert ended(0).wait() == "runs/t: done"


def test_a_failed_fit_is_named() -> None:
    with pytest.raises(TrainingError, match=r"runs/t was not fitted \(exit code 2, see above\)"):
        ended(2).wait()


def test_a_stopped_fit_says_how_to_go_on() -> None:
    with pytest.raises(KeyboardInterrupt, match=r"routing\.fit --resume runs/t"):
        ended(130).wait()


def test_a_fit_that_is_stopping_may_end_and_one_that_hangs_is_not_waited_for() -> None:
    slow = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(0.2)"], text=True)
    let_end(slow)
    assert slow.returncode == 0
    hanging = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], text=True)
    let_end(hanging, seconds=0.1)
    assert hanging.returncode is None
    hanging.kill()
    hanging.wait()


def test_one_plan_needs_no_other_process(tmp_path: Path) -> None:
    from routing.settings import Settings

    with fit_beside({tmp_path: Settings()}, resume=False) as beside:
        assert beside is None
