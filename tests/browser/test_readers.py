"""Paper, eyes that motion disturbs, headlines from right to left, exported reports, and workshops."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.browser import SERVE, running
from core.events.report.page import report_html
from tests.browser.steps import LONG, alive, opened, ready, watched
from tests.unit.events.test_report import HOSTILE, content

pytestmark = pytest.mark.browser

_COLOURS = """() => [...document.querySelectorAll('h1, [data-testid="stMarkdownContainer"] p')]
  .filter((one) => one.checkVisibility() && one.innerText.trim()).map((one) => getComputedStyle(one).color)"""
_MOVES = """() => [...document.querySelectorAll('*')].flatMap((one) => {
  const looks = getComputedStyle(one);
  const times = `${looks.transitionDuration},${looks.animationDuration}`;
  return times.split(',').map(parseFloat);
}).reduce((most, one) => Math.max(most, one), 0)"""
_LEFT_EDGES = """(line) => {
  const text = document.createTreeWalker(line, NodeFilter.SHOW_TEXT).nextNode();
  const edge = (from, to) => {
    const range = document.createRange();
    range.setStart(text, from);
    range.setEnd(text, to);
    return range.getBoundingClientRect().left;
  };
  return [edge(0, 2), edge(3, 8)];
}"""
QUAKES = "12 הרוגים ברעידת אדמה בטורקיה\n12 הרוגים ברעידת אדמה חזקה בטורקיה\n"


def test_a_dark_page_is_printed_in_ink_and_without_controls(browser: Browser, app_url: str) -> None:
    context = browser.new_context(viewport={"width": 794, "height": 1123}, color_scheme="dark")
    page = context.new_page()
    opened(page, app_url, "Timeline")
    page.emulate_media(media="print", color_scheme="dark")
    shown = page.get_by_test_id("stMain")
    for hidden in ("Help", "Export", "Settings"):
        expect(shown.get_by_role("button", name=hidden)).to_have_count(0)
    expect(page.locator(".st-key-event-card h2")).to_be_visible()
    assert set(page.evaluate(_COLOURS)) == {"rgb(18, 18, 16)"}
    assert page.get_by_test_id("stApp").evaluate("app => getComputedStyle(app).backgroundColor") == (
        "rgba(0, 0, 0, 0)"
    )
    context.close()


def test_nothing_moves_for_readers_who_asked_for_that(browser: Browser, app_url: str) -> None:
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    opened(page, app_url, "Timeline")
    assert page.evaluate(_MOVES) < 0.001
    context.close()


def test_a_hebrew_headline_begins_on_the_right(browser: Browser, app_url: str) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(LONG)
    opened(page, f"{app_url}/sources", "Sources")
    page.get_by_label("… or pasted headlines").fill(QUAKES)
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Timeline", timeout=LONG)
    ready(page)
    number, word = page.locator(".st-key-event-card h2").evaluate(_LEFT_EDGES)
    assert number > word
    page.close()


def report(browser: Browser, path: Path, texts: tuple[str, ...]) -> tuple[Page, list[str]]:
    path.write_bytes(report_html(content(texts)))
    page = browser.new_page()
    wrong = watched(page, "file:")
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(path.as_uri())
    return page, wrong


def test_the_report_is_searched_and_folded(browser: Browser, tmp_path: Path) -> None:
    page, wrong = report(
        browser, tmp_path / "report.html", ("Fire in town", "Town on fire", "Zürich in rain")
    )
    rows, card = page.locator(".rows tbody tr:visible"), page.locator(".card")
    page.keyboard.press("/")
    page.keyboard.type("zurich")
    expect(page.get_by_role("status")).to_have_text("1 of 3 headlines")
    expect(rows).to_have_count(1)
    expect(card).to_be_hidden()
    expect(rows.first).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(rows).to_have_count(3)
    expect(card).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("")
    page.get_by_role("button", name="Fold all").click()
    expect(page.locator("details[open]")).to_have_count(0)
    # A search opens what it found, and gives back what was folded.
    page.get_by_role("searchbox").fill("town fire")
    expect(rows).to_have_count(2)
    expect(card.locator("li:visible")).to_have_count(2)
    page.get_by_role("searchbox").fill("")
    expect(page.locator("details[open]")).to_have_count(0)
    page.get_by_role("button", name="Open all").click()
    expect(rows).to_have_count(3)
    assert wrong == []
    page.close()


def test_no_text_of_a_report_runs_or_is_read_as_code(browser: Browser, tmp_path: Path) -> None:
    texts = ("a'); alert(1); ('", *HOSTILE, *(f"{text} again" for text in HOSTILE))
    page, wrong = report(browser, tmp_path / "report.html", texts)
    for text in texts:
        page.get_by_role("searchbox").fill(text[:20])
    page.get_by_role("searchbox").fill("<script> (.*[")
    expect(page.get_by_role("status")).to_have_text(f"0 of {len(texts)} headlines")
    assert alive(page) == []
    # What somebody added to the file does not run: the policy knows one script.
    hurt = report_html(content(texts)).replace(b"</main>", b"<script>alert('added')</script></main>")
    (tmp_path / "hurt.html").write_bytes(hurt)
    page.goto((tmp_path / "hurt.html").as_uri())
    expect(page.get_by_role("searchbox")).to_be_visible()
    assert all("Content Security Policy" in said for said in wrong)
    assert len(wrong) == 1
    page.close()


def _main(page: Page) -> str:
    return page.get_by_test_id("stMain").inner_text()


def test_a_file_is_its_visitor_s_alone_and_survives_a_reload(browser: Browser, tmp_path: Path) -> None:
    mine = tmp_path / "mine.csv"
    mine.write_text("headline,date\nBank raises rates,2024-01-01\nStorm hits the coast,2024-01-02\n")
    with running([*SERVE, "--server.address=0.0.0.0"], tmp_path) as (url, _):
        ada, bo = (browser.new_context().new_page() for _ in range(2))
        for page in (ada, bo):
            page.set_default_timeout(60_000)
        wrong: list[str] = []
        ada.on("console", lambda said: wrong.append(said.text) if "Content Security" in said.text else None)
        ada.goto(f"{url}/sources")
        ada.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(mine)
        ready(ada)
        ada.get_by_role("button", name="Load these headlines").click()
        # The preview on *Open a file* shows the headlines too, and the address names the file meanwhile.
        ada.get_by_role("heading", name="Sources").wait_for(state="detached")
        expect(ada.get_by_test_id("stMain")).to_contain_text("Storm hits the coast")
        ada.wait_for_url(lambda url: "data=file-" in url and "/sources" not in url)
        link = ada.url
        ada.reload()
        expect(ada.get_by_test_id("stMain")).to_contain_text("Storm hits the coast")
        bo.goto(link)
        bo.get_by_text("a file that is not open").wait_for()
        assert "Storm hits the coast" not in _main(bo)
        assert wrong == []
    said = (tmp_path / "server.log").read_text()
    assert url.rpartition(":")[2] in said
    assert "external IP" not in said


def test_menu_py_is_no_workshop(browser: Browser, tmp_path: Path) -> None:
    command = [*SERVE[:-1], "menu.py", "--server.address=0.0.0.0"]
    with running(command, tmp_path) as (url, _):
        page = browser.new_context().new_page()
        page.set_default_timeout(60_000)
        page.goto(url)
        page.get_by_text("not protected when it is started from menu.py").wait_for()
        assert "encountered an error" not in _main(page)
        assert page.get_by_role("slider").count() == 0
