"""The HTML page, read as text and driven in a browser."""

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from routing.explanation.faithfulness import measure_faithfulness
from routing.explanation.inspection import explain_email
from routing.explanation.page import _packed, explanation_page
from routing.explanation.records import Piece
from routing.mail import email_from_text
from routing.records import Email
from routing.router import Router

EVIL = (
    "the parcel arrived <script>document.title='owned'</script> but never "
    "<img src=x onerror=\"document.title='owned'\"> the charger & order AB-12345 \u2028 "
    "</script><!--"
    "\n\nOn Mon, 2 Nov 2026 at 09:01, Ann <ann@example.org> wrote:\n"
    + "> <b onclick=\"document.title='owned'\">please wait</b> a little longer\n"
    * 6
)


def evil_email() -> Email:
    return email_from_text(EVIL, id='<"&id>', subject="<script>alert(1)</script>", trim="all")


@pytest.fixture(scope="module")
def page(transformer: Router) -> str:
    checks = measure_faithfulness(transformer, [Email(id="a", text="the parcel")], rankings=2)
    return explanation_page(explain_email(transformer, evil_email(), model_checks=checks))


def test_the_headline_calls_nearly_sure_not_sure(transformer: Router) -> None:
    explanation = explain_email(transformer, evil_email())
    decision = replace(explanation.decision, probability=0.9987)
    headline = explanation_page(replace(explanation, decision=decision)).split("</h1>")[0]
    assert headline.endswith('<span class="number">99.9%</span>')


@dataclass
class Reader(HTMLParser):
    """Collects tags, attributes and text."""

    tags: list[str] = field(default_factory=list)
    attributes: list[tuple[str, str | None]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


def test_html_in_an_email_becomes_text(page: str) -> None:
    reader = read(page)
    assert reader.tags.count("script") == 2
    assert "img" not in reader.tags
    assert "<script>document.title='owned'</script>" in reader.text
    assert not [name for name, _ in reader.attributes if name.startswith("on")]


def test_nothing_is_fetched(page: str) -> None:
    names = {name for name, _ in read(page).attributes}
    assert not names & {"src", "href", "srcset", "action"}
    assert "url(" not in page
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_the_data_cannot_end_its_script(page: str) -> None:
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert data is not None
    assert "<" not in data[1]
    assert json.loads(data[1])["tokens"][0] == "script"


def test_what_was_cut_and_placeholders_stand_in_the_message(page: str) -> None:
    assert '<details class="cut"><summary>cut before reading: quoted reply' in page
    assert re.search(r'<span class="w stand-in"[^>]*>AB-12345</span>', page)


def test_heads_are_packed_on_their_own_scale() -> None:
    heads = np.array([[[[0.5, 0.5], [0.0, 1.0]], [[0.2, 0.8], [0.4, 0.6]]]], np.float32)
    packed = _packed(heads)
    assert (packed["layers"], packed["heads"], packed["size"]) == (1, 2, 2)
    assert packed["tops"] == [1.0, 0.8]


def test_every_kind_of_model_has_a_page(lstm: Router, bayes: Router, email: Email) -> None:
    assert "Gates over time" in explanation_page(explain_email(lstm, email))
    page = explanation_page(explain_email(bayes, Email(id="x", text="late parcel")))
    assert "Every term’s log-odds" in page
    assert 'id="map"' not in page
    assert "no words" in explanation_page(explain_email(bayes, Email(id="x")))


def test_a_gap_that_stays_is_told_beside_the_words(lstm: Router, email: Email) -> None:
    found = explain_email(lstm, email, budget=0)
    assert found.completeness is not None
    assert "read with care" not in explanation_page(found)
    wide = replace(found.completeness, gap=found.completeness.difference / 8)
    assert "12.50% of it, in 24 steps.</p>" in explanation_page(replace(found, completeness=wide))
    assert "too much: read with care" in explanation_page(replace(found, completeness=wide))


def test_words_that_moved_together_stand_in_one_frame(lstm: Router, email: Email) -> None:
    found = explain_email(lstm, email)
    assert found.order is not None
    assert found.order.change is not None
    pieces = (Piece("but", False), Piece(" the", True), Piece(" lid", True))
    change = replace(found.order.change, before=pieces)
    shown = explanation_page(replace(found, order=replace(found.order, change=change)))
    assert "but <mark>the lid</mark></div>" in shown


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    flags += ["--disable-component-update", "--no-first-run"]
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=chromium, args=flags)
        yield opened
        opened.close()


@dataclass
class Opened:
    """An open page and what its console said."""

    page: Any
    errors: list[str]


@pytest.fixture
def opened(browser: Any, page: str, tmp_path: Path) -> Iterator[Opened]:
    file = tmp_path / "why.html"
    file.write_text(page, encoding="utf-8")
    tab = browser.new_page(viewport={"width": 1200, "height": 900})
    errors: list[str] = []
    tab.on("console", lambda message: errors.append(message.text))
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(file.as_uri())
    yield Opened(tab, errors)
    tab.close()


def pressed(tab: Any, *keys: str) -> None:
    for key in keys:
        tab.keyboard.press(key)


def test_the_method_is_switched_with_the_keyboard(opened: Opened) -> None:
    tab = opened.page
    assert tab.locator(".message .w.for, .message .w.against").count() > 5
    assert tab.locator("#caution").is_hidden()
    tab.locator("input[value=integrated_gradients]").focus()
    pressed(tab, "ArrowRight", "ArrowRight")
    assert tab.locator("input[value=attention]").is_checked()
    assert tab.locator(".message .w.look").count() > 5
    assert tab.locator("#caution").inner_text() == "Where it looked, not why."
    assert tab.locator(".verdict:visible").get_attribute("data-method") == "attention"
    assert opened.errors == []


def test_a_word_tells_its_numbers_under_the_pointer_and_with_the_arrow_keys(opened: Opened) -> None:
    tab = opened.page
    tab.locator(".message .w", has_text="charger").hover()
    assert re.match(
        r"charger\s+[+−]?\d\.\d{3} (for|against) \w+", tab.locator("#readout").inner_text()
    )
    tab.locator(".message .w", has_text="parcel").first.click()
    pressed(tab, "ArrowRight")
    assert tab.locator("#readout b").inner_text() == "arrived"
    tab.locator(".message .w.stand-in").hover()
    assert "AB-12345, read as <order>" in tab.locator("#readout").inner_text()
    assert opened.errors == []


def test_a_head_is_picked_and_its_map_read(opened: Opened) -> None:
    tab = opened.page
    tab.locator("input[value=heads]").check(force=True)
    picks = tab.locator("fieldset + .picks")
    picks.locator("[data-pick=layer]").select_option(index=1)
    picks.locator("[data-pick=head]").select_option(index=1)
    assert tab.locator("#ranked-title").inner_text().startswith("Strongest words: layer 2, head 1")
    assert tab.locator("header [data-pick=layer]").input_value() == "1"
    tab.locator("#map").focus()
    pressed(tab, "ArrowRight", "ArrowDown")
    told = tab.locator("#map-readout").inner_text()
    assert re.match(r"In layer 2, head 1, “.+” gives \d+\.\d % of its look to “.+”\.", told)
    box = tab.locator("#map").bounding_box()
    tab.locator("#map").hover(position={"x": box["width"] - 4, "y": box["height"] - 4})
    assert tab.locator("#map-readout").inner_text() != told
    assert opened.errors == []


def test_script_and_image_of_an_email_do_nothing(opened: Opened) -> None:
    opened.page.wait_for_timeout(200)
    assert "owned" not in opened.page.title()
    assert opened.page.locator("img").count() == 0
    assert opened.errors == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1400])
def test_nothing_runs_over_the_side(opened: Opened, width: int, scheme: str) -> None:
    opened.page.emulate_media(color_scheme=scheme)
    opened.page.set_viewport_size({"width": width, "height": 900})
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
    assert opened.errors == []


def test_four_hundred_words_stay_usable(browser: Any, transformer: Router, tmp_path: Path) -> None:
    email = Email(id="long", text="the parcel arrived but never the charger please " * 50)
    file = tmp_path / "long.html"
    found = explain_email(transformer, email, budget=50, rankings=2)
    file.write_text(explanation_page(found), encoding="utf-8")
    tab = browser.new_page(viewport={"width": 1200, "height": 900})
    tab.goto(file.as_uri())
    assert tab.locator(".message .w").count() == 400
    tab.locator(".message .w").nth(399).click()
    assert "please" in tab.locator("#readout").inner_text()
    assert file.stat().st_size < 2_000_000
    tab.close()
