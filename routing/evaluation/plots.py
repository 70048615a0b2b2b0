"""Plots of a comparison as SVG text: small, without colours of their own, the same every time.

Colours are CSS variables (``var(--r0)`` … for the routers, ``--ink``, ``--faint``), so that one
drawing serves light and dark pages.
"""

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from routing.evaluation.comparison import Comparison, Result, SuiteResult
from routing.evaluation.intervals import Interval
from routing.evaluation.predictions import Facts

SHADES = 8
"""Colours of routers before they begin again."""

_INK, _FAINT, _GRID = "#010203", "#020304", "#030405"
_ROUTERS = [f"#0405{place:02x}" for place in range(SHADES)]
_VARIABLES = {
    _INK: "var(--ink)",
    _FAINT: "var(--faint)",
    _GRID: "var(--grid)",
    **{colour: f"var(--r{place})" for place, colour in enumerate(_ROUTERS)},
}
_STYLE: Any = {
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "routing",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": _GRID,
    "axes.labelcolor": _FAINT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": _FAINT,
    "ytick.color": _FAINT,
    "text.color": _INK,
    "grid.color": _GRID,
    "axes.grid": True,
    "axes.axisbelow": True,
    "lines.linewidth": 1.8,
}
WIDTH = 5.2
"""Width of a plot in inches; a page shows it at most that wide."""

MOST_NUMBERS = 8
"""Routes up to which a confusion table shows its numbers."""


def plot_suites(comparison: Comparison, order: Sequence[str]) -> str:
    """Return what decides each suite: suites down, one mark and interval for each router."""
    rows = {
        suite.name.replace("_", " "): {
            result.router: result.measures[suite.measure] for result in suite.results
        }
        for suite in comparison.suites
    }
    ceilings = [
        suite.ceiling.pair_consistency if suite.pairs else suite.ceiling.accuracy
        for suite in comparison.suites
    ]
    return _dots("suites", rows, order, ceilings=ceilings)


def plot_phenomena(suite: SuiteResult, order: Sequence[str]) -> str:
    """Return pair consistency by phenomenon; "" without phenomena."""
    names = list(suite.results[0].phenomena)
    rows = {
        name.replace("_", " "): {r.router: r.phenomena[name] for r in suite.results}
        for name in names
    }
    return _dots(f"phenomena-{suite.name}", rows, order) if rows else ""


def plot_distance(suite: SuiteResult, order: Sequence[str]) -> str:
    """Return pair consistency by distance of the deciding words; "" where it is not known."""
    bins = [found.name for found in suite.results[0].curves.distance]
    if len(bins) < 2:
        return ""
    with _axes(f"distance-{suite.name}", height=3.0) as (axes, made):
        for result in suite.results:
            colour = _colour(result.router, order)
            found = [bin_.consistency for bin_ in result.curves.distance]
            values = [100 * interval.value for interval in found]
            axes.plot(range(len(bins)), values, marker="o", markersize=4, color=colour)
            low, high = ([100 * getattr(i, side) for i in found] for side in ("low", "high"))
            axes.fill_between(range(len(bins)), low, high, color=colour, alpha=0.12, linewidth=0)
        axes.set_xticks(range(len(bins)), bins)
        axes.set_ylim(0, 100)
        _name(axes, "tokens between the deciding words", "pair consistency, %")
    return made[0]


def plot_risk(suite: SuiteResult, order: Sequence[str]) -> str:
    """Return the share misrouted against the share decided, the surest first."""
    with _axes(f"risk-{suite.name}", height=3.0) as (axes, made):
        for result in suite.results:
            coverage, risk = zip(*result.curves.risk, strict=True)
            colour = _colour(result.router, order)
            axes.plot([100 * x for x in coverage], [100 * y for y in risk], color=colour)
        axes.set_xlim(0, 100)
        axes.set_ylim(bottom=0)
        _name(axes, "e-mails decided, surest first, %", "of these misrouted, %")
    return made[0]


def plot_reliability(suite: SuiteResult, order: Sequence[str]) -> str:
    """Return the share right against the probability; the diagonal is perfect."""
    with _axes(f"reliability-{suite.name}", height=3.0) as (axes, made):
        axes.plot([0, 100], [0, 100], color=_FAINT, linewidth=1, linestyle=(0, (2, 3)))
        for result in suite.results:
            said, right, emails = zip(*result.curves.reliability, strict=True)
            colour = _colour(result.router, order)
            axes.plot([100 * x for x in said], [100 * y for y in right], color=colour, alpha=0.6)
            sizes = [4 + 90 * count / sum(emails) for count in emails]
            axes.scatter(
                [100 * x for x in said], [100 * y for y in right], s=sizes, color=colour, zorder=3
            )
        axes.set_ylim(0, 100)
        _name(axes, "probability, %", "right, %")
    return made[0]


def plot_confusion(suite: SuiteResult, result: Result, order: Sequence[str]) -> str:
    """Return the confusion table of one router: right route down, decided route across."""
    count = len(suite.routes)
    numbers = count <= MOST_NUMBERS
    height = min(6.0, 1.2 + (0.5 if numbers else 0.12) * count)
    name = f"confusion-{suite.name}-{result.router}"
    with _axes(name, height=height) as (axes, made):
        for y, row in enumerate(result.confusion):
            for x, value in enumerate(row):
                depth = value / max(1.0, sum(row))
                if value:
                    axes.fill_between(
                        [x - 0.48, x + 0.48],
                        y - 0.46,
                        y + 0.46,
                        color=_colour(result.router, order) if x == y else _FAINT,
                        alpha=0.08 + 0.6 * depth,
                        linewidth=0,
                    )
                if numbers:
                    axes.text(x, y, f"{value:.0f}", ha="center", va="center")
        _frame_confusion(axes, suite.routes, numbers)
    return made[0]


def _frame_confusion(axes: Axes, routes: Sequence[str], numbers: bool) -> None:
    axes.grid(visible=False)
    axes.set_xlim(-0.5, len(routes) - 0.5)
    axes.set_ylim(len(routes) - 0.5, -0.5)
    ticks = range(len(routes)) if numbers else []
    axes.set_xticks(ticks, [_short(route) for route in routes] if numbers else [])
    axes.set_yticks(ticks, [_short(route) for route in routes] if numbers else [])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    _name(axes, "decided", "right route")


def plot_training(facts: Sequence[Facts], order: Sequence[str], *, loss: bool) -> str:
    """Return macro-F1 (or loss) on validation e-mails by epoch; "" without histories."""
    value = "val_loss" if loss else "macro_f1"
    courses = {
        (fact.router, fact.seed): [
            (epoch.epoch, getattr(epoch, value))
            for epoch in fact.history
            if getattr(epoch, value) is not None
        ]
        for fact in facts
    }
    courses = {key: course for key, course in courses.items() if course}
    if not courses:
        return ""
    with _axes(f"training-{value}", height=3.0) as (axes, made):
        for (router, _), course in courses.items():
            epochs, values = zip(*course, strict=True)
            scale = 1 if loss else 100
            axes.plot(
                epochs,
                [scale * found for found in values],
                marker="o",
                markersize=3,
                color=_colour(router, order),
            )
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        title = "validation loss" if loss else "validation macro-F1, %"
        _name(axes, "epoch", title)
    return made[0]


def _dots(
    name: str,
    rows: dict[str, dict[str, Interval]],
    order: Sequence[str],
    *,
    ceilings: Sequence[float] = (),
) -> str:
    """Return a dot plot: one band for each row, one mark with its interval for each router."""
    step = 0.8 / max(1, len(order))
    with _axes(name, height=0.9 + len(rows) * max(0.34, 0.11 * len(order))) as (axes, made):
        for y, cells in enumerate(rows.values()):
            if y % 2 == 0:
                axes.axhspan(y - 0.5, y + 0.5, color=_GRID, alpha=0.35, linewidth=0)
            for place, router in enumerate(order):
                found = cells.get(router)
                if found is None or found.value != found.value:
                    continue
                here, colour = y - 0.4 + step * (place + 0.5), _colour(router, order)
                axes.plot(
                    [100 * found.low, 100 * found.high], [here, here], color=colour, alpha=0.5
                )
                axes.plot([100 * found.value], [here], marker="o", markersize=4.5, color=colour)
        for y, ceiling in enumerate(ceilings):
            axes.plot([100 * ceiling] * 2, [y - 0.46, y + 0.46], color=_INK, linewidth=1.2)
        axes.set_yticks(range(len(rows)), list(rows))
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlim(-2, 102)
        axes.grid(visible=False, axis="y")
        axes.tick_params(axis="y", length=0, labelcolor=_INK)
        axes.spines["left"].set_visible(False)
        _name(axes, "%", "")
    return made[0]


@contextmanager
def _axes(name: str, *, height: float) -> Iterator[tuple[Axes, list[str]]]:
    """Give axes to draw on; afterwards the list holds the SVG text."""
    made: list[str] = []
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasSVG(figure)
        yield figure.add_subplot(), made
        stream = io.StringIO()
        empty: dict[str, Any] = {"Date": None, "Creator": None, "Format": None, "Type": None}
        figure.savefig(stream, format="svg", transparent=True, metadata=empty)
    made.append(_tidy(stream.getvalue(), name))


def _tidy(svg: str, name: str) -> str:
    """Return the svg element alone, its ids made unique to the page, its colours variables."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(<svg [^>]*?) ?height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg [^>]*?) ?width="[^"]*"', r"\1", svg, count=1)
    mark = re.sub(r"[^a-z0-9]+", "-", name.lower())
    svg = re.sub(r'\bid="', f'id="{mark}-', svg)
    svg = re.sub(r'href="#', f'href="#{mark}-', svg)
    svg = re.sub(r"url\(#", f"url(#{mark}-", svg)
    svg = re.sub(r"font: [^;\"]*?([\d.]+)px[^;\"]*", r"font-size: \1px", svg)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, variable)
    return svg.strip()


def _colour(router: str, order: Sequence[str]) -> str:
    return _ROUTERS[list(order).index(router) % SHADES]


def _name(axes: Axes, across: str, up: str) -> None:
    axes.set_xlabel(across)
    axes.set_ylabel(up)


def _short(route: str) -> str:
    return route if len(route) <= 14 else route[:13] + "…"
