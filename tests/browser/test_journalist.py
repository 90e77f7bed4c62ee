"""The journalist's day: a spreadsheet in, a card read on a phone, a story checked and sent on."""

import csv
import gzip
import io
from datetime import datetime
from typing import Any

import pytest
from openpyxl import Workbook
from playwright.sync_api import expect

from core.data.timelines.samples import load_sample
from tests.browser.steps import LONG, event_row, export_menu, opened, ready, said, saved

NAMES = (
    "Nr.",
    "Überschrift / hed\n(as published)",
    "Wann?\n(online)",
    None,
    "Outlet name",
    "Leaning",
    "Link to the piece",
)
HEADLINE, DATE = "Überschrift / hed (as published)", "Wann? (online)"

Row = tuple[Any, ...]


def rows_of(shared):
    """The AllSides headlines in the order of their file, as pandas or a person would read them."""
    with gzip.open(shared / "data/allsides_stories/allsides_stories.csv.gz", "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def workbook(shared):
    """The workbook, and what is wrong in it."""
    given = [_row(number, row) for number, row in enumerate(rows_of(shared), 1)]
    bad = _bad(given)
    lines = [
        ("Headlines monitored by the desk, April to September 2021",),
        ("Sources: home pages. Ask the night desk before changing anything.",),
        (),
        NAMES,
    ]
    wrong = {}
    for number, row in enumerate(given):
        lines.append(row)
        if number == 1_000:
            lines.append((f"{number}b", *row[1:]))
        if number % 120 == 50 and bad:
            cells, column, value, reason = bad.pop(0)
            lines.append(cells)
            wrong[len(lines)] = (column, value, reason)
    lines.append(())
    lines.append(("Total", len(given), None, None, "12 outlets"))
    wrong[len(lines)] = (HEADLINE, str(len(given)), "number")
    assert not bad
    book = Workbook()
    cover = book.active
    cover.title = "Read me"
    cover.append(["Night desk", "Please add new rows at the bottom of the second sheet."])
    sheet = book.create_sheet("Headlines")
    for cells in lines:
        sheet.append(list(cells))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue(), wrong


def _row(number, row):
    when = datetime.fromisoformat(row["story_date"]).replace(tzinfo=None)
    # Some colleagues type dates instead of entering them.
    shown = f"{when:%d.%m.%Y}" if number % 9 == 0 else when
    return (number, row["title"], shown, None, row["source"], row["side"], row["url"])


def _bad(rows):
    def like(number, *, headline=None, date=None):
        _, title, when, *rest = rows[number]
        return (number + 0.5, headline if headline is not None else title, date or when, *rest)

    week = ("Week 32", None, None, None, None, None, None)
    return [
        (like(40, headline="   "), HEADLINE, "", "empty"),
        (like(43, headline="#REF!"), HEADLINE, "#REF!", "formula failed"),
        (like(45, headline=4711), HEADLINE, "4711", "number"),
        (NAMES, HEADLINE, HEADLINE, "repeats the names"),
        (week, HEADLINE, "", "empty"),
        (like(46, headline="Sent by the agency as one block. " * 80), HEADLINE, "Sent by", "characters"),
    ]


pytestmark = pytest.mark.browser

ARTICLE = (
    "New York Governor Andrew Cuomo said on Tuesday that he would resign in 14 days. An inquiry by the "
    "attorney general found that he had harassed 11 women. Lieutenant Governor Kathy Hochul, 62, follows him."
)
HEADLINE_OF_IT = "Cuomo to resign in 14 days after report that he harassed 12 women"


@pytest.fixture
def desk(app_url, shared):
    """The address of the app, the workbook, and what is wrong in it."""
    if not (shared / "data/allsides_stories/allsides_stories.csv.gz").is_file():
        pytest.skip("the AllSides headlines are not on this machine")
    data, wrong = workbook(shared)
    return app_url, data, wrong


def given(page, url, data):
    """Gives the workbook and loads it as it was understood."""
    opened(page, f"{url}/sources", "Sources")
    page.locator("input[type=file]").set_input_files(
        {"name": "desk.xlsx", "mimeType": "application/octet-stream", "buffer": data}
    )
    expect(page.get_by_text("1,118 rows")).to_be_visible(timeout=LONG)
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_text("1,111 headlines are open.")).to_be_visible(timeout=LONG)
    ready(page)


@pytest.mark.journey
def test_on_a_phone_a_sheet_is_loaded_and_a_card_read(browser, desk, tmp_path):
    url, data, wrong = desk
    context = browser.new_context(viewport={"width": 390, "height": 844}, accept_downloads=True)
    page = context.new_page()
    given(page, url, data)
    _sees_what_was_excluded(page, wrong, tmp_path)
    page.get_by_role("link", name="See the groups").click()
    expect(page.locator(".st-key-facts")).to_be_visible(timeout=2 * LONG)
    ready(page)
    page.goto(f"{page.url}&from=2021-08-09&to=2021-08-15")
    ready(page)
    event_row(page, 1).click()
    ready(page)
    expect(page.locator(".st-key-event-card h2")).to_be_in_viewport()
    expect(page.get_by_role("tab", name="Reports")).to_be_visible()
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    context.close()


def _sees_what_was_excluded(page, wrong, folder):
    shown = page.get_by_test_id("stTable").locator("tbody tr")
    expect(shown).to_have_count(len(wrong))
    file = saved(page, f"The {len(wrong)} excluded rows (CSV)", folder)
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
    assert "line 1012 repeats line 1011" in said(page)


def test_a_story_is_checked_and_sent_on(browser, app_url, tmp_path):
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=app_url)
    page = context.new_page()
    opened(page, f"{app_url}/?group=1&granularity=0.5", "Timeline")
    title = page.locator(".st-key-event-card h2").inner_text()
    export_menu(page)
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = str(page.evaluate("navigator.clipboard.readText()"))
    report, given = (saved(page, label, tmp_path) for label in ("Report (HTML)", "Interactive page"))

    other = browser.new_context()
    colleague = other.new_page()
    colleague.goto(link)
    expect(colleague.locator(".st-key-event-card h2")).to_have_text(title)
    ready(colleague)
    asked = []
    other.set_offline(True)
    colleague.on("request", lambda request: asked.append(request.url))
    colleague.goto(report.as_uri())
    colleague.get_by_role("button", name="Open all").click()
    text = " ".join(colleague.locator("body").inner_text().split())
    assert all(" ".join(headline.split()) in text for headline in load_sample().texts)
    colleague.goto(given.as_uri())
    colleague.get_by_role("searchbox").fill(title)
    expect(colleague.locator("#card h2")).to_have_text(title)
    assert [one for one in asked if not one.startswith(("file:", "data:"))] == []
    other.close()

    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Best headline").click()
    page.get_by_role("button", name="Copy this headline").click()
    expect(page.get_by_role("button", name="Copied").first).to_be_visible()
    suggested = page.evaluate("navigator.clipboard.readText()")
    assert suggested in load_sample().texts
    page.get_by_role("button", name="Check its numbers").click()
    expect(page.get_by_role("heading", level=1, name="Check numbers")).to_be_visible()
    line = page.get_by_role("textbox", name="Headlines, one on each line")
    expect(line).to_have_value(suggested)
    page.get_by_role("textbox", name="Article").fill(ARTICLE)
    line.fill(HEADLINE_OF_IT)
    page.get_by_role("button", name="Check the headlines").click()
    verdict = page.locator(".linked .verdict h2")
    expect(verdict).to_contain_text("wrong", timeout=LONG)
    expect(verdict.locator(".sign")).to_have_text("✗")
    context.close()
