"""Events are corrected in a real browser; it outlives a reload, regrouping, a kill and a longer file."""

import os
import signal

import pytest
from playwright.sync_api import expect

from benchmarks.browser import SERVE, running
from tests.browser.steps import give, opened, ready

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
