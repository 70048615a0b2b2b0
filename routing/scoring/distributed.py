"""Which device each worker process uses."""

import os
from pathlib import Path

from routing.errors import SettingsError


def place_workers(device: str, *, workers: int) -> list[str]:
    """Return one device for each worker.

    ``auto`` takes the GPUs where there are some and the processors otherwise. On the processors,
    0 workers means one for each, with one thread each: nothing waits for anything. On GPUs the
    workers take turns: reading mail costs more than the model does there, so that several
    workers share a GPU, and several GPUs have at least one worker each.

    Raises SettingsError for a GPU that is not there.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    processors = processors or os.cpu_count() or 1
    gpus = _gpus(device)
    count = workers or max(processors, len(gpus))
    return [gpus[i % len(gpus)] if gpus else "cpu" for i in range(count)]


def _gpus(device: str) -> list[str]:
    """Return the GPUs meant by ``device``; torch is asked only where a driver is in sight."""
    if device == "cpu" or (device == "auto" and not Path("/dev/nvidiactl").exists()):
        return []
    import torch

    count = torch.cuda.device_count()
    if device in ("auto", "cuda"):
        if device == "cuda" and not count:
            raise SettingsError("--device cuda: this machine has no GPU that torch can use")
        return [f"cuda:{i}" for i in range(count)]
    if not device.startswith("cuda:") or not device[5:].isdigit() or int(device[5:]) >= count:
        raise SettingsError(
            f"--device {device}: give auto, cpu, cuda or cuda:N; {count} GPUs are here"
        )
    return [device]
