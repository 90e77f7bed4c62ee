"""Files of one's own: a feed is open in a few clicks, and nothing that was repaired or wrong goes unsaid."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.steps import LONG, give, opened, ready, said, turned
from tests.hostile.corpus import BY_KIND

pytestmark = pytest.mark.browser

MOST_CLICKS = 5
ITEM = (
    "<item><title>Storm &amp;mdash; airport closes, flight {n}</title><link>https://a.org/{n}</link>"
    "<pubDate>Tue, 14 Jan 2025 10:0{n}:00 GMT</pubDate></item>"
)
RSS = f"<rss><channel><title>City Desk</title>{''.join(ITEM.format(n=n) for n in range(5))}</channel></rss>"
REPAIRED = (
    "Titel,Quelle,Datum\nn/a,A,2024-05-01\nn/a,B,2024-05-01\n-,C,2024-05-01\nn/a,D,2024-05-01\nn/a,E,2024-05-01\n"
    "Caf&eacute; &mdash; it&#39;s open,A,2024-05-02\nCafÃ© is open again,B,2024-05-02\n"
)


def counted(page: Page) -> None:
    """From now on clicks are counted, in the page that stands."""
    page.evaluate(
        "() => { window.clicks = 0; document.addEventListener('click', () => window.clicks++, true); }"
    )


def clicks(page: Page) -> int:
    """Clicks since then, one more for the choice of a file included."""
    return int(page.evaluate("window.clicks")) + 1


def test_a_feed_is_open_in_a_few_clicks(page: Page, app_url: str) -> None:
    opened(page, app_url, "Timeline")
    counted(page)
    turned(page, "Open a file")
    give(page, [("desk.xml", RSS.encode())])
    expect(page.get_by_text("5 rows read as feed")).to_be_visible()
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_role("heading", level=1, name="Timeline")).to_be_visible(timeout=LONG)
    ready(page)
    assert "Storm — airport closes" in said(page)
    assert clicks(page) <= MOST_CLICKS


def test_what_was_repaired_or_missing_is_said(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/open", "Open a file")
    give(page, [("desk.csv", REPAIRED.encode())])
    for note in ("decoded in 1 cell", "repaired in 1 cell", "taken for missing in 5 cells"):
        expect(page.get_by_text(note).first).to_be_visible()
    expect(page.get_by_role("combobox", name="Outlet", exact=True)).to_have_value("Quelle")
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_text("2 headlines are open.")).to_be_visible()
    expect(page.get_by_text("5 rows were excluded")).to_be_visible()


def test_a_feed_that_unfolds_without_end_gives_one_sentence(page: Page, app_url: str) -> None:
    bomb = BY_KIND["feeds"]["entities that unfold to gigabytes"]
    opened(page, f"{app_url}/open", "Open a file")
    give(page, [(bomb.name, bomb.content)])
    expect(page.get_by_text("The feed declares entities of its own")).to_be_visible()
