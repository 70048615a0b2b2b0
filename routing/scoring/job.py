"""A whole scoring job: sources in, decisions out, with a place to go on from."""

import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import dropwhile
from pathlib import Path
from typing import Any, BinaryIO

import yaml

from routing.corpus.columns import served_columns
from routing.errors import RunError, SettingsError
from routing.mail import Columns
from routing.mail.folders import Identity
from routing.scoring.distributed import place_workers
from routing.scoring.names import Names, id_hashes
from routing.scoring.own import check_own, own_files
from routing.scoring.portions import check_sources, cut, file_stats
from routing.scoring.records import Scored, Tally, Wishes
from routing.scoring.stream import score_portions
from routing.scoring.writers import FileOutput, StreamOutput, check_output
from routing.settings import DataSettings

WINDOW = 1024
PRETRAINED_WINDOW = 128


@dataclass(frozen=True, slots=True)
class Job:
    """A scoring job.

    Attributes:
        sources: files, folders or ``-``.
        wishes: how to score.
        output: file to be made; None: standard output.
        resume: go on with what a stopped job of the same kind left.
        workers: processes; 0: one for each processor, or in this process when there is little.
        window: e-mails of one portion: they are batched by length together.
        device: ``cpu``, ``cuda``, ``cuda:1`` or ``auto`` (the GPUs where there are some).
    """

    sources: tuple[str, ...]
    wishes: Wishes
    output: Path | None = None
    resume: bool = False
    workers: int = 0
    window: int = WINDOW
    device: str = "auto"


def run_job(
    job: Job, *, stdout: BinaryIO, report: Callable[[Scored], None] = lambda scored: None
) -> Tally:
    """Score everything and return what came out; ``report`` hears of each portion as it is done.

    Raises SettingsError, SourceError, RunError before the start where something is wrong with the
    job, and ScoringError or SourceError when it has to stop; what was done by then is kept.
    """
    routes = check_job(job, stdout=stdout)
    output = _open_output(job, routes=routes, stdout=stdout)
    done = output.done.entries if isinstance(output, FileOutput) else ()
    tally = sum((entry.tally for entry in done), Tally())
    names: dict[int, Names] = {}
    for entry in done:
        names.setdefault(entry.source, Names()).add(entry.ids)
    try:
        if not (isinstance(output, FileOutput) and output.done.complete):
            own = own_files(job.output, stdout=stdout)
            for scored in _score(job, skip=len(done), own=own):
                lines = unique_lines(scored, names.setdefault(scored.source, Names()))
                output.write(scored, lines)
                tally += scored.tally
                report(scored)
        output.finish()
    finally:
        if isinstance(output, FileOutput):
            output.close()
    return tally


def check_job(job: Job, *, stdout: BinaryIO | None = None) -> tuple[str, ...]:
    """Return the routes of the job's run.

    Raises RunError, SourceError, SettingsError for the first thing that is wrong with the job.
    """
    routes = read_routes(job.wishes.run)
    if unknown := [route for route in job.wishes.routes if route not in routes]:
        raise SettingsError(
            f"--routes {', '.join(unknown)}: the run has the routes {', '.join(routes)}"
        )
    check_sources(job.sources, columns=read_columns(job.wishes.run))
    check_own(job.sources, job.output, stdout=stdout)
    if job.output is not None:
        check_output(job.output)
    if job.resume and job.output is None:
        raise SettingsError("--resume needs --output FILE: standard output cannot be gone on with")
    if job.resume and "-" in job.sources:
        raise SettingsError("--resume cannot read standard input again: give a file")
    return routes


def usual_window(run: str, *, device: str) -> int:
    """Return how many e-mails make a portion: fewer for a pretrained encoder on a processor.

    It takes long over each: so the workers of a small job all have something to do, and the
    progress bar moves. Raises SettingsError for a GPU that is not there.
    """
    if place_workers(device, workers=1) != ["cpu"]:
        return WINDOW
    try:
        settings = yaml.safe_load((Path(run) / "settings.yaml").read_text(encoding="utf-8"))
        kind = settings["model"]["kind"]
    except (OSError, ValueError, TypeError, KeyError, yaml.YAMLError):
        return WINDOW  # no run: what is wrong with it is said when it is opened
    return PRETRAINED_WINDOW if kind == "pretrained" else WINDOW


def read_routes(run: str) -> tuple[str, ...]:
    """Return the routes of a run folder, without loading its model.

    Raises RunError when it is no run folder.
    """
    try:
        return tuple(json.loads((Path(run) / "routes.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        raise RunError(f"{run} is no run folder: it holds no routes.json; fit one first") from None


def read_columns(run: str) -> Columns:
    """Return the columns of rows that a run reads, without loading its model.

    Raises RunError when its settings cannot be read.
    """
    try:
        settings = yaml.safe_load((Path(run) / "settings.yaml").read_text(encoding="utf-8"))
        return served_columns(DataSettings.model_validate(settings["data"]))
    except (OSError, ValueError, TypeError, KeyError, yaml.YAMLError) as problem:
        what = " ".join(str(problem).split())
        raise RunError(f"{run}: settings.yaml cannot be read ({what}); fit it again") from None


def unique_lines(scored: Scored, names: Names) -> list[str]:
    """Return the wanted lines of a portion, ids made unique in their source."""
    lines = []
    for line, occurrence in zip(scored.lines, names.add(id_hashes(scored.ids)), strict=True):
        if line is not None and occurrence > 1:
            value = json.loads(line)
            value["id"] = f"{value['id']} ({occurrence})"
            line = json.dumps(value, ensure_ascii=False)
        if line is not None:
            lines.append(line)
    return lines


def _score(job: Job, *, skip: int, own: Container[Identity]) -> Iterator[Scored]:
    columns = read_columns(job.wishes.run)
    everything = cut(job.sources, emails=job.window, own=own, columns=columns)
    portions = dropwhile(lambda portion: portion.number < skip, everything)
    devices = place_workers(job.device, workers=job.workers)
    return score_portions(portions, job.wishes, devices=devices)


def _open_output(job: Job, *, routes: Sequence[str], stdout: BinaryIO) -> StreamOutput | FileOutput:
    if job.output is None:
        return StreamOutput(stdout, name="standard output")
    if job.output.exists() and not job.output.is_file():
        return StreamOutput(job.output.open("wb", buffering=0), name=str(job.output))
    return FileOutput(job.output, job=_description(job, routes), resume=job.resume)


def _description(job: Job, routes: Sequence[str]) -> Mapping[str, Any]:
    """Return what must be the same for a stopped job to go on."""
    model = Path(job.wishes.run) / "model.safetensors"
    own = own_files(job.output)
    description = {
        "model": [model.stat().st_size, model.stat().st_mtime_ns] if model.exists() else [],
        "routes": routes,
        "wishes": asdict(job.wishes),
        "window": job.window,
        "sources": [_source(source, own=own) for source in job.sources],
    }
    result: Mapping[str, Any] = json.loads(json.dumps(description))
    return result


def _source(source: str, *, own: Container[Identity]) -> list[Any]:
    if source == "-":
        return ["-"]
    stats = list(file_stats(source, own=own))
    newest = max((stat.st_mtime_ns for stat in stats), default=0)
    return [str(Path(source)), len(stats), sum(stat.st_size for stat in stats), newest]
