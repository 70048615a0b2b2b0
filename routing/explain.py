"""``python -m routing.explain``: why one e-mail went where it went, and what that is worth."""

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from routing.errors import RoutingError

if TYPE_CHECKING:
    from routing.explanation.records import Explanation
    from routing.notes import CaseNote

EPILOG = """examples:
  python -m routing.explain runs/lstm mail.eml
  python -m routing.explain runs/transformer mail.eml --html why.html
  python -m routing.explain runs/lstm export.csv --id 4711 --baseline runs/naive_bayes
  python -m routing.explain runs/lstm export.csv --all --json > why.jsonl

exit status: 0 fine; 1 a message could not be read; 2 wrong use; 130 stopped by Ctrl-C
"""


def main(arguments: list[str] | None = None) -> int:
    """Explain as the command line says; return 0, 1 for unreadable e-mails, 2 or 130 (Ctrl-C)."""
    options = _parse(arguments)
    try:
        return _explain(options)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (RoutingError, OSError, KeyboardInterrupt) as error:
        print(f"routing.explain: {str(error) or 'stopped'}", file=sys.stderr)
        return 130 if isinstance(error, KeyboardInterrupt) else 2


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m routing.explain",
        description="Why a message went where it went: the words for and against, attention, "
        "how far each is to be believed, and the smallest change of order that changes the route.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("run", type=Path, metavar="RUN", help="folder of a trained router")
    add("input", metavar="INPUT", help=".eml, .msg, mbox, folder, rows, or - (stdin)")
    add("--id", help="id of the message, where INPUT holds several (default: the first)")
    add("--against", metavar="ROUTE", help="why not ROUTE? (default: the next most probable)")
    add("--html", type=Path, metavar="FILE", help="write one self-contained page")
    add("--json", action="store_true", help="one JSON line on stdout")
    add("--all", action="store_true", help="every message of INPUT; goes with --json")
    add("--baseline", type=Path, metavar="RUN", help="naive Bayes run to ask about both orders")
    add("--notes", type=Path, metavar="RUN", help="show the case note by this run (kind note)")
    add("--budget", type=int, default=2000, help="orders to try (default: 2000; 0: none)")
    add("--device", default="cpu", help="cpu, cuda, … (default: cpu)")
    options = parser.parse_args(arguments)
    if options.all and not options.json:
        parser.error("--all goes with --json: one line per message")
    if options.all and (options.html or options.id or options.against):
        parser.error("--all explains every message: leave out --html, --id and --against")
    if options.html and os.path.realpath(options.html) == os.path.realpath(options.input):
        parser.error(f"--html {options.html} would write over the message; name another file")
    if options.budget < 0:
        parser.error(f"--budget {options.budget}: give 0 or more")
    return options


def _explain(options: argparse.Namespace) -> int:
    from routing.explanation.faithfulness import read_faithfulness
    from routing.explanation.inspection import explain_email, pick_emails
    from routing.explanation.schema import error_line
    from routing.notes import NoteWriter
    from routing.router import Router

    router = Router.load(options.run, device=options.device)
    emails = pick_emails(router, options.input, id=options.id, every=options.all)
    model_checks = read_faithfulness(options.run)
    baseline = Router.load(options.baseline) if options.baseline else None
    writer = NoteWriter.load(options.notes) if options.notes else None
    unreadable = 0
    for email in emails:
        if email.error is not None:
            unreadable += 1
            if options.json:
                print(error_line(email), flush=True)
            print(f"routing.explain: {email.id}: {email.error}", file=sys.stderr)
            continue
        explanation = explain_email(
            router,
            email,
            against=options.against,
            model_checks=model_checks,
            baseline=baseline,
            budget=options.budget,
        )
        _show(explanation, writer.write([email])[0] if writer else None, options)
    return 1 if unreadable else 0


def _show(explanation: "Explanation", note: "CaseNote | None", options: argparse.Namespace) -> None:
    from rich.console import Console

    from routing.explanation.notes import note_view
    from routing.explanation.page import explanation_page
    from routing.explanation.schema import explanation_line
    from routing.explanation.terminal import explanation_view

    if options.html:
        options.html.write_text(explanation_page(explanation, note), encoding="utf-8")
        print(f"wrote {options.html}", file=sys.stderr)
    if options.json:
        print(explanation_line(explanation, note), flush=True)
    else:
        Console().print(explanation_view(explanation), *([note_view(note)] if note else []))


if __name__ == "__main__":
    sys.exit(main())
