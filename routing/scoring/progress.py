"""What a scoring job says of itself on standard error: progress, trouble, summary."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from routing.scoring.own import own_files
from routing.scoring.portions import source_bytes
from routing.scoring.records import Scored, Tally


@contextmanager
def watch(
    sources: Sequence[str], *, output: Path | None = None
) -> Iterator[Callable[[Scored], None]]:
    """Yield what hears of each portion: it names unreadable e-mails and moves a progress bar.

    The bar stands only on a terminal; its estimate is the share of bytes read (none for standard
    input, whose size is not known); ``output`` is the file that the job writes.
    """
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield lambda scored: _tell(scored, console)
        return
    columns = (TextColumn("scoring"), BarColumn(), TextColumn("{task.fields[emails]:,} e-mails"))
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        total = None if "-" in sources else source_bytes(sources, own=own_files(output))
        task = bar.add_task("scoring", total=total, emails=0)

        def report(scored: Scored) -> None:
            _tell(scored, console)
            emails = bar.tasks[0].fields["emails"] + scored.tally.emails
            bar.update(task, advance=scored.size_bytes, emails=emails)

        yield report


def summarize(tally: Tally, *, seconds: float) -> str:
    """Return the summary of a job: routes, review share, trouble, speed."""
    read = tally.emails - tally.errors
    routes = ", ".join(f"{route} {count:,}" for route, count in sorted(tally.routes.items()))
    parts = [f"{tally.emails:,} e-mails in {seconds:.1f} s ({tally.emails / seconds:,.0f}/s)"]
    parts += [routes] if routes else []
    if read:
        parts.append(f"for review {tally.reviews:,} ({tally.reviews / read:.1%})")
    parts += [f"auto-replies {tally.auto_replies:,}"] if tally.auto_replies else []
    parts += [f"files passed over {tally.passed_over:,}"] if tally.passed_over else []
    parts.append(f"unreadable {tally.errors:,}")
    return "; ".join(parts)


def _tell(scored: Scored, console: Console) -> None:
    if scored.note:
        console.print(scored.note, markup=False)
    for source, error in scored.errors:
        console.print(f"unreadable: {source}: {error}", markup=False, soft_wrap=True)
