"""The Archive page: the map sends little, and hover, lasso and search give the right headlines."""

import re

import numpy as np
import pytest
from playwright.sync_api import expect

from core.archive.layout import SPAN
from core.archive.opened import OpenArchive
from tests.archives import made
from tests.browser import serving
from tests.browser.steps import LONG, metric, ready, settled

pytestmark = pytest.mark.browser

COUNT = 20_000
_SENT = """() => performance.getEntriesByType('resource')
  .filter((one) => one.name.includes('/archive-data/'))
  .map((one) => [one.name.split('/').at(-1), one.encodedBodySize, one.decodedBodySize])"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("archives")


@pytest.fixture(scope="module")
def table(folder):
    return made(folder / "user" / "archives" / "storms", COUNT)


@pytest.fixture(scope="module")
def url(folder, table):
    with serving.made(folder) as address:
        yield f"{address}/sources?part=archive&archive=storms"


def drawn(page, address):
    """Opens the page and waits until every point of its map is drawn."""
    page.goto(address)
    expect(page.locator(".archive-map")).to_have_attribute("data-drawn", re.compile(r"\d+"), timeout=LONG)
    ready(page)


def on_screen(page, archive):
    """Where each headline stands in the window while the map shows all of itself, float64 [n, 2]."""
    box = page.locator(".archive-map canvas").bounding_box()
    zoom = min(box["width"], box["height"]) * 0.94 / SPAN
    across = box["x"] + box["width"] / 2 + (archive.x - SPAN / 2) * zoom
    down = box["y"] + box["height"] / 2 + (SPAN / 2 - archive.y.astype(float)) * zoom
    return np.column_stack([across, down])


def surround(page, corners):
    """Draws around a part of the map."""
    page.keyboard.down("Shift")
    page.mouse.move(*corners[0])
    page.mouse.down()
    for corner in [*corners[1:], corners[0]]:
        page.mouse.move(*corner, steps=4)
    page.mouse.up()
    page.keyboard.up("Shift")
    expect(page).to_have_url(re.compile("lasso="), timeout=LONG)
    settled(page)


def inside(places, corners):
    found = np.zeros(len(places), dtype=bool)
    x, y = places.T
    for (x1, y1), (x2, y2) in zip(corners, [*corners[1:], corners[0]], strict=True):
        if y1 != y2:
            found ^= ((y1 <= y) != (y2 <= y)) & (x < x1 + (y - y1) * (x2 - x1) / (y2 - y1))
    return found


def marked(page):
    """How many points stand out on the map, once it shows what the page says."""
    count = int(metric(page, "Headlines").replace(",", ""))
    expect(page.locator(".archive-map")).to_have_attribute("data-marked", str(count), timeout=LONG)
    return count


@pytest.mark.journey
def test_hover_lasso_search_and_click(page, url, folder, table):
    drawn(page, url)
    archive = OpenArchive(folder / "user" / "archives" / "storms")
    sent = {name: sizes for name, *sizes in page.evaluate(_SENT)}
    assert sent["points"][0] == len(archive.points)
    assert sent["points"][1] <= 8 * COUNT
    places = on_screen(page, archive)

    row = int(np.abs(places - places.mean(axis=0)).sum(axis=1).argmin())
    page.mouse.move(places[row, 0] + 60, places[row, 1])
    page.mouse.move(*places[row])
    tip = page.locator(".archive-map .tip")
    expect(tip).to_contain_text("closes the harbour", timeout=LONG)
    shown = re.search(r"no (\d+)", tip.inner_text())
    away = np.linalg.norm(places - places[row], axis=1)
    assert away[int(shown[1])] <= 1.0, "of several points that cover each other, one"

    middle = places.mean(axis=0)
    corners = [(middle[0] + x, middle[1] + y) for x, y in ((-90, -70), (80, -90), (100, 60), (-20, 110))]
    surround(page, corners)
    expected = inside(places, corners)
    count = marked(page)
    assert abs(count - int(expected.sum())) <= 0.05 * COUNT
    assert count < COUNT / 2

    page.get_by_label("Search", exact=True).fill("Kiel")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("words=Kiel"), timeout=LONG)
    ready(page)
    near = inside(places, corners) & table["headline"].str.contains("Kiel").to_numpy()
    assert abs(marked(page) - int(near.sum())) <= max(20, int(0.1 * near.sum()))
    page.get_by_role("button", name="Clear the selection").click()
    ready(page)

    page.mouse.click(*places[row])
    expect(page).to_have_url(re.compile(r"event=\d+"), timeout=LONG)
    ready(page)
    event = int(re.search(r"event=(\d+)", page.url)[1])
    assert away[archive.groups == event].min() <= 12
    assert marked(page) == int((archive.groups == event).sum())
    page.reload()
    expect(page.locator(".archive-map")).to_have_attribute("data-marked", re.compile(r"\d+"), timeout=LONG)
    assert marked(page) == int((archive.groups == event).sum())
