"""Files of one's own: a feed is open in a few clicks, and nothing that was repaired or wrong goes unsaid."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from benchmarks.browser import SERVE, running
from core.files import ROOT
from tests.browser.steps import (
    LONG,
    MOST_CLICKS,
    choose,
    clicks,
    counted,
    downloaded,
    give,
    opened,
    ready,
    said,
    saved,
    settled,
    show,
    turned,
    unfold,
)

CASES = Path(__file__).parents[1] / "data" / "cases"

pytestmark = pytest.mark.browser

ITEM = (
    "<item><title>Storm &amp;mdash; airport closes, flight {n}</title><link>https://a.org/{n}</link>"
    "<pubDate>Tue, 14 Jan 2025 10:0{n}:00 GMT</pubDate></item>"
)
RSS = f"<rss><channel><title>City Desk</title>{''.join(ITEM.format(n=n) for n in range(5))}</channel></rss>"
REPAIRED = (
    "Titel,Quelle,Datum\nn/a,A,2024-05-01\nn/a,B,2024-05-01\n-,C,2024-05-01\nn/a,D,2024-05-01\nn/a,E,2024-05-01\n"
    "Caf&eacute; &mdash; it&#39;s open,A,2024-05-02\nCafÃ© is open again,B,2024-05-02\n"
)

SUMMEVAL = "id,reference,M10,M17,M22\n" + "".join(
    f"{n},Storm {n} closes the airport,Storm {n} shuts airport,Airport is shut by storm {n},Storm over town\n"
    for n in range(6)
)
GLUE = "sentence1,sentence2,label\n" + "".join(
    f"Storm {n} closes the airport,{'Airport shut by storm' if n % 2 else 'Bank raises rates'} {n},{n % 2}\n"
    for n in range(8)
)


def test_a_feed_is_open_in_a_few_clicks(page: Page, app_url: str) -> None:
    opened(page, app_url, "Timeline")
    counted(page)
    turned(page, "Open")
    give(page, [("desk.xml", RSS.encode())])
    expect(page.get_by_text("5 rows read as feed")).to_be_visible()
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_role("heading", level=1, name="Timeline")).to_be_visible(timeout=LONG)
    ready(page)
    assert "Storm — airport closes" in said(page)
    assert clicks(page) <= MOST_CLICKS


def test_what_was_repaired_or_missing_is_said(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/sources", "Sources")
    give(page, [("desk.csv", REPAIRED.encode())])
    for note in ("decoded in 1 cell", "repaired in 1 cell", "taken for missing in 5 cells"):
        expect(page.get_by_text(note).first).to_be_visible()
    expect(page.get_by_role("combobox", name="Outlet", exact=True)).to_have_value("Quelle")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("button", name="Load these headlines")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_text("2 headlines are open.")).to_be_visible()
    expect(page.get_by_text("5 rows were excluded")).to_be_visible()


def test_lanes_of_headlines_without_a_date_are_published(page: Page, app_url: str, tmp_path: Path) -> None:
    opened(page, f"{app_url}/sources", "Sources")
    give(page, [("undated.csv", (ROOT / "tests/data/cases/undated.csv").read_bytes())])
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_role("heading", level=1, name="Timeline")).to_be_visible(timeout=LONG)
    show(page, "Lanes")
    page.get_by_role("button", name="Publish this chart").click()
    drawn = downloaded(page, "SVG", tmp_path)
    assert "Train drivers strike in Spain" in drawn
    assert saved(page, "PNG", tmp_path).read_bytes().startswith(b"\x89PNG")


def test_a_download_that_fails_says_so(page: Page, tmp_path: Path) -> None:
    stored, script, folder = tmp_path / "stored.csv", tmp_path / "one_page.py", tmp_path / "server"
    folder.mkdir()
    script.write_text(
        "from pathlib import Path\n"
        "from components.page import Download, download\n"
        "from components.page import bare_page\n"
        "with bare_page('Files'):\n"
        f"    made = Download('Save', Path({str(stored)!r}).read_bytes, 'table.csv')\n"
        "    download(made, key='save')\n"
    )
    with running([*SERVE[:-1], script], folder) as (url, _):
        page.goto(url)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_test_id("stToast")).to_contain_text("table.csv")
        assert "FileNotFoundError" in (folder / "server.log").read_text()
        stored.write_text("a,b\n")
        assert downloaded(page, "Save", tmp_path) == "a,b\n"


def test_three_systems_of_one_table_are_compared_in_a_few_clicks(page: Page, app_url: str) -> None:
    opened(page, app_url, "Timeline")
    counted(page)
    turned(page, "Compare")
    unfold(page, "Load files or write headlines")
    give(page, [("summeval.csv", SUMMEVAL.encode())])
    page.get_by_role("button", name="Compare these").click()
    expect(page.get_by_text("6 articles, 3 systems")).to_be_visible(timeout=LONG)
    ready(page)
    expect(page.get_by_text("6 articles, 3 systems")).to_be_in_viewport()
    expect(page.get_by_text("Headlines only")).to_be_visible()
    assert all(name in said(page) for name in ("M10", "M17", "M22"))
    assert clicks(page) <= MOST_CLICKS


def test_columns_of_pairs_are_chosen_and_a_mistake_forgets_nothing(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/benchmark", "Benchmark")
    unfold(page, "Your own pairs")
    odd = GLUE.replace("sentence1,sentence2,label", "eins,zwei,urteil").replace(",1\n", ",vielleicht\n")
    give(page, [("odd.csv", odd.encode())])
    add = page.get_by_role("button", name="Add these pairs")
    expect(add).to_be_disabled()
    expect(page.get_by_role("combobox", name="One headline", exact=True)).to_have_value("eins")
    choose(page, "Label", "urteil")
    add.click()
    settled(page)
    expect(page.get_by_text("The label is 'vielleicht', not 0 or 1.")).to_be_visible()
    expect(page.get_by_role("combobox", name="Label", exact=True)).to_have_value("urteil")
    expect(add).to_be_visible()
    give(page, [("glue.csv", GLUE.encode())])
    expect(page.get_by_text("These pairs are now called glue.")).to_be_visible()
    ready(page)
    # A name that is taken is changed where that is said; a file that takes long to refuse is refused there.
    give(page, [("mrpc.tsv", (CASES / "mrpc.tsv").read_bytes())])
    add.click()
    settled(page)
    box, error = page.locator(".st-key-pairs-own-box"), page.get_by_test_id("stAlertContentError")
    expect(box.locator(error)).to_be_visible()
    long = "sentence1,sentence2,label\n" + "Crews fight the fire,The fire is out,1\n" * 400_000
    give(page, [("long.csv", long.encode())])
    settled(page)
    expect(box.locator(error)).to_be_visible()
    expect(error).to_have_count(1)
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
    give(page, [("mrpc.tsv", (CASES / "mrpc.tsv").read_bytes())])
    name = page.get_by_label("Name", exact=True)
    name.fill("paraphrases")
    name.press("Tab")
    settled(page)
    add.click()
    expect(page.get_by_text("These pairs are now called paraphrases.")).to_be_visible()
    ready(page)


def test_a_bad_value_of_a_link_is_said_and_the_rest_is_used(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/?group=999&granularity=0.5", "Timeline")
    said_of_link = page.get_by_text("“group=999” in the link is not the number of an event of these groups.")
    expect(said_of_link).to_be_visible()
    assert "granularity=0.5" in page.url
    turned(page, "Sources")
    expect(said_of_link).to_have_count(0)


def test_a_long_file_is_looked_at_before_all_of_it_is_grouped_and_nothing_runs_on_after_a_stop(
    page: Page, app_url: str
) -> None:
    places = ("harbour", "station", "museum", "airport", "market", "bridge", "school", "stadium")
    lines = [
        f"Fire number {n // 7} closes the {places[n % 8]} of town {n // 7}, report {n}" for n in range(6_300)
    ]
    opened(page, f"{app_url}/sources", "Sources")
    give(page, [("many.csv", ("headline\n" + "\n".join(f'"{line}"' for line in lines)).encode())])
    ready(page)
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_text("A first look at 500 of 6,300 headlines")).to_be_visible(timeout=LONG)
    first_look = page.locator(".st-key-first-look .js-plotly-plot")
    expect(first_look).to_be_visible(timeout=LONG)
    expect(page.get_by_test_id("stStatusWidget")).to_be_hidden()  # ours is the only one
    page.get_by_test_id("stMain").get_by_role("button", name="Stop", exact=True).click()
    expect(page.get_by_text("was stopped")).to_be_visible()
    expect(first_look).to_have_count(0)
    expect(page.get_by_test_id("stProgress")).to_have_count(0)
