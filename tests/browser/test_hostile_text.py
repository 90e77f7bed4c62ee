"""In a real browser hostile texts stay text: nothing runs, links, loads or turns into an icon."""

import json
import re

import pytest
from playwright.sync_api import expect

from core.data.timelines.load import load
from core.events.grouping import Settings, prepare, regroup
from core.runtime import Runtime
from tests.browser.steps import LONG, alive, give, opened, ready, show, turned, unfold, watched
from tests.hostile.corpus import LOADED, MARKUP

pytestmark = pytest.mark.browser

TELLING = tuple(text for text in MARKUP if re.search(r":material|^https|->|!\[", text))


def groups_of(file, texts):
    """Groups of these headlines, as the app makes them when nobody chose anything."""
    prepared = prepare(load(file.content, file.name), Settings(), Runtime())
    ids = regroup(prepared).ids.tolist()
    return sorted({ids[row] for row, text in enumerate(prepared.timeline.texts) if text in texts})


def nothing_is_alive(page):
    ready(page)
    assert alive(page) == []


def test_a_hostile_file_stays_text(page, app_url):
    harm = watched(page, app_url)
    opened(page, f"{app_url}/sources", "Sources")
    hostile = LOADED["every field hostile"]
    page.locator('input[type="file"]').set_input_files(
        {"name": hostile.name, "mimeType": "text/csv", "buffer": hostile.content}
    )
    button = page.get_by_role("button", name="Load these headlines")
    expect(button).to_be_visible()
    nothing_is_alive(page)
    button.click()
    expect(page.locator(".st-key-facts")).to_contain_text("50 headlines")
    nothing_is_alive(page)
    data = re.search(r"data=(file-[0-9a-f]+)", page.url)
    assert data
    seen = ""
    for group in groups_of(hostile, TELLING):
        page.goto(f"{app_url}/?data={data[1]}&group={group}")
        expect(page.get_by_text(f"event {group} ·").first).to_be_visible()
        nothing_is_alive(page)
        seen += page.locator("body").inner_text()
    assert [text for text in TELLING if text not in seen] == []
    page.goto(f"{app_url}/?show=map&data={data[1]}")
    expect(page.locator(".st-key-headline-map .names span").first).to_be_attached()
    nothing_is_alive(page)
    assert harm == []


def test_hostile_articles_and_systems_stay_text(page, app_url):
    harm = watched(page, app_url)
    hostile = [" ".join(text.split()) for text in MARKUP if any(map(str.isalnum, text))]
    articles = [
        {"id": str(n), "text": f"{line} 35 and more.", "headline": f"{line} 35"}
        for n, line in enumerate(hostile)
    ]
    outputs = [
        {"id": str(n), "system": system, "headline": f"{line} again"}
        for system in ("https://evil.example/a.png", "**bold** :smile: [x](https://evil.example)")
        for n, line in enumerate(hostile)
    ]
    opened(page, f"{app_url}/compare", "Compare")
    unfold(page, "Load files or write headlines")
    for name, rows, button in (
        ("hostile.jsonl", articles, "Compare these"),
        ("systems.jsonl", outputs, "Add these headlines"),
    ):
        give(page, [(name, "".join(json.dumps(row) + "\n" for row in rows).encode())])
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("button", name=button)).to_have_count(0)
        ready(page)
    expect(page.get_by_text(f"{len(hostile)} articles, 2 systems")).to_be_visible()
    nothing_is_alive(page)
    for view in ("Scores", "Where they differ", "Headlines"):
        show(page, view)
        nothing_is_alive(page)
    page.get_by_role("button", name="Read").nth(1).click()
    expect(page.get_by_text("Compared with the article")).to_be_visible()
    nothing_is_alive(page)
    page.keyboard.press("Escape")
    turned(page, "Check numbers")
    for view, shown in (
        ("One headline", ".linked .headline p"),
        ("All headlines", '[data-testid="stDataFrame"]'),
    ):
        page.get_by_role("radio", name=view).click()
        expect(page.locator(shown).first).to_be_visible(timeout=LONG)
        nothing_is_alive(page)
    assert harm == []
