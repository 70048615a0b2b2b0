"""``python -m routing.compare``: several routers on the same e-mails, side by side."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from routing.errors import RoutingError

if TYPE_CHECKING:
    from rich.console import Console

    from routing.evaluation.predictions import Evidence

EPILOG = """examples:
  python -m routing.compare runs/*                               the standard suites
  python -m routing.compare runs/lstm configs/lstm.yaml --seeds 5 --report report
  python -m routing.compare runs/lstm --on mail.csv --audit      does my mail need order?
"""


def main(arguments: list[str] | None = None) -> int:
    """Compare as the command line says; return 0, or 2 on wrong use."""
    options = _parse(arguments)
    try:
        return _compare(options)
    except RoutingError as error:
        print(f"routing.compare: {error}", file=sys.stderr)
        return 2


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m routing.compare",
        description="Try routers on the same e-mails. Linear controls always take part.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "routers", nargs="+", type=Path, metavar="RUN_OR_CONFIG", help="run folders, YAML configs"
    )
    parser.add_argument(
        "--on", metavar="FILE", help="pairs or labelled e-mails (default: the standard suites)"
    )
    parser.add_argument(
        "--seeds", type=int, default=3, metavar="N", help="fits of each config (default: 3)"
    )
    parser.add_argument(
        "--pairs",
        type=int,
        default=300,
        metavar="N",
        help="most pairs of a suite (default: 300)",
    )
    parser.add_argument(
        "--report", type=Path, metavar="FOLDER", help="write report.html and all that it shows"
    )
    parser.add_argument("--json", action="store_true", help="print results as JSON")
    parser.add_argument(
        "--audit", action="store_true", help="say how much of the skill needs word order"
    )
    options = parser.parse_args(arguments)
    for name in ("seeds", "pairs"):
        if (value := getattr(options, name)) < 1:
            parser.error(f"--{name} {value}: give a number of 1 or more")
    return options


def _compare(options: argparse.Namespace) -> int:
    from rich.console import Console

    from routing.evaluation.comparison import compare
    from routing.evaluation.report import audit_table, comparison_table, results_json, write_report

    evidence = _gather(options, progress := Console(stderr=True))
    comparison = compare(evidence)
    if options.report:
        write_report(options.report, evidence)
        progress.print(f"report: {options.report / 'report.html'}")
    if options.json:
        print(results_json(comparison), end="")
        return 0
    console = Console()
    console.print(comparison_table(comparison))
    if options.audit:
        console.print(audit_table(comparison))
    return 0


def _gather(options: argparse.Namespace, progress: "Console") -> "Evidence":
    """Return what every router says of every suite."""
    from rich.progress import track

    from routing.evaluation.predictions import Evidence
    from routing.training import contestants, trials
    from routing.training.disorders import DISORDERS

    settings = contestants.settings_of(contestants.find_entrants(options.routers)[0][0])
    suites = trials.standard_suites(pairs=options.pairs) if not options.on else []
    suites += [trials.read_suite(options.on, settings)] if options.on else []
    folder = options.report / "fitted" if options.report else Path("runs") / ".fitted"
    entry = contestants.enter(
        options.routers, seeds=options.seeds, folder=folder, say=progress.print
    )
    notes = (
        *entry.notes,
        *trials.check_routes(entry.contestants, suites),
        *trials.check_seen(suites, entry.trained_on),
    )
    routers = tuple(trials.measure_speed(each, suites[0]) for each in entry.contestants)
    suites.append(trials.probe_suite())
    disorders = DISORDERS if options.audit else trials.SHUFFLE
    found = trials.run_trials(entry.contestants, suites, disorders=disorders)
    total = len(suites) * len(entry.contestants)
    shown = track(found, "trying", total=total, console=progress, transient=True)
    return Evidence(tuple(shown), routers, notes)


if __name__ == "__main__":
    sys.exit(main())
