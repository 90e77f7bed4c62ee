"""The first screen of each page: its picture is there at once, and there is little to choose between."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.steps import LONG, ready

pytestmark = pytest.mark.browser

SIZES: Final = ((1280, 800), (820, 1180), (390, 844))
MOST_CONTROLS: Final = 12

_CONTROLS = """() => [...document.querySelectorAll(
  '[data-testid="stMain"] :is(button, a[href], input, textarea, select, [role="combobox"], ' +
  '[role="slider"], [role="tab"], [role="radio"], summary)'
)].filter((one) => {
  const box = one.getBoundingClientRect();
  // A help icon explains a control, and a list's arrow or a hidden input is part of one; what is folded is
  // not seen, and the menu is that of every page.
  return box.width > 4 && box.height > 4 && box.top < innerHeight && box.bottom > 0 && box.right > 0
    && getComputedStyle(one).visibility === 'visible'
    && (one.matches('summary') || !one.closest('details:not([open])')) && !one.closest('.st-key-page-menu')
    && !one.closest('[data-testid="stTooltipIcon"], [data-testid="stElementToolbar"], .modebar')
    && !(one.matches('button, input') && one.parentElement.closest('[data-testid="stSelectbox"], ' +
      '[data-testid="stMultiSelect"]') && !one.matches('[role="combobox"]'));
}).map((one) => one.getAttribute('aria-label') || one.innerText || one.outerHTML.slice(0, 80))"""


@dataclass(frozen=True)
class Screen:
    """A page and what is its picture.

    Attributes:
        address: After the app's.
        picture: Selects the element that people come for.
    """

    address: str
    picture: str


SCREENS: Final = {
    "map": Screen("map", ".st-key-headline-map .js-plotly-plot"),
    "compare": Screen("compare", ".st-key-compare-table"),
    "evaluate": Screen("evaluate", ".st-key-evaluate-asking"),
    "room": Screen("room", ".st-key-room-preview"),
    "library": Screen("library", ".st-key-library-cards"),
    "pairs": Screen("pairs", '[data-testid="stVegaLiteChart"]'),
    "consistency": Screen("consistency", ".st-key-triangle .js-plotly-plot"),
}


@pytest.mark.parametrize("name", SCREENS)
def test_the_picture_is_on_the_first_screen(browser: Browser, app_url: str, name: str) -> None:
    screen = SCREENS[name]
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(f"{app_url}/{screen.address}")
    picture = page.locator(screen.picture).first
    expect(picture).to_be_visible(timeout=LONG)
    ready(page)
    controls = page.evaluate(_CONTROLS)
    assert len(controls) <= MOST_CONTROLS, controls
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => scrollTo(0, 0)")
        page.wait_for_timeout(400)
        box = picture.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 1
        seen = min(box["y"] + box["height"], height) - max(box["y"], 0)
        # The whole of it, or as much as fills a good part of the screen.
        assert seen >= min(box["height"], 0.4 * height), f"{seen:.0f} of {box} at {width} × {height}"
    context.close()
