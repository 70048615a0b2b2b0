"""``python -m routing.score``: mail in, one decision a line out."""

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from routing.errors import RoutingError

if TYPE_CHECKING:
    from routing.scoring.job import Job

EPILOG = """examples:
  python -m routing.score runs/lstm mail/ > decisions.jsonl
  python -m routing.score runs/lstm year.jsonl --output year.parquet --resume
  python -m routing.score runs/lstm inbox.mbox --only-review --review-below 0.9
exit codes: 0 fine, 1 finished but some messages were unreadable, 2 wrong use, or it could not go
on, 130 stopped by Ctrl-C
"""


def main(arguments: list[str] | None = None) -> int:
    """Score as the command line says; return the exit code."""
    options = _parse(arguments)
    try:
        return _score(options)
    except RoutingError as error:
        print(f"routing.score: {error}", file=sys.stderr)
        if isinstance(error.__cause__, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        partial = Path(f"{options.output}.partial")
        there = options.output is not None and partial.exists()
        kept = f"; {partial} is kept, --resume goes on" if there else ""
        print(f"routing.score: stopped{kept}", file=sys.stderr)
        return 130


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m routing.score",
        description="Decide on the route of every e-mail: one JSON line each, in input order.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("run", metavar="RUN", help="run folder of a trained router")
    add("inputs", nargs="+", metavar="INPUT", help="mail file, folder, table, or - (JSON lines)")
    add("--output", type=Path, metavar="FILE", help=".jsonl, .csv or .parquet (default: stdout)")
    add("--resume", action="store_true", help="go on with a job that was stopped")
    add("--review-below", type=float, metavar="P", help="review what is less probable than P")
    add("--routes", default="", metavar="A,B", help="write only decisions for these routes")
    add("--only-review", action="store_true", help="write only what a person should look at")
    add("--workers", type=int, default=0, metavar="N", help="processes (default: one per core)")
    add(
        "--window",
        type=int,
        metavar="N",
        help="e-mails batched together (default: 1024; pretrained on a processor: 128)",
    )
    add("--notes", default="", metavar="RUN", help="add case notes by this run (model.kind note)")
    add("--device", default="auto", help="auto, cpu, cuda or cuda:N (default: auto)")
    add("--precision", choices=["float32", "bfloat16"], default="float32", help="of the model")
    add("--runtime", choices=["torch", "onnx"], default="torch", help="what runs the model")
    add("--engine", choices=["local", "ray"], default="local", help="ray: beyond one machine")
    add("--ray-address", metavar="ADDRESS", help="a Ray cluster (default: this machine)")
    options = parser.parse_args(arguments)
    if options.review_below is not None and not 0 <= options.review_below <= 1:
        parser.error(f"--review-below {options.review_below}: give a probability from 0 to 1")
    if options.notes and options.engine == "ray":
        parser.error("--notes goes with --engine local: leave out --engine ray")
    for name, given, least in (("workers", options.workers, 0), ("window", options.window, 1)):
        if given is not None and given < least:
            parser.error(f"--{name} {given}: give {least} or more")
    return options


def _job(options: argparse.Namespace) -> "Job":
    from routing.scoring.job import Job, read_routes, usual_window
    from routing.scoring.records import Wishes, split_routes

    known = read_routes(options.run) if options.routes else ()
    wishes = Wishes(
        run=options.run,
        review_below=options.review_below,
        routes=split_routes(options.routes, known=known),
        only_review=options.only_review,
        precision=options.precision,
        runtime=options.runtime,
        notes=options.notes,
    )
    names = ("output", "resume", "workers", "device")
    chosen = {name: getattr(options, name) for name in names}
    window = options.window or usual_window(options.run, device=options.device)
    return Job(sources=tuple(options.inputs), wishes=wishes, window=window, **chosen)


def _score(options: argparse.Namespace) -> int:
    start = time.perf_counter()
    job = _job(options)
    from routing.scoring.job import run_job
    from routing.scoring.progress import summarize, watch

    with watch(job.sources, output=job.output) as report:
        if options.engine == "ray":
            from routing.scoring.ray_data import run_on_ray

            tally = run_on_ray(job, address=options.ray_address, report=report)
        else:
            tally = run_job(job, stdout=sys.stdout.buffer, report=report)
    print(summarize(tally, seconds=time.perf_counter() - start), file=sys.stderr)
    return 1 if tally.errors else 0


if __name__ == "__main__":
    sys.exit(main())
