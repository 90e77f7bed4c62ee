"""Names of the map can be read, ticks stay, and corrections outlive a kill and a longer file."""

import os
import signal
from itertools import combinations
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from benchmarks.browser import SERVE, running
from tests.browser.steps import give, opened, ready, turned

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


RATES = (
    "2024-05-01;Alpha Post;Central bank raises rates by a quarter point",
    "2024-05-01;Beta Times;Rates raised a quarter point by central bank",
)
SHUT = "Two coastal airports shut as storm hits"
STORM = (
    "2024-05-03;Alpha Post;Storm closes two airports on the coast",
    f"2024-05-03;Beta Times;{SHUT}",
    "2024-05-03;Gamma News;Storm shuts two airports on the coast",
)
TODAY = (*RATES, *STORM)
TOMORROW = ("2024-05-09;Delta Mail;Zoo welcomes a panda", *reversed(TODAY))
NOWHERE = "999999999"
"""Number of no event: a link with it opens the event of the first row that it names."""


def load(page, url, name, lines):
    opened(page, f"{url}/sources", "Sources")
    give(page, [(name, "\n".join(("when;outlet;title", *lines, "")).encode())])
    page.get_by_role("button", name="Load these headlines").click()
    page.wait_for_url(lambda address: "data=file-" in address)
    return f"{url}/?data=" + page.url.partition("data=")[2].partition("&")[0]


def members(page, address, lines, line):
    """Opens the event of a line on the tab where it is corrected; the headlines that it has."""
    page.goto(f"{address}&rows={lines.index(line)}&group={NOWHERE}")
    ready(page)
    page.get_by_role("tab", name="Correct").click()
    ready(page)
    said = page.locator(".st-key-event-card").inner_text()
    return {one for one in lines if f"\n{one.split(';')[2]}" in f"\n{said}"}


def count(page, corrections):
    said = "1 correction" if corrections == 1 else f"{corrections} corrections"
    expect(page.locator(".st-key-corrections")).to_contain_text(said)
    ready(page)


def test_a_timeline_is_corrected_by_keys_and_everything_outlives_a_kill(page, tmp_path):
    page.set_viewport_size({"width": 1280, "height": 2400})
    with running(SERVE, tmp_path) as (url, server):
        news = load(page, url, "news.csv", TODAY)
        assert members(page, news, TODAY, STORM[1]) == set(STORM)
        card = page.locator(".st-key-event-card")
        box = card.get_by_test_id("stCheckbox").filter(has_text=SHUT)
        box.locator("label").first.click()
        ready(page)
        card.get_by_role("button", name="Split off", exact=True).click()
        count(page, 1)
        page.locator("body").press("z")
        count(page, 0)
        page.locator("body").press("Shift+Z")
        count(page, 1)
        title = page.get_by_role("textbox", name="Title")
        title.press("z")  # in a field it is a letter
        expect(title).to_have_value("z")
        count(page, 1)
        page.reload()
        count(page, 1)
        assert members(page, f"{news}&method=leiden.v1", TODAY, STORM[0]) == set(STORM) - {STORM[1]}
        os.killpg(server, signal.SIGKILL)

    # The file of the next day, in another order.
    with running(SERVE, tmp_path) as (url, _):
        news = load(page, url, "later.csv", TOMORROW)
        assert members(page, news, TOMORROW, STORM[0]) == set(STORM) - {STORM[1]}
        count(page, 1)
        page.get_by_role("button", name="Undo Shortcut Z").click()
        count(page, 0)
        assert members(page, news, TOMORROW, STORM[0]) == set(STORM)
