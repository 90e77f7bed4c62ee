"""A journalist's first minute: a file as the world writes it is dropped, asked about and grouped."""

import json
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests.browser.steps import give, opened, ready, settled, violations

pytestmark = pytest.mark.browser

FERRY = (
    "Ferry with 40 passengers runs aground off Lindholm",
    "Passenger ferry runs aground off Lindholm, 40 on board",
)
BANK = (
    "Central bank of Norland lifts key rate to 4.5 percent",
    "Norland central bank raises key rate to 4.5 percent",
)
OUTLETS = ("Harbour Post", "Coast Daily")
TITLES = [*FERRY, *BANK, "Quake shakes southern Karveda"]


class Shape(NamedTuple):
    """A file of the world, what its reader is asked, and what stands on the page in the end."""

    name: str  # of the file; "" for pasted lines
    text: str
    question: str  # of the strip; "" where nothing is to be asked
    button: str  # that settles it
    shows: tuple[str, ...]  # what the page says in the end


def _feed():
    items = [f"<item><title>{title}</title><guid>{k}</guid></item>" for k, title in enumerate(TITLES)]
    items.insert(2, "<item><title>Lost <b>in a tag</title></b></item>")
    return "<rss><channel><title>Harbour Post</title>\n" + "\n".join(items) + "</channel></rss>"


def _google_news():
    rows = [
        f'"{title} - {OUTLETS[k % 2]}",Google News,2024-01-15,https://news.google.com/articles/{k}'
        for k, title in enumerate(TITLES)
    ]
    return "\n".join(["title,source,published,link", *rows])


def _new_york_times():
    docs = [
        {"headline": {"main": title, "kicker": None}, "pub_date": f"2024-01-15T0{k}:00:00+0000",
         "web_url": f"https://n.example/{k}", "snippet": "", "source": OUTLETS[k % 2]}
        for k, title in enumerate(TITLES)
    ]  # fmt: skip
    return json.dumps({"status": "OK", "response": {"docs": docs, "meta": {"hits": 5}}})


def _monitoring():
    rows = [
        f"{k}. {title};{OUTLETS[k % 2]};15-Jan-24 06:1{k};2024-02-01" for k, title in enumerate(TITLES, 1)
    ]
    return "\n".join(["Title;Media;Date;Date downloaded", *rows])


SHAPES = {
    "a feed with a bad entry": Shape("desk.rss", _feed(), "", "", ("1 outlet",)),
    "Google News as CSV": Shape("news.csv", _google_news(), "", "", ("2 outlets",)),
    "an answer of the New York Times": Shape("nyt.json", _new_york_times(), "", "", ("2 outlets",)),
    "numbered rows of a monitoring service": Shape(
        "export.csv",
        _monitoring(),
        "Take the numbers off the titles?",
        "Take them off",
        ("2 outlets", "15 Jan 2024"),
    ),
    "rows inside an object, a line each": Shape(
        "rows.jsonl",
        "\n".join(json.dumps({"data": {"title": t, "outlet": "Harbour Post"}}) for t in TITLES),
        "",
        "",
        ("1 outlet",),
    ),
    "a pasted numbered list": Shape(
        "", "\n".join(f"{k}. {title}" for k, title in enumerate(TITLES, 1)), "", "", ()
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES.values(), ids=list(SHAPES))
def test_a_file_of_the_world_is_dropped_asked_about_and_grouped(page, app_url, shape):
    opened(page, f"{app_url}/sources", "Sources")
    if shape.name:
        give(page, [(shape.name, shape.text.encode())])
    else:
        page.get_by_label("… or pasted headlines, one a line").fill(shape.text)
        page.keyboard.press("Control+Enter")
    page.get_by_role("button", name="Load these headlines").click()
    settled(page)
    see = page.get_by_test_id("stMain").get_by_role("link", name="See the groups")
    if see.count():  # a row was excluded, and is named first
        expect(page.get_by_text("1 row was excluded", exact=False)).to_be_visible()
        see.click()
    ready(page)
    strip = page.locator(".st-key-reading-check")
    if shape.question:
        expect(strip.get_by_text(shape.question)).to_be_visible()
        assert not violations(page)
        strip.get_by_role("button", name=shape.button).click()
        ready(page)
    expect(strip).to_have_count(0)
    facts = page.locator(".st-key-facts").inner_text()
    assert all(words in facts for words in (f"{len(TITLES)} headlines", "2 events", *shape.shows))
    listed = page.get_by_role("listbox", name="Events").get_by_role("option").all_inner_texts()
    assert any(title in line for line in listed for title in FERRY)
    assert not any(mark in line for line in listed for mark in (". Ferry", f" - {OUTLETS[0]}"))
