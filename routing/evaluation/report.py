"""A comparison -> tables for the terminal (rich), Markdown and JSON."""

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from routing.evaluation.comparison import Comparison, SuiteResult
from routing.evaluation.intervals import Interval


def comparison_table(comparison: Comparison) -> RenderableType:
    """Return suites down, routers across: what decides each suite, with its 95 % interval."""
    title = "Pair consistency (accuracy where there are no pairs), %, with 95 % intervals"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("suite", min_width=20)
    names = router_names(comparison)
    for name in names:
        table.add_column(name.replace("_", " "), justify="right", min_width=_widest_word(name))
    table.add_column("any bag of words", justify="right", style="dim")
    for suite in comparison.suites:
        cells = (_cell(suite, name) for name in names)
        ceiling = f"≤ {100 * ceiling_value(suite):.1f}"
        table.add_row(suite.name.replace("_", " "), *cells, ceiling)
    remarks = [Text(f"! {warning}", style="yellow") for warning in comparison.warnings]
    return Group(table, *remarks)


def router_names(comparison: Comparison) -> list[str]:
    """Return the names of the routers, in the order given."""
    return list(dict.fromkeys(r.router for s in comparison.suites for r in s.results))


def ceiling_value(suite: SuiteResult) -> float:
    """Return the ceiling of the measure that decides the suite."""
    return suite.ceiling.pair_consistency if suite.pairs else suite.ceiling.accuracy


def percent(interval: Interval) -> str:
    """Return e.g. ``93.1 (91.0–95.2)``."""
    if interval.value != interval.value:
        return "–"
    return f"{100 * interval.value:.1f} ({100 * interval.low:.1f}–{100 * interval.high:.1f})"


def _widest_word(name: str) -> int:
    return max(map(len, name.split("_")))


def _cell(suite: SuiteResult, name: str) -> Text:
    for result in suite.results:
        if result.router == name:
            found = result.measures[suite.measure]
            return Text.assemble(
                f"{100 * found.value:.1f}",
                (f"\n{100 * found.low:.0f}–{100 * found.high:.0f}", "dim"),
            )
    return Text("")
