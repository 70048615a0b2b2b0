"""Plots of a comparison as SVG text: small, without colours of their own, the same every time.

Colours are CSS variables (``var(--r0)`` … for the routers, ``--ink``, ``--faint``), so that one
drawing serves light and dark pages.
"""

import hashlib
import io
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from routing.evaluation.comparison import Comparison, Result, SuiteResult
from routing.evaluation.fewshot import FewShot
from routing.evaluation.intervals import Interval
from routing.evaluation.predictions import Facts

SHADES = 6
"""Colours of neural routers, and greys of all others, before they begin again."""

_INK, _FAINT, _GRID = "#010203", "#020304", "#030405"
_COLOURS = [f"#0405{place:02x}" for place in range(SHADES)]
_GREYS = [f"#0406{place:02x}" for place in range(SHADES)]
_VARIABLES = {
    _INK: "var(--ink)",
    _FAINT: "var(--faint)",
    _GRID: "var(--grid)",
    **{colour: f"var(--r{place})" for place, colour in enumerate(_COLOURS)},
    **{grey: f"var(--g{place})" for place, grey in enumerate(_GREYS)},
}
_STYLE: Any = {
    "text.parse_math": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "routing",
    "font.family": "sans-serif",
    "font.size": 10.5,
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
WIDTH = 4.7
"""Width of a plot in inches; a page shows it at most that wide."""

MOST_ROUTES = 16
"""Routes up to which there is a plot of confusions."""

MOST_NUMBERS = 6
"""Routes up to which it shows its numbers."""


@dataclass(frozen=True, slots=True)
class Pen:
    """How the marks of a router look: its colour (a stand-in until the page) and dashes."""

    colour: str
    dashes: tuple[int, tuple[int, ...]]


Pens = Mapping[str, Pen]
"""Routers in the order given, each with its pen."""


def choose_pens(facts: Sequence[Facts]) -> dict[str, Pen]:
    """Return a pen for each router: colours for those that read, dashed greys for counters."""
    kinds = {fact.router: fact.kind for fact in facts}
    readers = [name for name, kind in kinds.items() if kind == "neural"]
    counters = [name for name, kind in kinds.items() if kind != "neural"]
    coloured = {name: Pen(_COLOURS[i % SHADES], (0, ())) for i, name in enumerate(readers)}
    grey = {name: Pen(_GREYS[i % SHADES], (0, (4, 2))) for i, name in enumerate(counters)}
    return {name: (coloured | grey)[name] for name in kinds}


def pen_variable(pen: Pen) -> str:
    """Return the CSS variable of a pen's colour, e.g. ``var(--r0)``."""
    return _VARIABLES[pen.colour]


def plot_suites(comparison: Comparison, pens: Pens) -> str:
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
    return _dots("suites", rows, pens, ceilings=ceilings)


def plot_phenomena(suite: SuiteResult, pens: Pens) -> str:
    """Return pair consistency by phenomenon; "" without phenomena."""
    names = list(suite.results[0].phenomena)
    rows = {
        name.replace("_", " "): {r.router: r.phenomena[name] for r in suite.results}
        for name in names
    }
    return _dots(f"phenomena-{suite.name}", rows, pens) if rows else ""


def plot_distance(suite: SuiteResult, pens: Pens) -> str:
    """Return pair consistency by distance of the deciding words; "" where it is not known."""
    bins = [found.name for found in suite.results[0].curves.distance]
    if len(bins) < 2:
        return ""
    with _axes(f"distance-{suite.name}", height=3.0) as (axes, made):
        for place, result in enumerate(suite.results):
            pen = pens[result.router]
            found = [bin_.consistency for bin_ in result.curves.distance]
            shift = 0.4 * (place + 0.5) / len(suite.results) - 0.2
            across = [x + shift for x in range(len(bins))]
            up = [100 * interval.value for interval in found]
            low, high = ([100 * getattr(i, side) for i in found] for side in ("low", "high"))
            axes.vlines(across, low, high, color=pen.colour, alpha=0.4, linewidth=1.2)
            axes.plot(across, up, marker="o", markersize=4, **_line(pen))
        axes.set_xticks(range(len(bins)), bins)
        axes.set_ylim(0, 100)
        _name(axes, "tokens between the deciding words", "pair consistency, %")
    return made[0]


def plot_risk(suite: SuiteResult, pens: Pens) -> str:
    """Return the share misrouted against the share decided, the surest first."""
    with _axes(f"risk-{suite.name}", height=3.0) as (axes, made):
        for result in suite.results:
            coverage, risk = zip(*result.curves.risk, strict=True)
            line = _line(pens[result.router])
            axes.plot([100 * x for x in coverage], [100 * y for y in risk], **line)
        axes.set_xlim(0, 100)
        axes.set_ylim(bottom=0)
        _name(axes, "e-mails decided, surest first, %", "of these misrouted, %")
    return made[0]


def plot_reliability(suite: SuiteResult, pens: Pens) -> str:
    """Return the share right against the probability; the diagonal is perfect."""
    with _axes(f"reliability-{suite.name}", height=3.0) as (axes, made):
        axes.plot([0, 100], [0, 100], color=_FAINT, linewidth=1, linestyle=(0, (2, 3)))
        for result in suite.results:
            said, right, emails = zip(*result.curves.reliability, strict=True)
            pen = pens[result.router]
            across, up = ([100 * value for value in values] for values in (said, right))
            axes.plot(across, up, alpha=0.6, **_line(pen))
            sizes = [4 + 90 * count / sum(emails) for count in emails]
            axes.scatter(across, up, s=sizes, color=pen.colour, zorder=3)
        axes.set_ylim(0, 100)
        _name(axes, "probability, %", "right, %")
    return made[0]


def plot_confusions(suite: SuiteResult, pens: Pens) -> str:
    """Return the confusion table of every router: right route down, decided route across.

    "" with more than ``MOST_ROUTES`` routes.
    """
    routes, results = suite.routes, suite.results
    if len(routes) > MOST_ROUTES:
        return ""
    down = -(-len(results) // 2)
    height = down * (0.75 + 0.36 * len(routes)) + 0.3
    with _axes(f"confusion-{suite.name}", height=height, down=down) as (first, made):
        every = list(first.figure.axes)
        for axes, result in zip(every, results, strict=False):
            _draw_confusion(axes, result, pens[result.router])
            axes.set_title(result.router, fontsize=10, color=_FAINT)
        for place, axes in enumerate(every):
            _frame_confusion(axes, routes, left=place % 2 == 0, shown=place < len(results))
    return made[0]


def _draw_confusion(axes: Axes, result: Result, pen: Pen) -> None:
    for y, row in enumerate(result.confusion):
        for x, value in enumerate(row):
            share = value / max(1.0, sum(row))
            axes.fill_between(
                [x - 0.47, x + 0.47],
                y - 0.45,
                y + 0.45,
                color=pen.colour if x == y else _FAINT,
                alpha=0.06 + 0.6 * share,
                linewidth=0,
            )
            if len(result.confusion) <= MOST_NUMBERS:
                axes.text(x, y, f"{value:.0f}", ha="center", va="center")


def _frame_confusion(axes: Axes, routes: Sequence[str], *, left: bool, shown: bool) -> None:
    axes.grid(visible=False)
    axes.set_visible(shown)
    axes.set_xlim(-0.5, len(routes) - 0.5)
    axes.set_ylim(len(routes) - 0.5, -0.5)
    names = [_short(route) for route in routes]
    turned = 0 if len(routes) <= 3 else 90
    axes.set_xticks(range(len(routes)), names, rotation=turned)
    axes.set_yticks(range(len(routes)), names if left else [])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def plot_training(facts: Sequence[Facts], pens: Pens, *, loss: bool) -> str:
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
                **_line(pens[router]),
            )
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        title = "validation loss" if loss else "validation macro-F1, %"
        _name(axes, "epoch", title)
    return made[0]


def plot_few_shot(found: FewShot, pens: Pens) -> str:
    """Return what decides the suite against e-mails of each route, mean and deviation."""
    with _axes(f"few-shot-{found.name}", height=3.0) as (axes, made):
        for curve in found.curves:
            pen = pens[curve.router]
            sizes = [point.per_route for point in curve.points]
            spreads = [point.measures[found.measure] for point in curve.points]
            axes.plot(
                sizes, [100 * s.mean for s in spreads], marker="o", markersize=4, **_line(pen)
            )
            for size, s in zip(sizes, spreads, strict=True):
                if s.deviation == s.deviation:
                    ends = [100 * (s.mean - s.deviation), 100 * (s.mean + s.deviation)]
                    axes.plot([size, size], ends, color=pen.colour, alpha=0.5)
        axes.set_xscale("log")
        axes.set_xticks(found.sizes, [str(size) for size in found.sizes])
        axes.minorticks_off()
        axes.set_ylim(0, 100)
        up = found.measure.replace("_", " ")
        _name(axes, "e-mails of each route learned from", f"{up}, %")
    return made[0]


def _dots(
    name: str,
    rows: dict[str, dict[str, Interval]],
    pens: Pens,
    *,
    ceilings: Sequence[float] = (),
) -> str:
    """Return a dot plot: one band for each row, one mark with its interval for each router."""
    step = 0.8 / max(1, len(pens))
    with _axes(name, height=0.9 + len(rows) * max(0.34, 0.11 * len(pens))) as (axes, made):
        for y, cells in enumerate(rows.values()):
            if y % 2 == 0:
                axes.axhspan(y - 0.5, y + 0.5, color=_GRID, alpha=0.35, linewidth=0)
            for place, (router, pen) in enumerate(pens.items()):
                found = cells.get(router)
                if found is None or found.value != found.value:
                    continue
                here = y - 0.4 + step * (place + 0.5)
                ends = [100 * found.low, 100 * found.high]
                axes.plot(ends, [here, here], color=pen.colour, alpha=0.5)
                axes.plot([100 * found.value], [here], marker="o", markersize=4.5, color=pen.colour)
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
def _axes(name: str, *, height: float, down: int = 0) -> Iterator[tuple[Axes, list[str]]]:
    """Give axes to draw on; afterwards the list holds the SVG text.

    With ``down`` there are so many rows of two axes, and the first is given.
    """
    made: list[str] = []
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        FigureCanvasSVG(figure)
        every = figure.subplots(down or 1, 2 if down else 1, squeeze=False)
        yield every[0][0], made
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
    digest = hashlib.blake2b(name.encode(), digest_size=4).hexdigest()
    mark = f"{re.sub('[^a-z0-9]+', '-', name.lower())}-{digest}"
    svg = re.sub(r'\bid="', f'id="{mark}-', svg)
    svg = re.sub(r'href="#', f'href="#{mark}-', svg)
    svg = re.sub(r"url\(#", f"url(#{mark}-", svg)
    svg = re.sub(r"font: [^;\"]*?([\d.]+)px[^;\"]*", r"font-size: \1px", svg)
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, variable)
    return svg.strip()


def _line(pen: Pen) -> dict[str, Any]:
    return {"color": pen.colour, "linestyle": pen.dashes}


def _name(axes: Axes, across: str, up: str) -> None:
    axes.set_xlabel(across)
    axes.set_ylabel(up)


def _short(route: str) -> str:
    return route if len(route) <= 14 else route[:13] + "…"
