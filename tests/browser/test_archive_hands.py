"""An archive under fingers and with the keys alone."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.conftest import ARCHIVED
from tests.browser.pages import press, reach
from tests.browser.steps import LONG, metric, ready
from tests.browser.test_archive import drawn, on_screen

pytestmark = pytest.mark.browser

Place = tuple[float, float]
ADDRESS = "/sources?part=archive&archive=storms"


@pytest.fixture
def phone(browser):
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(LONG)
    yield page
    context.close()


def move(fingers, *paths, steps=8):
    """Puts down a finger for each path, one after the other, draws them along it together and lifts them."""

    def send(kind, part, count=None):
        points = [
            {"x": x + part * (to_x - x), "y": y + part * (to_y - y), "id": number}
            for number, ((x, y), (to_x, to_y)) in enumerate(paths[:count])
        ]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    for count in range(1, len(paths) + 1):
        send("touchStart", 0, count)
    for step in range(1, steps + 1):
        send("touchMove", step / steps)
    for count in range(len(paths) - 1, -1, -1):
        send("touchEnd", 1, count)


def chosen(page, place):
    """Taps a place of the map; the group that it chooses."""
    page.touchscreen.tap(*place)
    expect(page).to_have_url(re.compile(r"event=\d+"), timeout=LONG)
    ready(page)
    event = int(re.search(r"event=(\d+)", page.url)[1])
    page.get_by_role("button", name="Clear the selection").tap()
    expect(page).not_to_have_url(re.compile("event="), timeout=LONG)
    ready(page)
    return event


def test_fingers_move_and_pinch_the_map(phone, archive_url, archive):
    drawn(phone, archive_url + ADDRESS)
    phone.locator(".archive-map").scroll_into_view_if_needed()
    box = phone.locator(".archive-map canvas").bounding_box()
    middle = np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    fingers = phone.context.new_cdp_session(phone)
    begin = on_screen(phone, archive)
    page_at = phone.evaluate("scrollY")

    # A headline near the middle, so that it stays in the window.
    row = int(np.abs(begin - middle).sum(axis=1).argmin())
    pan = np.array([40.0, -60.0])
    move(fingers, (tuple(middle), tuple(middle + pan)))
    assert "event=" not in phone.url, "who moves the map chooses nothing"
    moved = begin + pan
    assert chosen(phone, tuple(moved[row])) == archive.groups[row]

    # Twice as far apart around a place that both fingers keep.
    held = middle + np.array([10.0, 5.0])
    apart = np.array([35.0, 0.0])
    move(
        fingers,
        (tuple(held - apart), tuple(held - 2 * apart)),
        (tuple(held + apart), tuple(held + 2 * apart)),
    )
    assert "event=" not in phone.url, "who pinches chooses nothing"
    pinched = held + 2 * (moved - held)
    inside = np.abs(pinched - middle).max(axis=1) < min(box["width"], box["height"]) / 2 - 40
    for row in np.flatnonzero(inside)[:2]:
        assert chosen(phone, tuple(pinched[row])) == archive.groups[row]
    assert phone.evaluate("scrollY") == page_at, "the page itself stays"


def test_an_archive_is_read_with_the_keys_alone(page, archive_url):
    drawn(page, archive_url + ADDRESS)
    canvas = page.get_by_role("application")
    canvas.focus()
    for key in ("+", "+", "ArrowLeft", "ArrowUp", "-", "0", "+"):
        canvas.press(key)
    expect(page.locator(".archive-map.keys")).to_be_visible()
    assert violations(page) == []
    press(page, page.get_by_label("Search", exact=True), *"Kiel", "Enter")
    expect(page).to_have_url(re.compile("words=Kiel"))
    ready(page)

    # Typed days count when the keys leave them.
    press(page, page.get_by_role("button", name="Filters"), "Enter")
    reach(page, page.get_by_role("spinbutton", name="day, Days start date"))
    for key in ("0", "9", *["Tab"] * 5):
        page.keyboard.press(key)
    expect(page).to_have_url(re.compile("first=2024-05-09"))
    ready(page)
    page.keyboard.press("Escape")
    assert 0 < int(metric(page, "Headlines")) < ARCHIVED / 5

    # A line of the list of groups; then the map as a picture, and its area as four numbers.
    reach(page, page.get_by_test_id("data-grid-canvas").first)
    for key in ("ArrowDown", "Shift+Space"):
        page.keyboard.press(key)
    expect(page).to_have_url(re.compile(r"event=\d+"))
    ready(page)
    press(page, page.get_by_role("button", name="Clear the selection"), "Enter")
    expect(page).not_to_have_url(re.compile("event="))

    press(page, page.get_by_role("button", name="Filters"), "Enter")
    press(page, page.get_by_role("switch", name="Map as a picture"), "Space")
    expect(page.get_by_role("button", name="Select the area")).to_be_visible(timeout=LONG)
    page.keyboard.press("Escape")
    ready(page)
    reach(page, page.get_by_label("Right", exact=True))
    page.keyboard.press("Control+A")
    page.keyboard.type("50")
    press(page, page.get_by_role("button", name="Select the area"), "Enter")
    expect(page).to_have_url(re.compile("lasso="))
    ready(page)
    assert 0 < int(metric(page, "Headlines")) < ARCHIVED

    # One step back leads from a timeline of the selection to the archive.
    selected = page.url
    press(page, page.get_by_role("button", name="Open as a Timeline"), "Enter")
    expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text("Timeline")
    ready(page)
    page.go_back()
    expect(page).to_have_url(selected)
