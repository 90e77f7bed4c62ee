"""The journalist's day: a spreadsheet in, the stories of a week, one of them read, checked and sent on."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pandas as pd
import pytest
from playwright.sync_api import Browser, Page, expect

from core.data.timelines.load import load
from tests.browser.serving import made
from tests.browser.steps import LONG, choose, event_row, export_menu, opened, ready, said, saved
from tests.browser.workbook import workbook

pytestmark = pytest.mark.browser

WEEK = (date(2021, 8, 9), date(2021, 8, 15))
WORDS = "9 – 15 Aug 2021"
ARTICLE = (
    "New York Governor Andrew Cuomo said on Tuesday that he would resign in 14 days. An inquiry by the "
    "attorney general found that he had harassed 11 women. Lieutenant Governor Kathy Hochul, 62, follows him."
)
HEADLINE_OF_IT = "Cuomo to resign in 14 days after report that he harassed 12 women"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory, shared: Path) -> Iterator[tuple[str, bytes, dict]]:
    """A server of its own, the workbook, and what is wrong in it."""
    if not (shared / "data/allsides_stories/allsides_stories.csv.gz").is_file():
        pytest.skip("the AllSides headlines are not on this machine")
    data, wrong = workbook(shared)
    with made(tmp_path_factory.mktemp("journalist")) as url:
        yield url, data, wrong


def given(page: Page, url: str, data: bytes) -> None:
    """Gives the workbook and loads it as it was understood."""
    opened(page, f"{url}/sources", "Sources")
    page.locator("input[type=file]").set_input_files(
        {"name": "desk.xlsx", "mimeType": "application/octet-stream", "buffer": data}
    )
    expect(page.get_by_text("1,121 rows")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_text("1,111 headlines are open.")).to_be_visible(timeout=LONG)
    ready(page)


def grouped(page: Page) -> None:
    """Waits for the groups of a timeline that was just opened."""
    page.get_by_role("link", name="See the groups").click()
    expect(page.locator(".st-key-facts")).to_be_visible(timeout=2 * LONG)
    ready(page)


def test_a_week_of_news_from_spreadsheet_to_colleague(
    browser: Browser, desk: tuple[str, bytes, dict[int, tuple[str, str, str]]], tmp_path: Path
) -> None:
    url, data, wrong = desk
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=url)
    page = context.new_page()
    given(page, url, data)
    _sees_what_was_excluded(page, wrong, tmp_path)
    grouped(page)
    group = _finds_the_biggest(page, data, tmp_path)
    _reads_one(page, group)
    link, report = _exports(page, tmp_path)
    _reopens(browser, link, group, report, data)
    _has_numbers_checked(page, data)
    context.close()


@pytest.mark.journey
def test_on_a_phone_a_sheet_is_loaded_and_a_card_read(
    browser: Browser, desk: tuple[str, bytes, dict[int, tuple[str, str, str]]]
) -> None:
    url, data, _ = desk
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    given(page, url, data)
    grouped(page)
    page.goto(f"{page.url}&from=2021-08-09&to=2021-08-15&group=1")
    expect(page.get_by_role("tab", name="Reports")).to_be_visible(timeout=LONG)
    ready(page)
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    context.close()


def _sees_what_was_excluded(page: Page, wrong: dict[int, tuple[str, str, str]], folder: Path) -> None:
    shown = page.get_by_test_id("stTable").locator("tbody tr")
    expect(shown).to_have_count(len(wrong))
    file = saved(page, "The 10 excluded rows (CSV)", folder)
    told = {
        row["rejected_line"]: row for row in csv.DictReader(io.StringIO(file.read_text(encoding="utf-8")))
    }
    assert set(told) == set(map(str, wrong))
    for place, (line, (column, value, reason)) in enumerate(sorted(wrong.items())):
        seen = shown.nth(place).inner_text()
        assert str(line) in seen
        assert reason in seen
        row = told[str(line)]
        assert reason in row["rejected_reason"]
        assert row["rejected_column"] == column
        assert " ".join(row["rejected_value"].split()).lstrip("'").startswith(value)
    assert "line 1014 repeats line 1013" in said(page)


def _finds_the_biggest(page: Page, data: bytes, folder: Path) -> int:
    expect(page.locator(".st-key-facts")).to_contain_text("1,111 headlines")
    groups = pd.read_csv(saved(page, "CSV", folder))["group"].to_numpy()
    choose(page, "Period", WORDS)
    expect(page.get_by_role("listbox", name=f"Events of {WORDS}")).to_be_visible()
    ready(page)
    wanted = _biggest(data, groups)
    for place, (group, size) in enumerate(wanted):
        expect(event_row(page, place)).to_have_id(f"event-{group}")
        expect(event_row(page, place)).to_contain_text(f"{size} headlines")
    assert "from=2021-08-09" in page.url
    return wanted[0][0]


def _reads_one(page: Page, group: int) -> None:
    page.goto(f"{page.url}&group={group}")
    expect(page.get_by_text(f"event {group} ·").first).to_be_visible(timeout=LONG)
    ready(page)
    assert re.search("other reports? adds? details", said(page))
    assert re.search(r"· (left|right|center)\b", said(page))
    page.get_by_role("tab", name="Why?").click()
    expect(page.get_by_text("They are together.")).to_be_visible()
    ready(page)


def _exports(page: Page, folder: Path) -> tuple[str, Path]:
    export_menu(page)
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = str(page.evaluate("navigator.clipboard.readText()"))
    assert {"data", "from", "to", "group"} <= set(parse_qs(urlsplit(link).query))
    return link, saved(page, "Report (HTML)", folder)


def _reopens(browser: Browser, link: str, group: int, report: Path, data: bytes) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(link)
    expect(page.get_by_role("listbox", name=f"Events of {WORDS}")).to_be_visible(timeout=LONG)
    expect(page.get_by_text(f"event {group} ·").first).to_be_visible()
    ready(page)
    asked: list[str] = []
    context.set_offline(True)
    page.goto(report.as_uri())
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.get_by_role("button", name="Open all").click()
    text = " ".join(page.locator("body").inner_text().split())
    for headline in load(data, "desk.xlsx").texts[::100]:
        assert " ".join(headline.split()) in text
    assert [one for one in asked if not one.startswith(("file:", "data:"))] == []
    context.close()


def _has_numbers_checked(page: Page, data: bytes) -> None:
    page.get_by_role("button", name="Use this headline").click()
    page.get_by_role("button", name="Copy this headline").click()
    expect(page.get_by_role("button", name="Copied").first).to_be_visible()
    suggested = page.evaluate("navigator.clipboard.readText()")
    assert suggested in load(data, "desk.xlsx").texts
    page.get_by_role("button", name="Check its numbers").click()
    expect(page.get_by_role("heading", level=1, name="Check numbers")).to_be_visible()
    line = page.get_by_role("textbox", name="Headlines, one on each line")
    expect(line).to_have_value(suggested)
    page.get_by_role("textbox", name="Article").fill(ARTICLE)
    line.fill(HEADLINE_OF_IT)
    page.get_by_role("button", name="Check the headlines").click()
    expect(page.get_by_role("heading", name="1 headline: 1 wrong")).to_be_visible(timeout=LONG)
    ready(page)


def _biggest(data: bytes, groups: object) -> list[tuple[int, int]]:
    table = load(data, "desk.xlsx").table.assign(group=groups)
    days = table["published"].dt.date
    week = table[(days >= WEEK[0]) & (days <= WEEK[1])].reset_index()
    counts = week.groupby("group").agg(
        size=("index", "size"), outlets=("publisher", "nunique"), first=("index", "min")
    )
    best = counts.sort_values(["size", "outlets", "first"], ascending=[False, False, True]).head(3)
    return [(int(group), int(size)) for group, size in best["size"].items()]
