import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from routing.evaluation.comparison import compare
from routing.evaluation.page import write_page
from routing.evaluation.predictions import Evidence, Facts, Trial
from routing.evaluation.report import (
    audit_table,
    comparison_table,
    remake_report,
    results_json,
    results_markdown,
    write_report,
)
from routing.evaluation.tables import suite_sheets
from routing.evaluation.verdict import audit_sentences, headline
from tests.evaluation.examples import pair, said, small_evidence, trial

R = (Facts("r", 0, "neural"),)


def printed(renderable: object, width: int = 80) -> str:
    console = Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115, PTH123
    console.print(renderable)
    return console.export_text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_report(folder, small_evidence())
    return folder


def test_terminal_table_has_values_intervals_and_the_ceiling() -> None:
    text = printed(comparison_table(compare(small_evidence())))
    assert re.search(r"near +87\.5 +0\.0 +≤ 0\.0", text)
    assert re.search(r"\d+–100 +0–32", text)


def test_same_predictions_make_the_same_report_byte_for_byte(folder: Path, tmp_path: Path) -> None:
    remake_report(folder, out=tmp_path)
    for name in ("results.json", "report.md", "report.html"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_results_are_json_without_nan(folder: Path) -> None:
    text = (folder / "results.json").read_text(encoding="utf-8")
    results = json.loads(text, parse_constant=lambda name: pytest.fail(name))
    reader = results["suites"][0]["results"][0]
    assert reader["measures"]["pair_consistency"]["value"] == 0.875
    assert reader["measures"]["misrouted"]["value"] is None
    assert results_json(compare(small_evidence())) == text


def test_what_people_wrote_is_escaped(folder: Path) -> None:
    for name in ("report.html", "report.md"):
        text = (folder / name).read_text(encoding="utf-8")
        assert "far &lt;b&gt;&amp;" in text
        assert "far <b>" not in text
        assert "A note &lt;i&gt;." in text


def test_a_bar_in_a_name_does_not_break_a_markdown_table() -> None:
    evidence = Evidence((trial("a|b", 0, "s", pair("x", 1, 1)),), ())
    assert "| a\\|b |" in results_markdown(compare(evidence), evidence)


def test_page_needs_nothing_from_elsewhere(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert not re.findall(r'(?:src|href)="(?!#)', page)
    assert "@import" not in page and "url(http" not in page
    assert page.count("<svg ") == page.count('role="img"') == 3 + 2 * 5


def test_ids_of_the_plots_are_unique(folder: Path) -> None:
    found = re.findall(r'\bid="([^"]+)"', (folder / "report.html").read_text(encoding="utf-8"))
    assert len(found) == len(set(found))


def test_plots_take_their_colours_from_the_page(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    drawn = "".join(re.findall(r"<svg .*?</svg>", page, re.DOTALL))
    colours = set(re.findall(r"#[0-9a-f]{6}\b", drawn))
    assert colours <= {"#000000", "#ffffff"}
    assert "var(--r0)" in drawn and "var(--g0)" in drawn


def test_two_suites_of_names_that_look_alike_do_not_share_ids() -> None:
    members = pair("x", 1, 1)
    evidence = Evidence((trial("r", 0, "a b", members), trial("r", 0, "a/b", members)), R)
    page = write_page(compare(evidence), evidence)
    found = re.findall(r'\bid="([^"]+)"', page)
    assert len(found) == len(set(found))


def test_surest_mistakes_come_first() -> None:
    emails = tuple(said("refunds", p, id=f"<{p}@x>") for p in (0.6, 0.9, 0.8))
    evidence = Evidence((Trial("r", 0, "s", emails),), R)
    sheets = suite_sheets(compare(evidence).suites[0], evidence)
    mistakes = next(sheet for sheet in sheets if sheet.title == "Surest mistakes")
    assert [row[1] for row in mistakes.rows] == ["<0.9@x>", "<0.8@x>", "<0.6@x>"]


def test_suites_without_pairs_have_no_tables_of_pairs() -> None:
    emails = (said("refunds", 0.2, id="1"), said("delivery", 0.9, id="2"))
    evidence = Evidence((Trial("r", 0, "s", emails),), R)
    comparison = compare(evidence)
    titles = [sheet.title for sheet in suite_sheets(comparison.suites[0], evidence)]
    assert not [title for title in titles if "Pair" in title]
    assert headline(comparison).startswith("No minimal pairs here")


def test_headline_tells_readers_from_counters() -> None:
    words = headline(compare(small_evidence())).replace("\u00a0", " ")
    assert "Reading words in order: reader 87.5 %." in words
    assert "Counting words and runs of words: counter 0.0 %." in words
    assert "No counter of single words can pass 0.0 %." in words


def test_audit_says_how_much_of_the_skill_needs_order() -> None:
    suite = compare(small_evidence()).suites[0]
    reader, counter = (text.replace("\u00a0", " ") for text in audit_sentences(suite))
    assert reader.startswith("reader is right on 94 % of near; 100 % of its skill needs order")
    assert counter.startswith("counter is right on 50 % of near, no better than always naming")


def test_audit_table_names_the_disorders() -> None:
    text = printed(audit_table(compare(small_evidence())), width=120)
    assert "near: order disturbed, %" in text
    assert "words shuffled" in text


def test_audit_is_silent_where_nothing_was_disturbed() -> None:
    evidence = small_evidence()
    plain = tuple(
        replace(t, predictions=tuple(replace(p, changed={}) for p in t.predictions))
        for t in evidence.trials
    )
    assert audit_sentences(compare(replace(evidence, trials=plain)).suites[0]) == []


def test_many_routes_get_tables_but_no_plot_of_confusions() -> None:
    routes = [f"r{i:02}" for i in range(40)]
    chances = dict.fromkeys(routes, 1 / 40)
    emails = tuple(
        replace(said("x", 0.5, id=route), route=route, probabilities=chances) for route in routes
    )
    evidence = Evidence((Trial("r", 0, "s", emails),), R)
    comparison = compare(evidence)
    assert "Confusion" not in write_page(comparison, evidence)
    sheets = {sheet.title: sheet for sheet in suite_sheets(comparison.suites[0], evidence)}
    found = sheets["Precision / recall / F1 by route, %"]
    assert (len(found.rows), found.note) == (30, "The 30 commonest of 40.")
