"""Is what each method says of a run to be believed? Markdown over test e-mails, for the README.

    python -m tests.benchmarks.faithfulness runs/lstm runs/transformer

For every run: method x (comprehensiveness, sufficiency, tau, flips) beside random rankings with
95 % bootstrap intervals, and the verdict on each method; the share of e-mails whose completeness
gap is under 1 %; the share of pairs, of those that the run gets right, in which the order search
turns one member into the route of the other; and the seconds that all methods together take for
an e-mail of about 60 words.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch

from routing.corpus.pairs import pair_emails, read_pairs
from routing.explanation.faithfulness import measure_faithfulness
from routing.explanation.gradients import integrated_gradients
from routing.explanation.inspection import explain_email
from routing.explanation.occlusion import leave_one_out
from routing.explanation.order import counts_words, search_order
from routing.explanation.records import METHOD_NAMES, Faithfulness, Figure
from routing.explanation.variants import Asked
from routing.explanation.verdict import judge
from routing.models.bayes import BayesModel
from routing.records import Email, LabelledEmail
from routing.router import Router


def main(arguments: list[str] | None = None) -> int:
    """Print the tables of the runs named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN")
    parser.add_argument("--pairs", type=Path, help="JSON lines of pairs (default: in_distribution)")
    parser.add_argument("--emails", type=int, default=200, help="e-mails measured (default: 200)")
    parser.add_argument("--searched", type=int, default=100, help="pairs searched (default: 100)")
    parser.add_argument("--threads", type=int, default=2, help="CPU threads (default: 2)")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    members = find_members(options.pairs, count=max(4 * options.searched, options.emails // 2))
    for run in options.runs:
        router = Router.load(run)
        emails = [member.email for member in members[: options.emails]]
        print(f"\n### {run.name}\n")
        found = measure_faithfulness(router, emails)
        print("\n".join([*table(found), "", *readings(found), ""]), flush=True)
        if not isinstance(router.model, BayesModel):
            print(gaps(router, emails), flush=True)
        if not counts_words(router):
            print(searches(router, members, wanted=options.searched), flush=True)
        print(speed(router, [member.email for member in members]), flush=True)
    return 0


def find_members(file: Path | None, *, count: int) -> list[LabelledEmail]:
    """Return the members of ``count`` pairs of a file, or of the suite ``in_distribution``."""
    if file is not None:
        pairs = read_pairs(file)
        random.Random(0).shuffle(pairs)
        return pair_emails(pairs[:count])
    from routing.corpus.suites import make_suite

    return pair_emails(make_suite("in_distribution", count=count))


def table(found: Faithfulness) -> Iterable[str]:
    """Yield the Markdown lines of the checks."""
    yield f"{found.emails} e-mails, {found.rankings} random rankings of each."
    yield ""
    yield (
        "| method | removed by | comprehensiveness (more is better) | lead over random "
        "| sufficiency (less is better) | lead over random | tau | flips |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for c in found.checks:
        figures = (
            c.comprehensiveness,
            c.lead_comprehensiveness,
            c.sufficiency,
            c.lead_sufficiency,
            c.tau,
            c.flips,
        )
        cells = " | ".join(cell(figure) for figure in figures)
        yield f"| {METHOD_NAMES[c.method]} | {c.removal} | {cells} |"


def readings(found: Faithfulness) -> Iterable[str]:
    """Yield what the checks say of each method, in words."""
    for method in dict.fromkeys(c.method for c in found.checks if c.method != "random"):
        yield f"- {judge(found, method)}"


def cell(figure: Figure | None) -> str:
    """Return ``0.312 (0.250 to 0.360)``."""
    if figure is None:
        return "–"
    return f"{figure.value:.3f} ({figure.low:.3f} to {figure.high:.3f})"


def gaps(router: Router, emails: Sequence[Email]) -> str:
    """Return how many e-mails have a completeness gap under 1 % of the difference."""
    shares, steps = [], []
    for email in emails:
        asked = Asked(router, email)
        found = integrated_gradients(asked, against=asked.rival())[1]
        shares.append(found.share)
        steps.append(found.steps)
    under = sum(share < 0.01 for share in shares) / len(shares)
    median, usual = statistics.median(shares), statistics.median(steps)
    return (
        f"- completeness gap under 1 % of the logit difference: {under:.1%} of {len(shares)} "
        f"e-mails (median gap {median:.4%}; {usual:.0f} steps at the median, {max(steps)} at most)"
    )


def searches(router: Router, members: Sequence[LabelledEmail], *, wanted: int) -> str:
    """Return in how many of ``wanted`` pairs that the router gets right a change was found."""
    right = found = tried = asked_about = 0
    for one, two in zip(members[::2], members[1::2], strict=True):
        if right == wanted:
            break
        asked_about += 1
        decisions = router.decide([one.email, two.email])
        if [d.route for d in decisions] != [one.route, two.route]:
            continue
        right += 1
        asked = Asked(router, one.email)
        weights = leave_one_out(asked, against=asked.rival(), removal="deletion")
        search = search_order(asked, one.email, weights=list(map(float, weights)))
        found += search.change is not None and search.change.route == two.route
        tried += search.tried
    share = found / max(1, right)
    return (
        f"- order search: one member becomes the other's route in {found} of {right} pairs that "
        f"the run gets right ({share:.1%}; the first of {asked_about} pairs); "
        f"{tried / max(1, right):.0f} orders tried on average"
    )


def speed(router: Router, emails: Sequence[Email]) -> str:
    """Return the seconds of a whole explanation of the e-mail nearest to 60 words, warm."""
    email = min(emails, key=lambda e: abs(len(router.reader.words(e)) - 60))
    explain_email(router, email)
    seconds = []
    for _ in range(3):
        started, worked = time.perf_counter(), time.process_time()
        explain_email(router, email)
        seconds.append((time.perf_counter() - started, time.process_time() - worked))
    best, work = min(seconds)
    return (
        f"- all methods, checks and order search of one e-mail of "
        f"{len(router.reader.words(email))} words: {best:.2f} s warm ({work:.2f} s of processor "
        f"time, {torch.get_num_threads()} threads)"
    )


if __name__ == "__main__":
    sys.exit(main())
