"""The main job in a real browser: see groups, upload, move the slider, select, take away, reopen."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

CSV = """when;outlet;title
2024-05-01;Alpha Post;Central bank raises rates by a quarter point
2024-05-01;Beta Times;Rates raised a quarter point by central bank
2024-05-02;Gamma News;Central bank lifts interest rates by 0.25 points
2024-05-03;Alpha Post;Storm closes two airports on the coast
2024-05-03;Beta Times;Two coastal airports shut as storm hits
not a date;Beta Times;A row with a date that nobody can read
"""


def open_app(page: Page, url: str, path: str = "") -> None:
    page.goto(url + path)
    expect(page.get_by_test_id("stMetric").first).to_be_visible()
    settle(page)


def settle(page: Page) -> None:
    """Waits until Streamlit has nothing more to do."""
    page.wait_for_timeout(300)
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def no_error(page: Page) -> None:
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_have_count(0)


def metric(page: Page, label: str) -> str:
    found = page.get_by_test_id("stMetric").filter(has_text=label).first
    return found.get_by_test_id("stMetricValue").inner_text()


def point(page: Page, chart: int = 0) -> tuple[float, float]:
    """The middle of the first mark of a chart, in page pixels."""
    mark = page.locator(".js-plotly-plot").nth(chart).locator("path.point").first
    box = mark.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page: Page, x: float, y: float) -> None:
    """A click as a hand makes it: Plotly wants to have seen the pointer arrive."""
    page.mouse.move(x - 5, y - 5)
    page.wait_for_timeout(200)
    page.mouse.move(x, y)
    page.wait_for_timeout(300)
    page.mouse.click(x, y)


def test_opens_on_the_grouped_sample(page: Page, app_url: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_app(page, app_url)
    assert [url for url in asked if not url.startswith((app_url, "data:", "blob:"))] == []
    assert metric(page, "Headlines") == "47"
    assert 5 <= int(metric(page, "Events")) <= 15
    assert float(metric(page, "Pair F1")) > 0.75
    expect(page.locator(".js-plotly-plot path.point").first).to_be_visible()
    no_error(page)


def test_slider_regroups_and_the_link_keeps_it(page: Page, app_url: str) -> None:
    open_app(page, app_url)
    before = metric(page, "Alone")
    slider = page.get_by_role("slider", name="Granularity")
    slider.focus()
    slider.press("Home")
    settle(page)
    assert metric(page, "Alone") == "47"
    assert before != "47"
    assert "granularity=0" in page.url
    page.get_by_role("button", name="Back to the suggested").click()
    settle(page)
    assert metric(page, "Alone") == before
    assert "granularity" not in page.url


def test_selecting_on_the_map_selects_on_the_timeline(page: Page, app_url: str) -> None:
    open_app(page, app_url)
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Map").click()
    expect(page.locator(".js-plotly-plot path.point").first).to_be_visible()
    expect(page.get_by_text("A first picture")).to_have_count(0)
    settle(page)
    click(page, *point(page))
    expect(page.get_by_role("button", name="Clear the selection")).to_be_visible()
    settle(page)
    group = re.search(r"group=(\d+)", page.url)
    assert group is not None
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Timeline").click()
    expect(page.get_by_text(f"event {group[1]} ·").first).to_be_visible()
    settle(page)
    no_error(page)

    page.goto(page.url)
    expect(page.get_by_text(f"event {group[1]} ·").first).to_be_visible()


def test_uploads_a_csv_and_says_what_was_left_out(page: Page, app_url: str, tmp_path: Path) -> None:
    open_app(page, app_url)
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Open a file").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "odd names.csv", "mimeType": "text/csv", "buffer": CSV.encode()}
    )
    expect(page.get_by_text("6 rows")).to_be_visible()
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_text("5 headlines are open.")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="rows that were left out (CSV)").click()
    assert "nobody can read" in Path(download.value.path()).read_text()
    page.get_by_role("link", name="See the groups").click()
    expect(page.get_by_test_id("stMetric").filter(has_text="Headlines").first).to_contain_text("5")
    settle(page)
    assert metric(page, "Events") == "2"
    link = page.url

    page.goto(link)
    expect(page.get_by_test_id("stMetric").filter(has_text="Headlines").first).to_contain_text("5")
    no_error(page)


def test_the_report_opens_offline(page: Page, app_url: str, tmp_path: Path) -> None:
    open_app(page, app_url)
    with page.expect_download() as download:
        page.get_by_role("button", name="Report (HTML)").click()
    report = tmp_path / "report.html"
    download.value.save_as(report)
    page.context.set_offline(True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    expect(
        page.get_by_text("Space Station Crew Safe After Coolant-Pressure Alarm Sounds").first
    ).to_be_visible()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_first_link_to_a_cold_server_has_the_menu(browser: Browser, cold_url: str) -> None:
    page = browser.new_page()
    page.goto(f"{cold_url}/map?granularity=0.6&colour=date")
    expect(page.locator(".js-plotly-plot path.point").first).to_be_visible()
    expect(page.get_by_test_id("stSidebarNav").get_by_role("link", name="Open a file")).to_be_visible()
    assert "/map" in page.url
    assert "granularity=0.6" in page.url
    page.close()


def test_hostile_text_is_text(page: Page, app_url: str) -> None:
    page.goto(f"{app_url}/open")
    hostile = "<img src=x onerror=document.title='owned'> bank raises rates ![x](http://127.0.0.1:9/x) **b**"
    page.get_by_label("pasted headlines").fill(
        f"{hostile}\n{hostile} again\n=1+1 storm closes two airports\n"
    )
    page.get_by_label("pasted headlines").press("Control+Enter")
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_test_id("stMetric").first).to_be_visible()
    settle(page)
    page.goto(page.url + "&group=1")
    expect(page.get_by_text("event 1 ·").first).to_be_visible()
    assert page.title() != "owned"
    assert page.locator("img[src='x']").count() == 0
    no_error(page)
