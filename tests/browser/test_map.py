"""The map: a search over everything, and names that can be read."""

from __future__ import annotations

from itertools import combinations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import choose, opened, ready, said, turned

pytestmark = pytest.mark.browser

_NAMES = """() => [...document.querySelectorAll('.st-key-headline-map .annotation')]
  .filter((one) => getComputedStyle(one).display !== 'none')
  .map((one) => {
    const text = one.querySelector('text');
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const looks = getComputedStyle(text);
    const halo = looks.paintOrder.startsWith('stroke') && looks.stroke !== 'none';
    return { left, right, top, bottom, halo };
  })"""

_RANGE = "plot => plot._fullLayout.xaxis.range[1] - plot._fullLayout.xaxis.range[0]"
_CUT = """() => {
  const picture = document.querySelector('.st-key-headline-map .main-svg').getBoundingClientRect();
  return [...document.querySelectorAll('.st-key-headline-map .legendtext')]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.right > picture.right || box.bottom > picture.bottom;
    })
    .map((one) => one.textContent);
}"""


def test_a_search_looks_through_all_headlines_whatever_is_selected(page: Page, app_url: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    opened(page, f"{app_url}/?group=1", "Timeline")
    turned(page, "Map")
    expect(page.get_by_test_id("stDataFrame")).to_be_in_viewport(ratio=0.9)
    picture = page.locator(".st-key-headline-map .js-plotly-plot")
    before = picture.evaluate(_RANGE)
    picture.hover()
    page.mouse.wheel(0, -300)
    page.wait_for_function(
        f"before => ({_RANGE})(document.querySelector('.js-plotly-plot')) < before", arg=before
    )
    expect(page.get_by_role("button", name="Clear the selection")).to_be_visible()
    page.get_by_role("searchbox", name="Search").fill("twin")
    page.keyboard.press("Enter")
    expect(page.get_by_text("match are marked; the others fade")).to_be_visible()
    ready(page)
    assert "those selected" not in said(page)
    assert " 0 of 47" not in said(page)
    page.get_by_role("button", name="Clear the selection").click()
    ready(page)
    page.get_by_role("searchbox", name="Search").fill("")
    page.keyboard.press("Enter")
    expect(page.get_by_text("47 of 47 headlines")).to_be_visible()


@pytest.mark.parametrize("colour", ["group", "publisher"])
def test_names_have_halos_and_do_not_cover_one_another(colour: str, page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/?show=map&colour={colour}", "Timeline")
    for width in (1280, 820, 390):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(600)
        names = page.evaluate(_NAMES)
        assert len(names) >= (5 if width == 390 else 7)
        assert all(one["halo"] for one in names)
        for one, other in combinations(names, 2):
            beside = one["right"] <= other["left"] or other["right"] <= one["left"]
            over = one["bottom"] <= other["top"] + 2 or other["bottom"] <= one["top"] + 2
            assert beside or over, (width, one, other)
        assert all(one["left"] >= 0 and one["right"] <= width for one in names)
        assert page.evaluate(_CUT) == []


def test_points_are_coloured_by_what_is_chosen(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/?show=map", "Timeline")
    choose(page, "Colour by", "Colour: time")
    expect(page.locator(".st-key-headline-map .colorbar")).to_be_visible()
    choose(page, "Colour by", "Colour: how typical")
    expect(page.get_by_text("least typical")).to_be_visible()
