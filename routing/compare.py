"""``python -m routing.compare``: several routers on the same e-mails, side by side."""

import argparse
import sys
from functools import partial
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
  python -m routing.compare configs/lstm.yaml --few-shot 8 32    how much mail does it take?
"""


def main(arguments: list[str] | None = None) -> int:
    """Compare as the command line says; return 0, 2 on wrong use, 130 when stopped by Ctrl-C."""
    options = _parse(arguments)
    try:
        return _compare(options)
    except RoutingError as error:
        print(f"routing.compare: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nrouting.compare: stopped; the same command keeps what is fitted", file=sys.stderr)
        return 130


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
        "--pairs", type=int, default=300, metavar="N", help="most pairs of a suite (default: 300)"
    )
    parser.add_argument(
        "--report", type=Path, metavar="FOLDER", help="write report.html and all that it shows"
    )
    parser.add_argument("--json", action="store_true", help="print results as JSON")
    parser.add_argument(
        "--audit", action="store_true", help="say how much of the skill needs word order"
    )
    few = "fit each config on so many e-mails of each route (without numbers: 8 32 128 512)"
    parser.add_argument("--few-shot", type=int, nargs="*", metavar="SIZE", help=few)
    options = parser.parse_args(arguments)
    sizes = [("few-shot", size) for size in options.few_shot or ()]
    for name, value in [("seeds", options.seeds), ("pairs", options.pairs), *sizes]:
        if value < 1:
            parser.error(f"--{name} {value}: give a number of 1 or more")
    if options.audit and options.few_shot is not None:
        parser.error("--audit does not go with --few-shot: give one of them")
    return options


def _compare(options: argparse.Namespace) -> int:
    from rich.console import Console

    from routing.evaluation import report
    from routing.evaluation.comparison import compare

    if options.report:
        report.open_report(options.report)
    evidence = _gather(options, progress := Console(stderr=True))
    comparison = compare(evidence)
    if options.report:
        report.write_report(options.report, evidence)
        progress.print(f"report: {options.report / 'report.html'}")
    if options.json:
        print(report.results_json(comparison), end="")
        return 0
    console = Console()
    console.print(report.comparison_table(comparison))
    if options.audit:
        console.print(report.audit_table(comparison))
    return 0


def _gather(options: argparse.Namespace, progress: "Console") -> "Evidence":
    """Return what every router says of every suite."""
    from rich.progress import track

    from routing.training import evidence
    from routing.training.fewshot import SIZES

    asked = {
        "on": options.on,
        "pairs": options.pairs,
        "seeds": options.seeds,
        "folder": options.report / "fitted" if options.report else Path("runs") / ".fitted",
        "say": progress.print,
    }
    if options.few_shot is not None:
        sizes = options.few_shot or SIZES
        return evidence.gather_few_shot(options.routers, sizes=sizes, **asked)
    follow = partial(track, description="trying", console=progress, transient=True)
    return evidence.gather(options.routers, audit=options.audit, follow=follow, **asked)


if __name__ == "__main__":
    sys.exit(main())
