"""A timeline is corrected with keys."""

import pytest
from playwright.sync_api import expect

from tests.browser.steps import MOST_CLICKS, clicks, counted, give, opened, ready

pytestmark = pytest.mark.browser


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
NOWHERE = "999999999"
"""Number of no event: a link with it opens the event of the first row that it names."""


def load(page, url, name, lines):
    opened(page, f"{url}/sources", "Sources")
    give(page, [(name, "\n".join(("when;outlet;title", *lines, "")).encode())])
    page.get_by_role("button", name="Load these headlines").click()
    page.wait_for_url(lambda address: "data=file-" in address)
    return f"{url}/?data=" + page.url.partition("data=")[2].partition("&")[0]


def members(page, address, line):
    """Opens the event of a line on the tab where it is corrected; the headlines that it has."""
    page.goto(f"{address}&rows={TODAY.index(line)}&group={NOWHERE}")
    ready(page)
    counted(page)
    page.get_by_role("tab", name="Correct").click()
    ready(page)
    said = page.locator(".st-key-event-card").inner_text()
    return {one for one in TODAY if f"\n{one.split(';')[2]}" in f"\n{said}"}


def count(page, corrections):
    said = "1 correction" if corrections == 1 else f"{corrections} corrections"
    expect(page.locator(".st-key-corrections")).to_contain_text(said)
    ready(page)


def test_a_timeline_is_corrected_by_keys(page, app_url):
    page.set_viewport_size({"width": 1280, "height": 2400})
    news = load(page, app_url, "news.csv", TODAY)
    assert members(page, news, STORM[1]) == set(STORM)
    card = page.locator(".st-key-event-card")
    box = card.get_by_test_id("stCheckbox").filter(has_text=SHUT)
    title = page.get_by_role("textbox", name="Title")
    title.fill("Typed")
    box.locator("label").first.click()
    ready(page)
    card.get_by_role("button", name="Split off", exact=True).click()
    count(page, 1)
    expect(title).to_have_value("Typed")
    title.fill("")
    title.blur()
    assert clicks(page) <= MOST_CLICKS
    page.locator("body").press("z")
    count(page, 0)
    page.locator("body").press("Shift+Z")
    count(page, 1)
    title.press("z")  # in a field it is a letter
    expect(title).to_have_value("z")
    count(page, 1)
    page.reload()
    count(page, 1)
    assert members(page, f"{news}&method=leiden.v1", STORM[0]) == set(STORM) - {STORM[1]}
