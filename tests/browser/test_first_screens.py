"""The first screen of each page: its picture, few controls, useful Tab stops, nothing beyond the window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.steps import LONG, controls, settled

pytestmark = pytest.mark.browser

SIZES: Final = ((1280, 800), (820, 1180), (390, 844))
ZOOMED: Final = (640, 400)
"""A window of 1280 × 800 at 200 %."""
MOST_CONTROLS: Final = 12
FIRST_STOPS: Final = 5

_STOP = """() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const name = at.ariaLabel || at.innerText || at.tagName;
  const useless = /^(help|link to heading|fullscreen|show data)/i.test(at.ariaLabel ?? '')
    || at.closest('[data-testid="stElementToolbar"]') || at.closest('[data-testid="stHeaderActionElements"]');
  const over = at === document.body || at.innerText?.startsWith('Skip to main content');
  return { name, useless: Boolean(useless), over };
}"""
_WIDE = """() => Math.max(...[document.documentElement, document.querySelector('[data-testid="stMain"]')]
  .map((one) => one.scrollWidth - one.clientWidth))"""


@dataclass(frozen=True)
class Screen:
    """A page and what is its picture.

    Attributes:
        address: After the app's.
        picture: Selects the element that people come for.
        server: The fixture whose address it is.
    """

    address: str
    picture: str
    server: str = "app_url"


CHART = '[data-testid="stVegaLiteChart"]'
SCREENS: Final = {
    "timeline": Screen("", ".st-key-group-list"),
    "map": Screen("map", ".st-key-headline-map .js-plotly-plot"),
    "live": Screen("live", '[data-testid="stAlert"]'),
    "no archive": Screen("archive", '[data-testid="stAlert"]'),
    "archive": Screen("archive", '.archive-map[data-drawn]:not([data-drawn=""])', "archive_url"),
    "open": Screen("open", '[data-testid="stFileUploaderDropzone"]'),
    "numerals": Screen("numerals", '[data-testid="stTextArea"]'),
    "write": Screen("write", ".st-key-headline-0"),
    "compare": Screen("compare", ".st-key-compare-table"),
    "evaluate": Screen("evaluate", ".st-key-evaluate-asking"),
    "annotate": Screen("annotate", '[data-testid="stExpander"]'),
    "agreement": Screen("agreement", '[data-testid="stAlert"]'),
    "room": Screen("room", ".st-key-room-preview"),
    "join": Screen("join", '[data-testid="stTextInput"]'),
    "pairs": Screen("pairs", CHART),
    "consistency": Screen("consistency", ".st-key-triangle .js-plotly-plot"),
    "pair sets": Screen("pair_sets", CHART),
    "train": Screen("train", ".js-plotly-plot"),
    "leaderboard": Screen("leaderboard", '[data-testid="stCode"]'),
    "library": Screen("library", ".st-key-library-cards"),
}


def stops(page: Page) -> list[dict[str, object]]:
    """The first places of the Tab key behind the link that skips the menu."""
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    found = []
    for _ in range(FIRST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(_STOP)
        if stop["over"]:
            break
        found.append(stop)
    return found


@pytest.mark.parametrize("name", SCREENS)
def test_the_first_screen(browser: Browser, request: pytest.FixtureRequest, name: str) -> None:
    screen = SCREENS[name]
    app_url = request.getfixturevalue(screen.server)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(f"{app_url}/{screen.address}")
    picture = page.locator(f":is({screen.picture}):visible").first
    expect(picture).to_be_visible(timeout=LONG)
    settled(page)
    found = controls(page)
    assert len(found) <= MOST_CONTROLS, found
    reached = stops(page)
    assert reached
    assert [stop["name"] for stop in reached if stop["useless"]] == []
    for width, height in (*SIZES, ZOOMED):
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
        page.wait_for_timeout(400)
        assert page.evaluate(_WIDE) <= 0, f"scrolls sideways at {width}"
        box = picture.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 1
        seen = min(box["y"] + box["height"], height) - max(box["y"], 0)
        # The whole of it, or as much as fills a good part of the screen; at 200 % it may be scrolled to.
        if (width, height) != ZOOMED:
            assert seen >= min(box["height"], 0.4 * height), f"{seen:.0f} of {box} at {width} × {height}"
    context.close()
