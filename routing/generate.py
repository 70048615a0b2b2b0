"""``python -m routing.generate``: Cartwise e-mails in any number, to load-test and to look at."""

import argparse
import os
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from routing.errors import CorpusError, RoutingError
from routing.records import Pair

EPILOG = """examples:
  python -m routing.generate                                    six e-mails to look at
  python -m routing.generate --pairs 1000 --suite noisy --output noisy.jsonl
  python -m routing.generate --emails 1000000 --output load     a folder of Parquet files
"""


def main(arguments: list[str] | None = None) -> int:
    """Generate as the command line says; return 0, 2 on wrong use, 130 when stopped by Ctrl-C."""
    options = _parse(arguments)
    try:
        return _generate(options)
    except RoutingError as error:
        print(f"routing.generate: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\nrouting.generate: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parse(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m routing.generate",
        description="Make Cartwise e-mails; the same ones for the same seed.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    number = parser.add_mutually_exclusive_group()
    number.add_argument("--pairs", type=int, metavar="N", help="number of pairs (default: 3)")
    number.add_argument("--emails", type=int, metavar="N", help="number of e-mails")
    parser.add_argument("--suite", default="train", help="train or a suite (default: train)")
    parser.add_argument("--seed", type=int, help="a whole number (default: 0)")
    parser.add_argument(
        "--noise", type=float, help="share of noisy pairs, 0 to 1 (default: the suite's own)"
    )
    parser.add_argument(
        "--output",
        type=Path,
        metavar="FILE|FOLDER",
        help=".jsonl (pairs with --pairs, else e-mails), .csv or .parquet (e-mails); "
        "any other name is a folder of Parquet files",
    )
    options = parser.parse_args(arguments)
    for name in ("pairs", "emails"):
        if (value := getattr(options, name)) is not None and value < 1:
            parser.error(f"--{name} {value}: give a number of 1 or more")
    for name in ("seed", "noise"):
        if getattr(options, name) is not None and options.suite == "written":
            parser.error(f"--{name} does not go with --suite written, which is as it was written")
    return options


def _generate(options: argparse.Namespace) -> int:
    from routing.corpus.cartwise import label_members
    from routing.corpus.output import write_emails
    from routing.corpus.pairs import write_pairs

    output: Path | None = options.output
    if output is not None and output.suffix == ".jsonl" and options.pairs:
        print(f"{write_pairs(output, _make_pairs(options))} pairs in {output}", file=sys.stderr)
        return 0
    members = (email for pair in _make_pairs(options) for email in label_members(pair))
    emails = islice(members, options.emails)
    if output is not None:
        print(f"{write_emails(emails, output)} e-mails in {output}", file=sys.stderr)
        return 0
    for email in emails:
        print(f"[{email.route}, {email.phenomenon}] {email.email.id}")
        print(f"{email.email.subject}\n{email.email.text}\n".lstrip())
    return 0


def _make_pairs(options: argparse.Namespace) -> Iterator[Pair]:
    from routing.corpus.cartwise import make_pairs
    from routing.corpus.recipes import RECIPES
    from routing.corpus.suites import make_suite

    count = -(-options.emails // 2) if options.emails else (options.pairs or 3)
    if options.suite == "written":
        return iter(make_suite("written", count=count))
    if options.suite not in RECIPES:
        known = ", ".join((*RECIPES, "written"))
        raise CorpusError(f"suite {options.suite!r} does not exist: choose from {known}")
    seed = options.seed or 0
    return make_pairs(count=count, seed=seed, suite=options.suite, noise=options.noise)


if __name__ == "__main__":
    sys.exit(main())
