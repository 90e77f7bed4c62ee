"""An event from all sides, on the story of a rising toll, a shipped sample and an archive."""

import csv
import re
from io import StringIO

import pytest
from playwright.sync_api import expect

from components.frame.figure_table import ALL_FIGURES
from core.data.timelines.samples import load_sample
from core.files import ROOT
from core.results.delimited import delimited
from tests.browser.steps import choose, downloaded, give, opened, own_timeline, ready, show, unfold
from tests.unit.events.test_title_language import OTHERS, QUAKE

pytestmark = pytest.mark.browser
TOLL = ROOT / "tests/data/cases/breaking_toll.csv"


def tab(page, name):
    page.get_by_role("tab", name=name).click()
    ready(page)
    return page.locator(".st-key-event-card").get_by_role("tabpanel").filter(visible=True)


def filtered(page, label):
    """Turns a filter on by the words that it begins with."""
    page.get_by_role("button", name="Filters").click()
    ready(page)
    page.get_by_text(re.compile(rf"^{label} \([\d,]+\)$")).click()
    ready(page)
    page.keyboard.press("Escape")


@pytest.mark.skipif(not TOLL.exists(), reason="the case of the rising toll is not there")
def test_a_breaking_story_is_explained_its_columns_are_merged_and_what_is_like_it_is_opened(
    page, app_url, tmp_path
):
    own_timeline(page, app_url, TOLL.name, TOLL.read_text("utf-8"), "&granularity=0.99")
    why = tab(page, "Why?")
    verdict = why.locator("p").filter(has_text="They are").first.inner_text()
    assert len(re.findall(r"[.!?](?=\s|$)", verdict)) == 2
    assert not re.search(r"\d\.\d", verdict)
    figures = why.get_by_text("is needed at this setting")
    expect(figures).to_be_hidden()
    unfold(page, "For researchers")
    expect(figures).to_be_visible()

    tab(page, "Facts")
    page.get_by_role("button", name="Columns").click()
    for head in ("dead", "hurt"):
        name = page.get_by_label(f"Name of “{head}”")
        name.fill("casualties")
        name.press("Enter")
        ready(page)
    page.keyboard.press("Escape")
    heads = page.locator(".st-key-facts-grid thead th")
    expect(heads.filter(has_text=re.compile("^casualties$", re.IGNORECASE))).to_have_count(1)
    page.get_by_role("button", name="Publish this grid").click()
    ready(page)
    rows = list(csv.reader(StringIO(downloaded(page, "CSV", tmp_path))))
    assert [head.casefold() for head in rows[0]].count("casualties") == 1
    assert not {"dead", "hurt"} & {head.casefold() for head in rows[0]}
    assert any("2,056" in cell for row in rows for cell in row)
    page.keyboard.press("Escape")

    like = tab(page, "More like this")
    expect(like.get_by_text("in this event").first).to_be_visible()
    choose(page, "Headline", "Building collapses in Bangkok")
    other = page.locator('[class*="st-key-like-open-"]').get_by_role("button").first
    expect(like).to_contain_text("Bangkok tower collapse")
    other.click()
    heading = page.locator(".st-key-event-card").get_by_role("heading", level=2)
    expect(heading).to_contain_text("Bangkok tower collapse")
    ready(page)

    filtered(page, "Has numbers")
    chips = page.locator(".st-key-chips")
    expect(chips).to_contain_text("Has numbers")
    expect(chips).to_contain_text(re.compile(r"· \d+ of \d+ headlines"))
    page.keyboard.press("x")
    show(page, "Outlets")
    unfold(page, ALL_FIGURES)
    page.locator(".st-key-publish-first").get_by_role("button").click()
    ready(page)
    outlets = {row[0] for row in csv.reader(StringIO(downloaded(page, "CSV", tmp_path)))}
    assert {"Reuters", "AFP", "BBC News"} <= outlets


def test_a_shipped_sample_has_bars_and_a_map_by_side_first_reports_and_an_edit(page, app_url):
    table = load_sample("iss").table
    outlets = sorted(set(table["publisher"]))
    lines = [
        [row.headline, f"{row.published:%Y-%m-%d}", row.publisher, f"https://{at}.example/a"]
        for at, row in enumerate(table.itertuples())
    ]
    edited = [f"{lines[0][0]}, at last", "2019-05-01", lines[0][2], lines[0][3]]
    content = delimited([["headline", "published", "publisher", "url"], *lines, edited])
    side = (["left", "right"][at % 2] for at in range(len(outlets)))
    sides = delimited([["outlet", "side"], *map(list, zip(outlets, side, strict=True))])
    own_timeline(page, app_url, "station.csv", content)
    page.get_by_role("button", name="Filters").click()
    ready(page)
    give(page, [("sides.csv", sides.encode())])
    remove = page.get_by_role("button", name="Remove the table of side")
    expect(remove).to_be_visible()
    ready(page)
    page.keyboard.press("Escape")
    try:
        bars = page.locator(".coverage span")
        assert len(bars.all()) >= 1
        assert all(re.fullmatch(r"(left|right) \d+", bar) for bar in bars.all_inner_texts())
        filtered(page, "Edited by its outlet")
        expect(page.locator(".st-key-chips")).to_contain_text("1 of")
        show(page, "Outlets")
        expect(page.get_by_role("heading", name=re.compile("first"))).to_be_visible()
        expect(page.get_by_text("1 edited headline", exact=True)).to_be_visible()
        expect(page.get_by_test_id("stMain")).to_contain_text("at last")
        page.keyboard.press("x")
        show(page, "Map")
        page.get_by_role("button", name="Filters").click()
        ready(page)
        choose(page, "Colour by", "side")
        page.keyboard.press("Escape")
        legend = page.locator(".st-key-headline-map .legend")
        expect(legend).to_contain_text(re.compile(r"right \(\d+\)"))
        expect(legend).to_contain_text(re.compile(r"left \(\d+\)"))
        assert "colour=outlet.side" in page.url
    finally:
        page.get_by_role("button", name="Filters").click()
        remove.click()
        expect(remove).to_have_count(0)


def test_titles_are_in_the_language_that_is_chosen(page, app_url):
    rows = [[text, f"2026-03-02T{at:02}:00:00Z", f"Wire {at}"] for at, text in enumerate([*QUAKE, *OTHERS])]
    own_timeline(page, app_url, "mixed.csv", delimited([["headline", "published", "publisher"], *rows]))
    titles = page.get_by_role("listbox", name="Events").get_by_role("option").locator(".title")
    for language, title in (("Spanish", QUAKE[:3]), ("English", QUAKE[3:4])):
        page.get_by_role("button", name="Settings").click()
        ready(page)
        choose(page, "Language of titles", language)
        page.keyboard.press("Escape")
        expect(titles.filter(has_text=re.compile("|".join(map(re.escape, title))))).to_have_count(1)
    opened(page, page.url, "Timeline")
    expect(titles.filter(has_text=QUAKE[3])).to_have_count(1)


def test_a_name_narrows_an_archive_and_the_search_is_saved_opened_and_deleted(page, app_url):
    opened(page, f"{app_url}/sources?part=archive&words=ukraine&first=2014-03-10&last=2014-03-11", "Sources")
    menu = page.locator(".st-key-archive-filters").get_by_role("button", name="Filters")
    menu.click()
    ready(page)
    page.get_by_role("button", name=re.compile(r"^Russia \(\d+\)$")).click()
    page.wait_for_url(re.compile(r"words=ukraine(\+|%20)Russia"))
    ready(page)
    name = page.get_by_label("Save this search as")
    if not name.is_visible():
        menu.click()
    name.fill("East")
    page.get_by_role("button", name="Save", exact=True).click()
    saved = page.get_by_role("button", name="East")
    expect(saved).to_be_visible()
    ready(page)
    opened(page, f"{app_url}/sources?part=archive", "Sources")
    menu.click()
    ready(page)
    saved.click()
    page.wait_for_url(re.compile(r"words=ukraine(\+|%20)Russia"))
    ready(page)
    assert "last=2014-03-11" in page.url
    if not saved.is_visible():
        menu.click()
    page.get_by_role("button", name="Delete").click()
    expect(saved).to_have_count(0)
