"""Events are corrected in a real browser; it outlives a reload, regrouping, a kill and a longer file."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from benchmarks.browser import SERVE, running
from tests.browser.steps import choose, give, metric, opened, ready, turned

pytestmark = pytest.mark.browser

RATES = (
    "2024-05-01;Alpha Post;Central bank raises rates by a quarter point",
    "2024-05-01;Beta Times;Rates raised a quarter point by central bank",
    "2024-05-02;Gamma News;Central bank lifts interest rates by 0.25 points",
)
STORM = (
    "2024-05-03;Alpha Post;Storm closes two airports on the coast",
    "2024-05-03;Beta Times;Two coastal airports shut as storm hits",
    "2024-05-03;Gamma News;Storm shuts two airports on the coast",
)
STRIKE = (
    "2024-05-06;Alpha Post;Train drivers walk out over pay",
    "2024-05-06;Beta Times;Pay strike: train drivers walk out",
)
LATER = (
    "2024-05-03;Delta Mail;Storm closes airports on the coast",
    "2024-05-09;Delta Mail;Zoo welcomes a panda",
)
TODAY = (*RATES, *STORM, *STRIKE)
TOMORROW = (*LATER, *reversed(TODAY))
NOWHERE = "999999999"
"""Number of no event: a link with it opens the event of the first row that it names."""
SHUT, WALK = "Two coastal airports shut as storm hits", "Train drivers walk out over pay"


def csv(*lines: str) -> bytes:
    return "\n".join(("when;outlet;title", *lines, "")).encode()


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 2400})
    page = context.new_page()
    page.set_default_timeout(60_000)
    yield page
    context.close()


def load(page: Page, url: str, name: str, content: bytes) -> None:
    opened(page, f"{url}/sources", "Sources")
    give(page, [(name, content)])
    page.get_by_role("button", name="Load these headlines").click()
    ready(page)
    if page.get_by_test_id("stMain").get_by_role("heading", level=1).inner_text() != "Timeline":
        turned(page, "Timeline")


def card(page: Page, headline: str) -> set[str]:
    """Opens the event of a headline on the tab where it is corrected; its headlines."""
    file = TODAY if metric(page, "Headlines") == str(len(TODAY)) else TOMORROW
    page.goto(with_(with_(page.url, "rows", str(texts(file).index(headline))), "group", NOWHERE))
    ready(page)
    page.get_by_role("tab", name="Correct").click()
    ready(page)
    return members(page)


def with_(url: str, name: str, value: str) -> str:
    base = without(url, name)
    return f"{base}{'&' if '?' in base else '?'}{name}={value}"


def without(url: str, name: str) -> str:
    base, _, query = url.partition("?")
    kept = [part for part in query.split("&") if part and not part.startswith(f"{name}=")]
    return f"{base}?{'&'.join(kept)}" if kept else base


def boxes(page: Page) -> list[str]:
    return page.locator('.st-key-event-card [class*="st-key-correct-"] label').all_inner_texts()


def members(page: Page) -> set[str]:
    known = set(texts(TOMORROW))
    said = page.locator(".st-key-event-card").inner_text()
    found = {one for one in known for text in boxes(page) if text.startswith(one)}
    return found or {one for one in known if f"\n{one}" in f"\n{said}"}


def tick(page: Page, headline: str) -> None:
    page.locator(".st-key-event-card").get_by_test_id("stCheckbox").filter(has_text=headline).locator(
        "label"
    ).first.click()
    ready(page)


def press(page: Page, name: str) -> None:
    page.locator(".st-key-event-card").get_by_role("button", name=name, exact=True).click()
    ready(page)


def texts(lines: tuple[str, ...]) -> list[str]:
    return [line.split(";")[2] for line in lines]


def titles(*lines: tuple[str, ...]) -> set[str]:
    return {text for part in lines for text in texts(part)}


def count(page: Page, corrections: int) -> None:
    said = "1 correction" if corrections == 1 else f"{corrections} corrections"
    expect(page.locator(".st-key-corrections")).to_contain_text(said)


def correct(page: Page) -> None:
    """Moves, splits off, undoes and does again by keyboard, and merges; three corrections are left."""
    assert card(page, SHUT) == titles(STORM)
    tick(page, SHUT)
    choose(page, "Move to", "walk out")
    press(page, "Move")
    count(page, 1)
    assert card(page, WALK) == {SHUT} | titles(STRIKE)
    page.get_by_role("tab", name="Reports").click()
    expect(page.locator(".st-key-event-card")).to_contain_text("moved on")
    page.get_by_role("tab", name="Correct").click()
    ready(page)

    tick(page, SHUT)
    press(page, "Split off")
    count(page, 2)
    assert members(page) == titles(STRIKE)
    page.locator("body").press("z")
    ready(page)
    count(page, 1)
    assert members(page) == {SHUT} | titles(STRIKE)
    page.locator("body").press("Shift+Z")
    ready(page)
    count(page, 2)
    assert members(page) == titles(STRIKE)
    title = page.get_by_role("textbox", name="Title")
    title.press("z")  # in a field it is a letter
    expect(title).to_have_value("z")
    title.fill("")
    count(page, 2)

    choose(page, "Merge with", "rates")
    press(page, "Merge")
    count(page, 3)
    assert members(page) == titles(STRIKE, RATES)


def undo(page: Page) -> None:
    """Undoes one from the middle of the list, then the others."""
    page.get_by_role("button", name="History").click()
    ready(page)
    listed = page.get_by_test_id("stPopoverBody")
    expect(listed).to_contain_text("merged on")
    listed.get_by_role("button", name="Undo").nth(1).click()
    ready(page)
    count(page, 2)
    page.keyboard.press("Escape")
    # What was split off is where it had been moved to before.
    assert card(page, WALK) == {SHUT} | titles(STRIKE, RATES)
    for left in (1, 0):
        page.get_by_role("button", name="Undo Shortcut Z").click()
        ready(page)
        count(page, left)


def test_a_timeline_is_corrected_and_everything_outlives_a_kill(visitor: Page, tmp_path: Path) -> None:
    page = visitor
    with running(SERVE, tmp_path) as (url, server):
        load(page, url, "news.csv", csv(*TODAY))
        correct(page)
        page.reload()
        ready(page)
        count(page, 3)
        page.goto(with_(without(page.url, "granularity"), "method", "leiden.v1"))
        ready(page)
        found = card(page, WALK)
        assert titles(STRIKE, RATES) <= found
        assert SHUT not in found
        os.killpg(server, signal.SIGKILL)

    # The file of the next day, in another order.
    with running(SERVE, tmp_path) as (url, _):
        load(page, url, "later.csv", csv(*TOMORROW))
        count(page, 3)
        assert card(page, WALK) == titles(STRIKE, RATES)
        storm = texts(LATER)[0]
        found = card(page, storm)
        assert titles(STORM) - {SHUT} <= found
        assert SHUT not in found
        undo(page)
        assert SHUT in card(page, storm)
