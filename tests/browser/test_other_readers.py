"""Paper, eyes that motion disturbs, and headlines that are written from right to left."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.steps import LONG, opened, ready

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
    opened(page, f"{app_url}/open", "Open a file")
    page.get_by_label("… or pasted headlines").fill(QUAKES)
    page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Timeline", timeout=LONG)
    ready(page)
    number, word = page.locator(".st-key-event-card h2").evaluate(_LEFT_EDGES)
    assert number > word
    page.close()
