"""Portions -> scored portions, in order, in bounded memory, on as many processes as wished."""

import gc
from collections.abc import Iterator, Sequence
from itertools import chain, islice

from routing.scoring.portions import Portion
from routing.scoring.records import Scored, Wishes
from routing.scoring.workers import Crew, crew

AHEAD = 4
"""Portions, for each worker, that may be read beyond the oldest unfinished one."""


def score_portions(
    portions: Iterator[Portion], wishes: Wishes, *, devices: Sequence[str]
) -> Iterator[Scored]:
    """Yield what came out of each portion, in their order.

    With one device the work is done in this process; a lone portion is, too. Otherwise a process
    for each device reads, cleans and decides, while this one cuts and writes.
    """
    first = list(islice(portions, 2))
    rest = chain(first, portions)
    if len(first) < 2 or len(devices) < 2:
        yield from _score_here(rest, wishes, device=devices[0])
        return
    with crew(wishes, devices=devices) as workers:
        yield from _score_there(rest, workers)


def _score_here(portions: Iterator[Portion], wishes: Wishes, *, device: str) -> Iterator[Scored]:
    from routing.scoring.scorer import Scorer

    scorer: Scorer | None = None
    for portion in portions:
        if scorer is None:
            scorer = Scorer(wishes, device=device)
            gc.freeze()  # what is loaded stays: collections need not walk through it
        yield scorer.score(portion)


def _score_there(portions: Iterator[Portion], workers: Crew) -> Iterator[Scored]:
    finished: dict[int, Scored] = {}
    portion = next(portions, None)
    due = portion.number if portion else 0
    while portion or workers.is_busy or finished:
        while portion and workers.is_idle and portion.number < due + AHEAD * len(workers):
            workers.give(portion)
            portion = next(portions, None)
        while due in finished:
            yield finished.pop(due)
            due += 1
        if workers.is_busy:
            finished.update((scored.number, scored) for scored in workers.take())
