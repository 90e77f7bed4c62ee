"""The map: names that can be read, and ticks that nothing loses."""

from itertools import combinations
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.steps import opened, ready, turned

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

_CUT = """() => {
  const picture = document.querySelector('.st-key-headline-map .main-svg').getBoundingClientRect();
  return [...document.querySelectorAll('.st-key-headline-map .legendtext')]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.right > picture.right || box.bottom > picture.bottom;
    })
    .map((one) => one.textContent);
}"""


def test_names_have_halos_and_do_not_cover_one_another(page, app_url):
    opened(page, f"{app_url}/?show=map", "Timeline")
    for width in (1280, 390):
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


def tick(page, line):
    box = page.get_by_test_id("stDataFrame").first.bounding_box()
    page.mouse.click(box["x"] + 15, box["y"] + 52 + 35 * line)
    ready(page)


def search(page, words):
    field = page.get_by_role("searchbox", name="Search", exact=True)
    field.fill(words)
    field.press("Enter")
    ready(page)


def chosen(page):
    return parse_qs(urlsplit(page.url).query).get("rows", [""])[0].split(",")


def test_ticks_survive_a_search_and_a_change_of_page(page, app_url):
    page.set_viewport_size({"width": 1280, "height": 2000})
    opened(page, f"{app_url}/?show=map", "Timeline")
    expect(page.get_by_text("47 of 47 headlines")).to_be_visible()
    tick(page, 0)
    search(page, "rocket")
    expect(page.get_by_text("headlines match, 1 ticked")).to_be_visible()
    tick(page, 1)
    expect(page.get_by_text("Why together, or apart?")).to_be_visible()
    found = chosen(page)
    assert found[0] == "0"
    assert len(found) == 2
    search(page, "")
    assert chosen(page) == found
    turned(page, "List")
    expect(page.get_by_role("listbox", name="Events")).to_be_visible()
    turned(page, "Map")
    expect(page.get_by_text("47 of 47 headlines, 2 ticked")).to_be_visible()
    ready(page)
    tick(page, 0)
    expect(page.get_by_text("47 of 47 headlines, 1 ticked")).to_be_visible()
    assert chosen(page) == found[1:]
