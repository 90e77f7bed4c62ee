"""The first screen: a picture without a click, few controls, keys, little to load, and no failed request."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.browser.steps import event_row, opened, ready

pytestmark = pytest.mark.browser

MEGABYTES = 3.0
"""Of everything that the first page of the sample loads."""


def test_a_lost_connection_is_said_beside_the_help(page: Page, app_url: str) -> None:
    connections: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        route.connect_to_server()
        connections.append(route)

    page.route_web_socket(re.compile("_stcore/stream"), connect)
    opened(page, app_url, "Timeline")
    page.route(re.compile("_stcore/(health|host)"), lambda route: route.abort())
    connections[-1].close()
    said, offered = page.get_by_test_id("stStatusWidget"), page.locator(".st-key-page-menu")
    expect(said).to_be_visible()
    for width in (1280, 820, 390):
        page.set_viewport_size({"width": width, "height": 844})
        boxes = said.bounding_box(), offered.bounding_box()
        assert boxes[0]
        assert boxes[1]
        assert boxes[0]["x"] >= 0
        assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]


def test_it_loads_little_and_nothing_that_is_not_there(browser: Browser, app_url: str) -> None:
    page = browser.new_page()
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    failed: list[str] = []
    loaded: list[str] = []
    page.on("response", lambda one: (loaded if one.status < 400 else failed).append(one.url))
    opened(page, app_url, "Timeline")
    assert sum(sizes) < MEGABYTES * 1e6
    assert not [url for url in loaded if "Plotly" in url]
    for path, title in (("?show=map", "Timeline"), ("models", "Models")):
        opened(page, f"{app_url}/{path}", title)
    assert failed == []
    page.close()


def test_keys_go_through_the_list_to_the_search_and_to_the_help(page: Page, app_url: str) -> None:
    opened(page, app_url, "Timeline")
    titles = [event_row(page, place).locator(".title").inner_text() for place in range(3)]
    shown = page.locator(".st-key-event-card h2")
    page.keyboard.press("j")
    expect(shown).to_have_text(titles[1])
    ready(page)
    page.keyboard.press("j")
    expect(shown).to_have_text(titles[2])
    ready(page)
    page.keyboard.press("k")
    expect(shown).to_have_text(titles[1])
    ready(page)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search")).to_be_focused()
    page.keyboard.type("jkvegetables")
    page.keyboard.press("Enter")
    expect(page.get_by_text("No headline has these words.")).to_be_visible()
    page.keyboard.press("Control+a")
    page.keyboard.type("vegetables")
    page.keyboard.press("Enter")
    expect(page.get_by_role("listbox", name="Events").get_by_role("option")).to_have_count(1)
    expect(page).to_have_url(re.compile("find=vegetables"))
    ready(page)
    page.get_by_role("listbox", name="Events").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("button", name="Five-minute tour")).to_be_visible()


def test_tab_comes_to_the_list_past_no_help_and_no_toolbar(page: Page, app_url: str) -> None:
    opened(page, app_url, "Timeline")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skips to the content
    listed = page.get_by_role("listbox", name="Events")
    passed = []
    for _ in range(13):
        page.keyboard.press("Tab")
        if listed.evaluate("list => list.getRootNode().activeElement === list"):
            break
        passed.append(page.evaluate("document.activeElement.ariaLabel ?? document.activeElement.innerText"))
    else:
        pytest.fail(f"Tab does not come to the list: {passed}")
    assert not [one for one in passed if one.startswith("Help for")]


def test_events_are_sorted_and_shown_as_lanes(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/?order=time", "Timeline")
    expect(event_row(page, 0)).to_contain_text("Apr 2019")
    expect(event_row(page, 0)).not_to_contain_text("new")  # nothing was opened before
    page.get_by_role("radio", name="Lanes").click()
    expect(page.locator(".js-plotly-plot path.point").first).to_be_in_viewport()
    expect(page).to_have_url(re.compile("show=lanes"))


def test_two_clicks_say_what_outlets_report_differently(page: Page, app_url: str) -> None:
    opened(page, app_url, "Timeline")
    expect(page.locator(".st-key-facts")).to_contain_text("47 headlines · 9 events · 14 outlets")
    expect(page.locator(".st-key-event-card h2")).to_be_in_viewport()
    event_row(page, 0).click()
    ready(page)
    page.get_by_role("tab", name="Facts").click()
    expect(page.locator(".st-key-facts-grid")).to_contain_text("Frenchman")


def test_on_a_phone_the_card_comes_after_the_list(browser: Browser, app_url: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    opened(page, app_url, "Timeline")
    event_row(page, 1).click()
    ready(page)
    expect(page.locator(".st-key-event-card h2")).to_be_in_viewport()
    page.close()
