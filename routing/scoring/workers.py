"""Worker processes: each loads the router once and scores portions, one after the other.

A worker talks over a pipe of its own: a portion in, its decisions out. It ends when the pipe
does, so that it never outlives the process that started it, however that one died.
"""

import gc
import multiprocessing
import os
import signal
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess

from routing.errors import RoutingError, ScoringError
from routing.scoring.portions import Portion
from routing.scoring.records import Scored, Wishes


class Crew:
    """Some worker processes that score portions.

    Args:
        wishes: how to score.
        devices: one device for each worker.
    """

    def __init__(self, wishes: Wishes, *, devices: Sequence[str]) -> None:
        context = _context()
        self._processes: list[BaseProcess] = []
        self._pipes: list[Connection] = []
        self._idle: list[Connection] = []
        for device in devices:
            mine, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, wishes, device), daemon=True)  # type: ignore[attr-defined]
            process.start()
            theirs.close()
            self._processes.append(process)
            self._pipes.append(mine)
        self._idle += self._pipes

    def __len__(self) -> int:
        return len(self._pipes)

    @property
    def is_idle(self) -> bool:
        """True when a worker waits for a portion."""
        return bool(self._idle)

    @property
    def is_busy(self) -> bool:
        """True when a portion is being scored."""
        return len(self._idle) < len(self._pipes)

    def give(self, portion: Portion) -> None:
        """Give a portion to an idle worker."""
        pipe = self._idle.pop()
        try:
            pipe.send(portion)
        except OSError:
            self._receive(pipe)

    def take(self) -> Iterator[Scored]:
        """Return what at least one worker has finished, waiting for it."""
        busy = [pipe for pipe in self._pipes if pipe not in self._idle]
        for pipe in wait(busy):
            assert isinstance(pipe, Connection)
            scored = self._receive(pipe)
            self._idle.append(pipe)
            yield scored

    def stop(self) -> None:
        """End all workers."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(timeout=2)
            if process.is_alive():
                process.kill()
                process.join()

    def _receive(self, pipe: Connection) -> Scored:
        try:
            answer = pipe.recv()
        except (EOFError, OSError):
            process = self._processes[self._pipes.index(pipe)]
            process.join(timeout=5)
            raise ScoringError(
                f"a worker process ended (exit code {process.exitcode}); if memory ran out, "
                "give fewer --workers or a smaller --window"
            ) from None
        if isinstance(answer, BaseException):
            raise answer
        assert isinstance(answer, Scored)
        return answer


@contextmanager
def crew(wishes: Wishes, *, devices: Sequence[str]) -> Iterator[Crew]:
    """Yield a Crew and end its workers afterwards, whatever happens."""
    workers = Crew(wishes, devices=devices)
    try:
        yield workers
    finally:
        workers.stop()


def _context() -> BaseContext:
    """Return how processes start: from a clean server that has torch loaded already."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["routing.scoring.scorer"])
    return context


def _work(pipe: Connection, wishes: Wishes, device: str) -> None:
    """Score portions until the pipe ends; what a user can put right is sent back."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import torch

    from routing.scoring.scorer import Scorer

    torch.set_num_threads(1)
    scorer: Scorer | None = None
    while True:
        try:
            portion = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        try:
            if scorer is None:
                scorer = Scorer(wishes, device=device)
                gc.freeze()  # what is loaded stays: collections need not walk through it
            answer: Scored | Exception = scorer.score(portion)
        except RoutingError as error:
            answer = ScoringError(str(error))
        except Exception:
            answer = RuntimeError(traceback.format_exc())
        try:
            pipe.send(answer)
        except OSError:
            os._exit(0)
