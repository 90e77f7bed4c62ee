"""The first screen: a first visit and the next, few controls, little to load, paper, themes and no motion."""

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from components.frame.charts.theme import DARK, LIGHT
from components.frame.page_state import LAST
from tests.browser.steps import AT_FIRST_SIGHT, controls, event_row, opened, ready, settled, show

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
    page.goto(app_url)
    expect(page.get_by_text("A made-up article")).to_be_visible()
    settled(page)
    assert sum(sizes) < MEGABYTES * 1e6
    assert not [url for url in loaded if "Plotly" in url]
    for path, title in (("?show=map", "Timeline"), ("models", "Models")):
        opened(page, f"{app_url}/{path}", title)
    assert failed == []
    page.close()


def test_a_later_visit_opens_where_the_reader_was(browser, app_url):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(app_url)
    expect(page.get_by_text("A made-up article")).to_be_visible()
    ready(page)
    assert len(controls(page)) <= AT_FIRST_SIGHT
    row = event_row(page, 2)
    title = row.locator(".title").inner_text()
    row.click()
    expect(page.get_by_role("slider")).to_be_visible()
    show(page, "Lanes")
    left = page.url
    page.close()

    page = context.new_page()
    page.goto(app_url)
    expect(page.locator(".st-key-event-card h2")).to_have_text(title)
    ready(page)
    assert page.url == left
    page.goto(f"{app_url}/models")
    expect(page.get_by_role("heading", level=1, name="Models")).to_be_visible()
    page.get_by_role("radio", name="Train").click()
    ready(page)
    page.goto(app_url)
    expect(page.get_by_role("radio", name="Train")).to_be_checked()
    page.goto(f"{app_url}/?group=1")
    expect(page.get_by_text("event 1 ·")).to_be_visible()

    gone = quote("/?data=file-0123456789abcdef", safe="")
    context.add_cookies([{"name": LAST, "value": gone, "url": app_url}])
    page.goto(app_url)
    expect(page.get_by_text("The file that you had open is not here any more.")).to_be_visible()
    expect(page.locator(".st-key-facts")).to_contain_text("47 headlines")
    context.close()


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
