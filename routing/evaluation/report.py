"""A comparison -> tables for the terminal (rich), Markdown and JSON, and the report folder."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from routing.errors import writing_to
from routing.evaluation.comparison import Comparison, SuiteResult, compare
from routing.evaluation.page import write_page
from routing.evaluation.predictions import Evidence, read_evidence, write_evidence
from routing.evaluation.tables import (
    Sheet,
    ceiling_value,
    few_shot_sheets,
    find_result,
    main_sheet,
    order_sheet,
    probes_sheet,
    router_names,
    routers_sheet,
    suite_sheets,
)
from routing.evaluation.verdict import audit_sentences, size_of

DECIMALS = 6
"""Numbers in results.json are rounded to so many decimals."""


def comparison_table(comparison: Comparison) -> RenderableType:
    """Return suites down, routers across: what decides each suite, with its 95 % interval.

    Few-shot curves are tables of their own: routers down, e-mails learned from across.
    """
    parts: list[RenderableType] = [_suites_table(comparison)] if comparison.suites else []
    for found in comparison.few_shot:
        sheet = few_shot_sheets(found)[0]
        title = f"{found.name} ({size_of(found)}): {sheet.title[0].lower()}{sheet.title[1:]}"
        parts += [Text(title), _sheet_table(sheet, left=1)]
    return Group(*parts, *_remarks(comparison))


def _suites_table(comparison: Comparison) -> Table:
    title = "Pair consistency (accuracy where there are no pairs), %, with 95 % intervals"
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("suite", min_width=20)
    names = router_names(comparison)
    for name in names:
        widest = max(6, *map(len, name.split("_")))
        table.add_column(name.replace("_", " "), justify="right", width=widest)
    table.add_column("bag of words", justify="right", style="dim", width=6)
    for suite in comparison.suites:
        cells = (_cell(suite, name) for name in names)
        ceiling = f"≤ {100 * ceiling_value(suite):.1f}"
        table.add_row(suite.name.replace("_", " "), *cells, ceiling)
    return table


def _sheet_table(sheet: Sheet, *, left: int, title: str = "") -> Table:
    """Return a sheet as a table for the terminal, its first columns ranged left."""
    table = Table(title=title, title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for place, column in enumerate(sheet.columns):
        table.add_column(column, justify="left" if place < left else "right")
    for row in sheet.rows:
        table.add_row(*row)
    return table


def _cell(suite: SuiteResult, name: str) -> Text:
    result = find_result(suite, name)
    if result is None:
        return Text("–")
    found = result.measures[suite.measure]
    interval = f"\n{100 * found.low:.0f}–{100 * found.high:.0f}"
    return Text.assemble(f"{100 * found.value:.1f}", (interval, "dim"))


def _remarks(comparison: Comparison) -> list[Text]:
    warnings = [Text(f"! {warning}", style="yellow") for warning in comparison.warnings]
    return [*warnings, *(Text(note, style="dim") for note in comparison.notes)]


def audit_table(comparison: Comparison) -> RenderableType:
    """Return what is left of each router when order is disturbed, and what that means in words."""
    parts: list[RenderableType] = []
    for suite in comparison.suites:
        sheet = order_sheet(suite)
        title = f"{suite.name}: {sheet.title[0].lower()}{sheet.title[1:]}"
        table = _sheet_table(sheet, title=title, left=2)
        parts += [table, *map(Text, audit_sentences(suite))]
    return Group(*parts)


def results_json(comparison: Comparison) -> str:
    """Return every number of a comparison as JSON; null where a measure is not defined."""
    return json.dumps(_plain(asdict(comparison)), ensure_ascii=False, indent=1) + "\n"


def _plain(value: object) -> object:
    match value:
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case float():
            return round(value, DECIMALS) if math.isfinite(value) else None
        case _:
            return value


def results_markdown(comparison: Comparison, evidence: Evidence) -> str:
    """Return every table of a comparison as Markdown."""
    parts = ["# Comparison of routers", *_bullets(comparison.warnings)]
    parts += [sheet_markdown(main_sheet(comparison))] if comparison.suites else []
    for found in comparison.few_shot:
        parts.append(f"## {escape(found.name, quote=False)}: {size_of(found)}")
        parts += map(sheet_markdown, few_shot_sheets(found))
    parts.append(sheet_markdown(routers_sheet(comparison)))
    for suite in comparison.suites:
        parts.append(f"## {escape(suite.name, quote=False)}: {size_of(suite)}")
        parts += _bullets(audit_sentences(suite))
        parts += [sheet_markdown(sheet) for sheet in suite_sheets(suite, evidence)]
    if comparison.probes:
        parts.append(sheet_markdown(probes_sheet(comparison)))
    parts += _bullets(comparison.notes)
    return "\n\n".join(parts) + "\n"


def _bullets(sentences: Sequence[str]) -> list[str]:
    lines = [f"- {escape(sentence, quote=False)}" for sentence in sentences]
    return ["\n".join(lines)] if lines else []


def sheet_markdown(sheet: Sheet) -> str:
    """Return a sheet as a Markdown table, its cells escaped."""
    lines = [_row(sheet.columns), _row(("---", *("---:" for _ in sheet.columns[1:])))]
    lines += [_row(row) for row in sheet.rows]
    note = f"\n\n{sheet.note}" if sheet.note else ""
    return f"### {sheet.title}\n\n" + "\n".join(lines) + note


def _row(cells: tuple[str, ...]) -> str:
    safe = (escape(" ".join(cell.split()), quote=False).replace("|", "\\|") for cell in cells)
    return "| " + " | ".join(safe) + " |"


def open_report(folder: Path) -> None:
    """Make the folder of a report; raise SettingsError when it cannot be made."""
    with writing_to(folder):
        folder.mkdir(exist_ok=True)


def write_report(folder: Path, evidence: Evidence) -> None:
    """Write the evidence, results.json, report.md and report.html into ``folder``.

    Raises SettingsError when it cannot be written.
    """
    with writing_to(folder):
        write_evidence(folder, evidence)
        remake_report(folder)


def remake_report(folder: Path, *, out: Path | None = None) -> None:
    """Make results.json, report.md and report.html from the predictions in ``folder`` alone.

    The same bytes for the same predictions; written into ``out``, else into ``folder``. Raises
    RunError for a folder without predictions.
    """
    evidence = read_evidence(folder)
    comparison = compare(evidence)
    out = out or folder
    out.mkdir(parents=True, exist_ok=True)
    (out / "results.json").write_text(results_json(comparison), encoding="utf-8")
    markdown = results_markdown(comparison, evidence)
    (out / "report.md").write_text(markdown, encoding="utf-8")
    (out / "report.html").write_text(write_page(comparison, evidence), encoding="utf-8")
