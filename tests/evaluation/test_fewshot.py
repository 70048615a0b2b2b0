import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from routing.errors import CorpusError
from routing.evaluation.comparison import compare
from routing.evaluation.fewshot import measure_few_shot
from routing.evaluation.predictions import Evidence, Facts, Trial, read_evidence, write_evidence
from routing.evaluation.report import comparison_table, remake_report, results_json, write_report
from routing.evaluation.verdict import headline
from tests.evaluation.examples import pair, said, small_evidence, trial

GOOD = [pair(f"p{i}", 0.9, 0.8) for i in range(4)]
POOR = [pair(f"p{i}", 0.9, 0.2) for i in range(4)]


def few(router: str, per_route: int, seed: int, *, right: int, suite: str = "s<b>") -> Trial:
    """Return a trial with so many of its four pairs right."""
    return replace(trial(router, seed, suite, *GOOD[:right], *POOR[right:]), per_route=per_route)


def small_curves(seeds: int = 2) -> Evidence:
    """Return a reader that learns from more and a counter that does not."""
    trials = [
        few(router, size, seed, right=right)
        for size, best in ((2, 1), (8, 3))
        for seed in range(seeds)
        for router, right in (("reader", best + seed), ("counter", 0))
    ]
    facts = [Facts("reader", 0, "neural"), Facts("counter", 0, "counting")]
    return Evidence(tuple(trials), tuple(facts), ("A note <i>.",))


def printed(evidence: Evidence) -> str:
    console = Console(width=100)
    with console.capture() as captured:
        console.print(comparison_table(compare(evidence)))
    return captured.get()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_report(folder, small_curves())
    return folder


def test_points_are_means_and_deviations_over_seeds() -> None:
    (found,) = measure_few_shot(small_curves().trials)
    assert (found.name, found.emails, found.pairs, found.sizes) == ("s<b>", 8, 4, (2, 8))
    reader, counter = found.curves
    first, second = (point.measures["pair_consistency"] for point in reader.points)
    assert (first.mean, second.mean) == (0.375, 0.875)
    assert first.deviation == pytest.approx(0.125 * 2**0.5)
    assert counter.points[1].measures["accuracy"].mean == 0.5
    assert counter.points[1].measures["macro_f1"].mean == pytest.approx(1 / 3)


def test_single_emails_are_judged_by_accuracy() -> None:
    emails = (said("refunds", 0.2, id="1"), said("delivery", 0.3, id="2"))
    (found,) = measure_few_shot([Trial("r", 0, "s", emails, per_route=5)])
    assert (found.measure, found.pairs) == ("accuracy", 0)
    assert found.curves[0].points[0].measures.keys() == {"accuracy", "macro_f1"}
    assert found.curves[0].points[0].measures["accuracy"].mean == 0.5


def test_routers_that_saw_different_emails_are_refused() -> None:
    other = replace(trial("r", 0, "s<b>", GOOD[0]), per_route=2)
    with pytest.raises(CorpusError, match=r"suite s<b>: the routers saw different e-mails"):
        measure_few_shot([few("r", 8, 0, right=4), other])


def test_few_shot_evidence_comes_back_as_it_was_written(tmp_path: Path) -> None:
    write_evidence(tmp_path, small_curves())
    assert read_evidence(tmp_path) == small_curves()


def test_same_predictions_make_the_same_curves_byte_for_byte(folder: Path, tmp_path: Path) -> None:
    remake_report(folder, out=tmp_path)
    for name in ("results.json", "report.md", "report.html"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()


def test_terminal_shows_mean_and_spread_by_size() -> None:
    text = printed(small_curves())
    assert "s<b> (8 e-mails in 4 pairs): pair consistency by e-mails of each route" in text
    assert re.search(r"router +2 +8 *\n", text)
    assert re.search(r"reader +37\.5 ± 17\.7 +87\.5 ± 17\.7", text)
    assert "A note <i>." in text


def test_one_seed_has_no_spread() -> None:
    assert re.search(r"reader +25\.0 +75\.0", printed(small_curves(seeds=1)))
    results = json.loads(results_json(compare(small_curves(seeds=1))))
    point = results["few_shot"][0]["curves"][0]["points"][0]
    assert point["measures"]["accuracy"] == {"mean": 0.625, "deviation": None}


def test_page_draws_the_curve_and_tells_it_in_words(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    words = page.replace("\u00a0", " ")
    assert "<h1>How much mail it takes</h1>" in page
    assert "after 2 and after 8 e-mails of each route: reader 37.5 % and 87.5 %" in words
    assert page.count("<svg ") == 1
    assert "what decides it, by e-mails learned from" in page
    assert "var(--r0)" in page and "var(--g0)" in page
    assert "s&lt;b&gt;" in page and "s<b>" not in page


def test_markdown_has_a_table_for_each_measure(folder: Path) -> None:
    text = (folder / "report.md").read_text(encoding="utf-8")
    assert "## s&lt;b&gt;: 8 e-mails in 4 pairs" in text
    assert "| reader | 37.5 ± 17.7 | 87.5 ± 17.7 |" in text
    assert [line for line in text.splitlines() if " by e-mails of each route" in line] == [
        f"### {name} by e-mails of each route learned from, %"
        for name in ("Pair consistency", "Accuracy", "Macro-F1")
    ]


def test_curves_stand_beside_suites_and_leave_them_alone() -> None:
    plain = small_evidence()
    curves = tuple(
        replace(few("reader", size, 0, right=2, suite="near"), per_route=size) for size in (2, 8)
    )
    both = compare(replace(plain, trials=plain.trials + curves))
    assert repr(both.suites) == repr(compare(plain).suites)
    assert [found.sizes for found in both.few_shot] == [(2, 8)]


def test_one_size_is_told_once() -> None:
    trials = (few("reader", 8, 0, right=3), few("counter", 8, 0, right=1))
    words = headline(compare(Evidence(trials, small_curves().routers)))
    assert words.replace("\u00a0", " ") == (
        "On s<b>, pair consistency after 8 e-mails of each route: reader 75.0 %, counter 25.0 %."
    )
