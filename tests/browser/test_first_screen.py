"""The first screen: little to load, no failed request, paper, themes and no motion."""

import pytest
from playwright.sync_api import expect

from components.charts.theme import DARK, LIGHT
from tests.browser.steps import opened, show

pytestmark = pytest.mark.browser

MEGABYTES = 3.0
"""Of everything that the first page of the sample loads."""
_COLOURS = """() => [...document.querySelectorAll('h1, [data-testid="stMarkdownContainer"] p')]
  .filter((one) => one.checkVisibility() && one.innerText.trim()).map((one) => getComputedStyle(one).color)"""
_MOVES = """() => [...document.querySelectorAll('*')].flatMap((one) => {
  const looks = getComputedStyle(one);
  const times = `${looks.transitionDuration},${looks.animationDuration}`;
  return times.split(',').map(parseFloat);
}).reduce((most, one) => Math.max(most, one), 0)"""


def test_it_loads_little_and_nothing_that_is_not_there(browser, app_url):
    page = browser.new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    sizes = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    failed = []
    loaded = []
    page.on("response", lambda one: (loaded if one.status < 400 else failed).append(one.url))
    opened(page, app_url, "Timeline")
    assert sum(sizes) < MEGABYTES * 1e6
    assert not [url for url in loaded if "Plotly" in url]
    for path, title in (("?show=map", "Timeline"), ("models", "Models")):
        opened(page, f"{app_url}/{path}", title)
    assert failed == []
    page.close()


def test_the_page_follows_theme_paper_and_readers_who_want_no_motion(browser, app_url):
    context = browser.new_context(
        viewport={"width": 794, "height": 1123}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    opened(page, f"{app_url}/?show=lanes", "Timeline")
    assert page.evaluate(_MOVES) < 0.001
    name_of_event = page.locator(".js-plotly-plot .annotation text").first
    for scheme, ink in (("dark", DARK), ("light", LIGHT), ("dark", DARK)):
        page.emulate_media(color_scheme=scheme)
        red, green, blue = (int(ink.text[at : at + 2], 16) for at in (1, 3, 5))
        expect(name_of_event).to_have_css("fill", f"rgb({red}, {green}, {blue})")
    show(page, "List")
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
