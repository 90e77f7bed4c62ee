"""Names of outlets and of a table's columns that have no place to break stay in their own."""

import csv
import io

import msgspec
import pytest

from core.events.outlet_table import read_outlet_table
from tests.browser.steps import made, opened, own_timeline, ready

pytestmark = pytest.mark.browser
LONG = "Donaudampfschifffahrtsgesellschaft" * 8
SAID = ("Dam bursts in Harlow valley", "Harlow valley dam bursts", "Dam burst in Harlow valley")
OUTSIDE = """boxes => boxes.filter((box) => {
  const words = document.createRange(); words.selectNodeContents(box);
  return words.getBoundingClientRect().right > box.getBoundingClientRect().right + 1;
}).length"""


@pytest.fixture
def app_url(tmp_path):
    (tmp_path / "user").mkdir()
    table = read_outlet_table(f"outlet,{LONG[:60]}\n{LONG},left\nBeta,right\n".encode(), "outlets.csv")
    (tmp_path / "user" / "outlets.json").write_bytes(msgspec.json.encode(table))
    with made(tmp_path) as url:
        yield url


@pytest.mark.parametrize("width", [1280, 390])
def test_names_without_a_place_to_break_stay_beside_what_they_name(page, app_url, width):
    page.set_viewport_size({"width": width, "height": 844})
    lines = [["publisher", "published", "headline"]]
    names = (LONG, "Beta", "Gamma")
    lines += [
        [name, f"2026-11-01T0{at}:00Z", said] for at, (name, said) in enumerate(zip(names, SAID, strict=True))
    ]
    content = io.StringIO()
    csv.writer(content).writerows(lines)
    own_timeline(page, app_url, "long.csv", content.getvalue(), "&group=1")
    page.locator(".coverage").wait_for()
    assert page.locator(".coverage b, .coverage span").evaluate_all(OUTSIDE) == 0
    data = page.url.partition("data=")[2].partition("&")[0]
    opened(page, f"{app_url}/?data={data}&show=outlets", "Timeline")
    ready(page)
    page.locator(".figures").wait_for()
    assert page.locator(".figures tbody th").evaluate_all(OUTSIDE) == 0
