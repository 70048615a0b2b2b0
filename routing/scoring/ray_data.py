"""Scoring on Ray Data: the same decisions, on one machine or a cluster.

Portions are handed out; a pool of actors, each with the router loaded once, reads and decides;
decisions are written as a folder of Parquet or JSON-lines parts with an ``order`` column. Files
must lie where every machine sees them. Ids are left as read (a repeated one is not renamed).
"""

import json
import logging
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from routing.errors import MissingExtraError, ScoringError, SettingsError
from routing.mail.charset import is_marked_wide
from routing.scoring.distributed import place_workers
from routing.scoring.job import Job, check_job, read_columns
from routing.scoring.portions import Lines, Portion, cut
from routing.scoring.records import Scored, Tally, Wishes
from routing.scoring.tables import decision_schema

_STRIDE = 1_000_000
_FILES = {".parquet": "write_parquet", ".jsonl": "write_json"}


class PortionScorer:
    """What each actor holds: the router, loaded once.

    Args:
        wishes: how to score.
        device: ``cpu``, or ``cuda`` for the GPU that Ray lends the actor.
    """

    def __init__(self, wishes: Wishes, device: str) -> None:
        import torch

        from routing.scoring.scorer import Scorer

        torch.set_num_threads(1)
        self.scorer = Scorer(wishes, device=device)

    def __call__(self, batch: Mapping[str, Any]) -> Any:
        """Return the decisions of the portions in ``batch`` as an Arrow table."""
        portions = [pickle.loads(one) for one in batch["portion"]]
        scored = [self.scorer.score(_with_bytes(portion)) for portion in portions]
        return _table(scored, self.scorer.router.routes)


def run_on_ray(
    job: Job, *, address: str | None = None, report: Callable[[Scored], None] = lambda scored: None
) -> Tally:
    """Score everything into the folder ``job.output`` and return what came out.

    ``report`` hears of each portion, in order, when all is written.

    Raises MissingExtraError without the extra ``ray``, SettingsError for what Ray cannot do.
    """
    try:
        import ray
        import ray.data
    except ImportError:
        raise MissingExtraError("ray", "jobs with --engine ray") from None
    check_job(job)
    output = _check_output(job)
    devices = place_workers(job.device, workers=job.workers)
    gpus = sum(device != "cpu" for device in set(devices))
    local: dict[str, Any] = {"include_dashboard": False, "num_cpus": len(devices) + 1}
    ray.init(
        address,
        logging_level=logging.ERROR,
        log_to_driver=False,
        ignore_reinit_error=True,
        **({} if address else local),
    )
    try:
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.execution_options.preserve_order = True
        rows = [{"portion": pickle.dumps(portion)} for portion in _portions(job)]
        decisions = (
            ray.data.from_items(rows, override_num_blocks=len(rows))
            .map_batches(
                PortionScorer,
                fn_constructor_args=(job.wishes, "cuda" if gpus else "cpu"),
                batch_size=1,
                concurrency=len(devices),
                num_gpus=gpus / len(devices) if gpus else None,
            )
            .materialize()
        )
        wanted = decisions.map_batches(_without_sums, batch_format="pyarrow", batch_size=None)
        getattr(wanted, _FILES[output.suffix])(str(output))
        return _sum_up(decisions, report)
    except ray.exceptions.RayError as problem:
        raise ScoringError(f"Ray stopped: {problem}") from problem
    finally:
        ray.shutdown()


def _check_output(job: Job) -> Path:
    if job.output is None or job.output.suffix not in _FILES:
        raise SettingsError(
            f"--engine ray needs --output FOLDER ending in .parquet or .jsonl, not {job.output}"
        )
    if job.output.exists():
        raise SettingsError(f"--output {job.output} is there already; remove it or name another")
    if job.resume or "-" in job.sources:
        raise SettingsError("--engine ray has no --resume and no standard input: use local")
    return job.output


@dataclass(frozen=True, slots=True)
class _Span:
    """A portion of lines whose ``size`` bytes from ``start`` on are read where it is scored."""

    portion: Portion
    start: int
    size: int


def _portions(job: Job) -> Iterator[Portion | _Span]:
    """Return the portions; lines stay in their file until an actor wants them.

    Those of UTF-16 do not: they are not cut at bytes of the file.
    """
    start, source, stays, columns = 0, -1, False, read_columns(job.wishes.run)
    for portion in cut(job.sources, emails=job.window, columns=columns):
        if portion.source != source:
            start, source = 0, portion.source
            stays = _is_cut_at_bytes(Path(job.sources[source]))
        lines = portion.content
        if isinstance(lines, Lines) and stays:
            bare = replace(portion, content=replace(lines, data=b""))
            yield _Span(bare, start, len(lines.data))
        else:
            yield portion
        start += portion.size_bytes


def _is_cut_at_bytes(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return not is_marked_wide(file.read(4))


def _with_bytes(given: Portion | _Span) -> Portion:
    if isinstance(given, Portion):
        return given
    lines = given.portion.content
    assert isinstance(lines, Lines)
    with Path(lines.source).open("rb") as file:
        file.seek(given.start)
        return replace(given.portion, content=replace(lines, data=file.read(given.size)))


def _table(scored: Sequence[Scored], routes: Sequence[str]) -> Any:
    """Return decisions as an Arrow table with their ``order``.

    The last row of each portion is none of them: it brings the portion's sums.
    """
    import pyarrow

    schema = decision_schema(routes)
    schema = schema.insert(0, pyarrow.field("order", pyarrow.int64()))
    schema = schema.append(pyarrow.field("sums", pyarrow.binary()))
    rows: list[dict[str, Any]] = []
    for one in scored:
        for place, line in enumerate(one.lines):
            if line is not None:
                row = json.loads(line)
                shares = row["probabilities"] or None
                order = one.number * _STRIDE + place
                rows.append({**row, "probabilities": shares, "order": order})
        rows.append({"sums": pickle.dumps(replace(one, lines=(), ids=()))})
    return pyarrow.Table.from_pylist(rows, schema)


def _without_sums(table: Any) -> Any:
    return table.filter(table["order"].is_valid()).drop_columns(["sums"])


def _sum_up(decisions: Any, report: Callable[[Scored], None]) -> Tally:
    tally = Tally()
    for row in decisions.select_columns(["sums"]).iter_rows():
        if row["sums"] is not None:
            scored: Scored = pickle.loads(row["sums"])
            report(scored)
            tally += scored.tally
    return tally
