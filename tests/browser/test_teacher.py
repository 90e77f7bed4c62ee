"""The teacher's day: the tour before a class, in large letters, and no request that leaves the computer."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from components.tour.tour import STEPS
from core.headlines.opening import open_set
from tests.browser.steps import LOOKS, large_text, made, opened, ready, said, start_tour

pytestmark = pytest.mark.browser

LEAST_PIXELS = 18
"""Of letters at 1280 pixels on a picture 2 metres wide, to be read from 8 metres."""

SMALL = LOOKS["small"]


@pytest.fixture
def offline_url(tmp_path, asked):
    """Address of an app that reaches no other computer and that nobody has visited yet."""
    with made(tmp_path) as url:
        yield url


@pytest.fixture
def class_room(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 720}, color_scheme="light")
    page = context.new_page()
    page.set_default_timeout(120_000)
    yield page
    context.close()


def readable(page):
    """Every letter can be read from the last row, and nothing lies beside the screen."""
    assert page.evaluate(SMALL, LEAST_PIXELS) == []
    width = "[document.scrollingElement, document.querySelector('[data-testid=stMain]')]"
    assert page.evaluate(f"{width}.every(one => one.scrollWidth <= one.clientWidth + 1)")


def stop(page, number):
    """Waits for a stop of the tour, and looks whether it can be read."""
    said_of_it = f"{number} of {len(STEPS)} · {STEPS[number - 1].title}"
    expect(page.locator(".st-key-tour")).to_contain_text(said_of_it)
    ready(page)
    expect(page.locator(".st-key-tour")).to_be_in_viewport()
    readable(page)


def onward(page, number):
    """Goes to a stop by its key."""
    page.keyboard.press("n")
    stop(page, number)


def test_a_class_walks_through_it_without_a_network(class_room, offline_url, asked):
    page, requests = class_room, []
    page.on("request", lambda one: requests.append(one.url))
    opened(page, f"{offline_url}/?data=numhg&granularity=0.5", "Timeline")
    before = page.url
    large_text(page)
    expect(page).to_have_url(re.compile("large=yes"))
    ready(page)
    readable(page)
    start_tour(page)

    stop(page, 1)
    expect(page.locator(".st-key-tour")).to_contain_text("47 headlines")
    onward(page, 2)
    expect(page.get_by_role("heading", name="Space Station Crew Returns After Alarm")).to_be_in_viewport()
    onward(page, 3)
    expect(page.get_by_test_id("stSlider")).to_be_in_viewport()
    expect(page.get_by_role("slider", name="Narrower ↔ broader")).to_have_value("0.6")
    onward(page, 4)
    expect(page.get_by_text("They are together:")).to_be_visible()
    onward(page, 5)
    expect(page.locator(".st-key-headline-map canvas").first).to_be_in_viewport()

    onward(page, 6)
    broken = page.get_by_text("A and B are the same event, A and C too, but B and C are not")
    expect(broken).to_be_visible()
    onward(page, 7)
    expect(broken).to_have_count(0)

    onward(page, 8)
    names = [one.system for one in open_set("sample:articles")[1]]
    assert len(names) == 3
    assert not any(name in said(page) for name in names)
    assert "ROUGE mean" not in page.locator(".st-key-article-headlines").inner_text()
    page.get_by_role("button", name="Reveal who wrote what").click()
    ready(page)
    assert all(name in said(page) for name in names)

    onward(page, 9)
    verdict = page.locator(".linked .verdict")
    expect(verdict).to_contain_text(re.compile("8 — (wrong|check this)"))
    expect(verdict).to_contain_text("The article says instead")
    expect(verdict).to_contain_text(re.compile(r"twoa? weeks early"))  # the letter of its place is between

    onward(page, 10)
    expect(page.get_by_role("heading", level=1)).to_have_text("Sources")
    page.get_by_role("button", name="Finish").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Timeline")
    expect(page).to_have_url(re.compile(re.escape(urlsplit(before).query)))
    ready(page)
    large_text(page)
    expect(page).to_have_url(before)

    assert {urlsplit(url).hostname for url in requests if not url.startswith(("data:", "blob:"))} == {
        "127.0.0.1"
    }
    # Every process of the server stood under the guard; none asked anybody.
    assert set(asked.read_text(encoding="utf-8").split()) == {"guarded"}
