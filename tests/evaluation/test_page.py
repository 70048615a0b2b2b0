"""The report as a reader sees it: opened in Chromium."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from routing.evaluation.report import write_report
from tests.evaluation.examples import small_evidence

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not (path := shutil.which("chromium")):
        pytest.skip("chromium is not installed")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_report(folder, small_evidence())
    return folder / "report.html"


@pytest.mark.slow
@pytest.mark.parametrize("width", [400, 1400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_opens_whole(chromium: Any, report: Path, width: int, scheme: str) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert said == []
    assert asked == [report.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    boxes = page.eval_on_selector_all(
        "svg", "all => all.map(s => [s.getBoundingClientRect().width, s.getBBox().height])"
    )
    assert len(boxes) == 13
    assert all(wide > 200 and high > 50 for wide, high in boxes)
    captions = page.eval_on_selector_all("figcaption", "all => all.map(c => c.textContent)")
    for name in ("phenomenon", "distance", "Risk", "Reliability", "Confusion", "Training"):
        assert any(name in caption for caption in captions)
    page.close()


@pytest.mark.slow
def test_dark_page_is_dark_and_light_page_light(chromium: Any, report: Path) -> None:
    shades = {}
    for scheme in ("light", "dark"):
        page = chromium.new_page(color_scheme=scheme)
        page.goto(report.as_uri())
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        shades[scheme] = sum(map(int, colour.removeprefix("rgb(").rstrip(")").split(",")))
        page.close()
    assert shades["light"] > 600
    assert shades["dark"] < 150
