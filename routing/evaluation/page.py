"""A comparison -> one HTML page that needs nothing else: no scripts, no fonts, no network."""

import re
from collections.abc import Iterator
from html import escape

from routing.evaluation import plots
from routing.evaluation.comparison import Comparison, SuiteResult
from routing.evaluation.fewshot import FewShot
from routing.evaluation.predictions import Evidence
from routing.evaluation.tables import (
    Sheet,
    few_shot_sheets,
    main_sheet,
    probes_sheet,
    routers_sheet,
    suite_sheets,
)
from routing.evaluation.verdict import audit_sentences, headline, question, size_of

_CSS = """
:root { color-scheme: light dark; --paper: #fbfaf7; --card: #ffffff; --ink: #1d2126;
  --faint: #5d6670; --grid: #e3e1da; --mark: #b45309;
  --r0: #c2410c; --r1: #0a62a8; --r2: #0f7a5a; --r3: #a01d73; --r4: #8a6d00; --r5: #5b3fb5;
  --g0: #4b5563; --g1: #7b8794; --g2: #a3acb6; --g3: #6b6257; --g4: #94897b; --g5: #b8ae9f; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --card: #1b1f24; --ink: #e8e6e1;
  --faint: #a3abb4; --grid: #333a42; --mark: #f0b35a;
  --r0: #f58a5b; --r1: #6cb2f2; --r2: #55c79f; --r3: #ec80c4; --r4: #d9b93c; --r5: #a896f5;
  --g0: #d0d6dc; --g1: #a1abb5; --g2: #78828d; --g3: #c9bfae; --g4: #a0968a; --g5: #7d7468; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1rem 0 .5rem; letter-spacing: -.01em; }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
.lead { font-size: 1.1rem; max-width: 60rem; margin: 0 0 1rem; }
.legend { position: sticky; top: 0; z-index: 1; background: var(--paper); padding: .5rem 0;
  border-bottom: 1px solid var(--grid); display: flex; flex-wrap: wrap; gap: .2rem 1.1rem;
  font-size: .9rem; }
.legend i { display: inline-block; width: 1.3rem; border-top: 3px solid;
  margin: 0 .45rem .25rem 0; }
.legend i.counter { border-top-style: dashed; }
.legend span { overflow-wrap: anywhere; }
.warning { border-left: 4px solid var(--mark); background: var(--card); padding: .6rem .9rem;
  margin: .7rem 0; overflow-wrap: anywhere; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr));
  gap: 1rem; margin: 1rem 0; }
figure { margin: 0; background: var(--card); border: 1px solid var(--grid); border-radius: 8px;
  padding: .7rem .8rem; min-width: 0; }
figure.tall { grid-row: span 2; }
figcaption { font-weight: 600; font-size: .92rem; margin-bottom: .3rem; overflow-wrap: anywhere; }
figure svg { display: block; width: 100%; max-width: 30rem; height: auto; margin: 0 auto; }
.table { overflow-x: auto; background: var(--card); border: 1px solid var(--grid);
  border-radius: 8px; }
table { border-collapse: collapse; font-size: .88rem; width: 100%;
  font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .7rem; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th { color: var(--faint); font-weight: 600; border-bottom: 1px solid var(--grid); }
tr + tr td { border-top: 1px solid var(--grid); }
.note { color: var(--faint); font-size: .86rem; max-width: 60rem; margin: .4rem 0 0; }
details { border-top: 1px solid var(--grid); margin-top: 1.2rem; }
summary { cursor: pointer; padding: .8rem 0; font-size: 1.25rem; font-weight: 600;
  overflow-wrap: anywhere; }
summary small { font-weight: 400; color: var(--faint); font-size: .9rem; }
li { overflow-wrap: anywhere; }
"""


def write_page(comparison: Comparison, evidence: Evidence) -> str:
    """Return the whole page; the same for the same comparison and evidence."""
    pens = plots.choose_pens(comparison.routers)
    body = [
        f"<h1>{question(comparison)}</h1>",
        f'<p class="lead">{escape(headline(comparison))}</p>',
        *(f'<p class="warning">{escape(warning)}</p>' for warning in comparison.warnings),
        _legend(pens),
        *(_few_shot(found, pens) for found in comparison.few_shot),
        _plots(_overall_plots(comparison, pens)),
        _table(main_sheet(comparison)) if comparison.suites else "",
        _table(routers_sheet(comparison)),
        *(
            _suite(suite, evidence, pens, open_=place == 0)
            for place, suite in enumerate(comparison.suites)
        ),
        _table(probes_sheet(comparison)) if comparison.probes else "",
        *(f'<p class="note">{escape(note)}</p>' for note in comparison.notes),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Comparison of routers</title>\n<style>{_CSS}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in body if part)
        + "\n</main>\n</body>\n</html>\n"
    )


def _overall_plots(comparison: Comparison, pens: plots.Pens) -> Iterator[tuple[str, str]]:
    title = "What decides each suite (bar: ceiling of any bag of words)"
    if comparison.suites:
        yield title, plots.plot_suites(comparison, pens)
    facts = comparison.routers
    yield "Training: macro-F1 on validation e-mails", plots.plot_training(facts, pens, loss=False)
    yield "Training: loss on validation e-mails", plots.plot_training(facts, pens, loss=True)


def _few_shot(found: FewShot, pens: plots.Pens) -> str:
    title = f"{found.name}: what decides it, by e-mails learned from"
    drawn = _plots(iter([(title, plots.plot_few_shot(found, pens))]))
    tables = "\n".join(map(_table, few_shot_sheets(found)))
    return f"<h2>{escape(found.name)} <small>{size_of(found)}</small></h2>\n{drawn}\n{tables}"


def _suite_plots(suite: SuiteResult, pens: plots.Pens) -> Iterator[tuple[str, str]]:
    yield "Pair consistency by phenomenon", plots.plot_phenomena(suite, pens)
    yield "Pair consistency by distance", plots.plot_distance(suite, pens)
    yield "Risk and coverage", plots.plot_risk(suite, pens)
    yield "Reliability", plots.plot_reliability(suite, pens)
    yield "Confusion: right route down, decided across", plots.plot_confusions(suite, pens)


def _suite(suite: SuiteResult, evidence: Evidence, pens: plots.Pens, *, open_: bool) -> str:
    sentences = "".join(f"<li>{escape(text)}</li>" for text in audit_sentences(suite))
    tables = "\n".join(_table(sheet) for sheet in suite_sheets(suite, evidence))
    return (
        f"<details{' open' if open_ else ''}>\n<summary>{escape(suite.name)} "
        f"<small>{size_of(suite)}</small></summary>\n"
        f"<ul>{sentences}</ul>\n{_plots(_suite_plots(suite, pens))}\n{tables}\n</details>"
    )


def _legend(pens: plots.Pens) -> str:
    entries = (
        f'<span><i class="{"counter" if pen.dashes[1] else "reader"}" '
        f'style="border-color: {plots.pen_variable(pen)}"></i>{escape(name)}</span>'
        for name, pen in pens.items()
    )
    return f'<div class="legend">{"".join(entries)}</div>'


def _plots(found: Iterator[tuple[str, str]]) -> str:
    figures = (
        f"<figure{_tall(svg)}><figcaption>{escape(title)}</figcaption>\n"
        + svg.replace("<svg ", f'<svg role="img" aria-label="{escape(title)}" ', 1)
        + "\n</figure>"
        for title, svg in found
        if svg
    )
    return f'<div class="plots">\n{"".join(figures)}\n</div>'


def _tall(svg: str) -> str:
    """Return the class of a plot that is much higher than wide enough for one row."""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found, "every plot has a viewBox"
    return ' class="tall"' if float(found[2]) > float(found[1]) else ""


def _table(sheet: Sheet) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in sheet.columns)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in sheet.rows
    )
    note = f'\n<p class="note">{escape(sheet.note)}</p>' if sheet.note else ""
    return (
        f'<h3>{escape(sheet.title)}</h3>\n<div class="table" tabindex="0"><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>{note}"
    )
