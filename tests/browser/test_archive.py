"""The map of an archive sends little; hover, lasso, search, fingers and keys give the right headlines."""

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from core.archive.kept import SHIPPED
from core.archive.opened import OpenArchive
from core.archive.points import SPAN
from tests.archives import made
from tests.browser.conftest import ARCHIVED
from tests.browser.pages import press, reach
from tests.browser.steps import LONG, ready, settled, violations
from tests.browser.steps import made as served

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
    with served(folder) as address:
        yield f"{address}/sources?part=archive&archive=storms"


def drawn(page, address):
    """Opens the page and waits until every point of its map is drawn."""
    page.goto(address)
    expect(page.locator(".point-map")).to_have_attribute("data-drawn", re.compile(r"\d+"), timeout=LONG)
    ready(page)


def on_screen(page, archive):
    """Where each headline stands in the window while the map shows all of itself, float64 [n, 2]."""
    box = page.locator(".point-map canvas").bounding_box()
    zoom = 0.94 * min(box["width"] / np.ptp(archive.x), box["height"] / np.ptp(archive.y))
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


def selected(page):
    """How many headlines the line beside the map counts."""
    line = page.get_by_text(re.compile(r"^[\d,]+ headlines? · ")).inner_text()
    return int(line.split()[0].replace(",", ""))


def marked(page):
    """How many points stand out on the map, once it shows what the page says."""
    count = selected(page)
    expect(page.locator(".point-map")).to_have_attribute("data-marked", str(count), timeout=LONG)
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
    tip = page.locator(".point-map .tip")
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
    listed = page.locator(".st-key-archive-lines li").first.bounding_box()
    beside = page.locator(".point-map").bounding_box()
    assert listed["x"] > beside["x"] + beside["width"], "headlines of a chosen group stand beside the map"
    assert listed["y"] < beside["y"] + beside["height"]
    assert marked(page) == int((archive.groups == event).sum())
    page.reload()
    expect(page.locator(".point-map")).to_have_attribute("data-marked", re.compile(r"\d+"), timeout=LONG)
    assert marked(page) == int((archive.groups == event).sum())


Place = tuple[float, float]
ADDRESS = "/sources?part=archive&archive=storms"


@pytest.fixture
def phone(browser):
    # So tall that a tap on what stands below the map does not scroll.
    context = browser.new_context(
        viewport={"width": 390, "height": 2000}, has_touch=True, is_mobile=True, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(LONG)
    yield page
    context.close()


def move(fingers, *paths, steps=8):
    """Puts down a finger for each path, one after the other, draws them along it together and lifts them."""

    def send(kind, part, count=None):
        points = [
            {"x": x + part * (to_x - x), "y": y + part * (to_y - y), "id": number}
            for number, ((x, y), (to_x, to_y)) in enumerate(paths[:count])
        ]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    for count in range(1, len(paths) + 1):
        send("touchStart", 0, count)
    for step in range(1, steps + 1):
        send("touchMove", step / steps)
    for count in range(len(paths) - 1, -1, -1):
        send("touchEnd", 1, count)


def chosen(page, place):
    """Taps a place of the map; the group that it chooses."""
    page.touchscreen.tap(*place)
    expect(page).to_have_url(re.compile(r"event=\d+"), timeout=LONG)
    ready(page)
    event = int(re.search(r"event=(\d+)", page.url)[1])
    page.get_by_role("button", name="Clear the selection").tap()
    expect(page).not_to_have_url(re.compile("event="), timeout=LONG)
    ready(page)
    return event


def test_fingers_move_and_pinch_the_map(phone, archive_url, archive):
    drawn(phone, archive_url + ADDRESS)
    expect(phone.locator(".point-map .key")).to_contain_text("dot")
    assert phone.locator(".point-map .field").get_attribute("d") == "", "nothing is chosen yet"
    phone.locator(".point-map").scroll_into_view_if_needed()
    box = phone.locator(".point-map canvas").bounding_box()
    middle = np.array([box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    fingers = phone.context.new_cdp_session(phone)
    begin = on_screen(phone, archive)
    page_at = phone.evaluate("scrollY")

    # A headline near the middle, so that it stays in the window.
    row = int(np.abs(begin - middle).sum(axis=1).argmin())
    pan = np.array([40.0, -60.0])
    move(fingers, (tuple(middle), tuple(middle + pan)))
    assert "event=" not in phone.url, "who moves the map chooses nothing"
    moved = begin + pan
    assert chosen(phone, tuple(moved[row])) == archive.groups[row]

    # Twice as far apart around a place that both fingers keep.
    held = middle + np.array([10.0, 5.0])
    apart = np.array([35.0, 0.0])
    move(
        fingers,
        (tuple(held - apart), tuple(held - 2 * apart)),
        (tuple(held + apart), tuple(held + 2 * apart)),
    )
    assert "event=" not in phone.url, "who pinches chooses nothing"
    pinched = held + 2 * (moved - held)
    # Near the middle: the map follows an event that is chosen at its edge.
    for row in np.abs(pinched - middle).max(axis=1).argsort()[:2]:
        assert chosen(phone, tuple(pinched[row])) == archive.groups[row]
    assert phone.evaluate("scrollY") == page_at, "the page itself stays"


def contrast(*colours):
    parts = np.array(colours) / 255
    low, high = sorted(
        np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4) @ (0.2126, 0.7152, 0.0722)
    )
    return (high + 0.05) / (low + 0.05)


_RINGED = """(map) => {
  const [ring, frame] = [".field", "canvas"].map((one) => map.querySelector(one).getBoundingClientRect());
  return [Math.max(ring.height, ring.width) / Math.min(frame.height, frame.width), frame.height];
}"""


@pytest.mark.parametrize("width", [1280, 820, 390])
def test_a_group_that_a_page_opens_with_fills_two_fifths_of_the_map(page, archive_url, archive, width):
    sizes = archive.events["headlines"].to_numpy()
    event = archive.events.iloc[int(np.flatnonzero(sizes > 2)[-1])]
    page.set_viewport_size({"width": width, "height": 1000})
    drawn(page, f"{archive_url}{ADDRESS}&event={event['group']}")
    marked(page)
    expect(page.locator(".key .darker")).to_be_hidden()
    share, high = page.locator(".point-map").evaluate(_RINGED)
    assert 0.37 <= share <= 0.47
    assert width != 820 or high < 360, "the list is in sight"
    if width < 820:
        assert page.locator(".listed > button").count() == 0, "its title and size stand below once"
        assert page.locator(".listed summary").count() <= 1


@pytest.mark.parametrize("width", [1280, 390])
def test_an_archive_names_its_largest_groups_or_gives_them_the_numbers_of_the_list(page, app_url, width):
    page.set_viewport_size({"width": width, "height": 844})
    drawn(page, f"{app_url}/sources?part=archive")
    shipped = OpenArchive(SHIPPED)
    expect(page.locator(".names span").nth(9)).to_be_visible(timeout=LONG)
    expect(page.locator(".key .darker")).to_be_visible(visible=width > 640)
    largest = [" ".join(title.split()) for title in shipped.events["title"][:10]]
    listed = [line.split("\n")[:2] for line in page.locator(".listed button").all_inner_texts()]
    assert listed == [[str(place), title] for place, title in enumerate(largest, 1)]
    said = [" ".join(name.split()).rstrip("… ") for name in page.locator(".names span").all_inner_texts()]
    numbers = {int(name) for name in said if name.isdecimal()}
    assert len(numbers) == 10 if width == 390 else numbers
    names = [name for name in said if not name.isdecimal()]
    numbered = [f"{place} {title}" for place, title in enumerate(largest, 1)]
    called = {place for place, title in enumerate(numbered, 1) for name in names if title.startswith(name)}
    assert numbers | called == set(range(1, 11)), "each has a name or a number"
    assert len(called) == len(names), "and no other group has either"
    assert all(name.split()[0].isdecimal() for name in names), "each is found in the list"
    # A number stands on its own cluster.
    spots = on_screen(page, shipped)
    for name in page.locator(".names span").all():
        if (place := name.inner_text()).isdecimal():
            own = spots[shipped.groups == shipped.events["group"].iloc[int(place) - 1]]
            at = name.bounding_box()
            middle = np.array([at["x"] + at["width"] / 2, at["y"] + at["height"] / 2])
            assert (own.min(axis=0) <= middle).all(), place
            assert (middle <= own.max(axis=0)).all(), place


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_beside_a_chosen_group_is_seen(page, app_url, scheme):
    page.emulate_media(color_scheme=scheme)
    group = OpenArchive(SHIPPED).events["group"].iloc[0]
    drawn(page, f"{app_url}/sources?part=archive&event={group}")
    marked(page)
    page.locator(".point-map").evaluate(
        "map => map.querySelectorAll('.names, svg').forEach((one) => one.remove())"
    )
    shot = Image.open(io.BytesIO(page.locator(".point-map canvas").screenshot())).convert("RGB")
    paper = shot.getpixel((3, 3))
    greys = [one for _, one in shot.getcolors(1 << 24) if max(one) - min(one) < 12]
    assert max(contrast(grey, paper) for grey in greys) >= 2


def test_an_archive_is_read_with_the_keys_alone(page, archive_url):
    drawn(page, archive_url + ADDRESS)
    canvas = page.get_by_role("application")
    canvas.focus()
    for key in ("+", "+", "ArrowLeft", "ArrowUp", "-", "0", "+"):
        canvas.press(key)
    expect(page.locator(".point-map.keys")).to_be_visible()
    assert violations(page) == []
    press(page, page.get_by_label("Search", exact=True), *"Kiel", "Enter")
    expect(page).to_have_url(re.compile("words=Kiel"))
    ready(page)

    # Typed days count when the keys leave them.
    press(page, page.get_by_role("button", name="Filters"), "Enter")
    reach(page, page.get_by_role("spinbutton", name="day, Days start date"))
    for key in ("0", "9", *["Tab"] * 5):
        page.keyboard.press(key)
    expect(page).to_have_url(re.compile("first=2024-05-09"))
    ready(page)
    page.keyboard.press("Escape")
    assert 0 < selected(page) < ARCHIVED / 5

    # A line of the list of groups.
    press(page, page.locator(".listed button").first, "Enter")
    expect(page).to_have_url(re.compile(r"event=\d+"))
    ready(page)
    press(page, page.get_by_role("button", name="Clear the selection"), "Enter")
    expect(page).not_to_have_url(re.compile("event="))


@pytest.mark.journey
def test_a_file_is_sent_made_an_archive_and_searched_by_meaning(page, tmp_path):
    lines = [f"Storm {at} closes the harbour of Genoa,2024-05-{1 + at % 9:02}" for at in range(30)]
    lines += ["US employers advertised more jobs,2024-05-03", "Job openings fall in January,2024-05-04"]
    news = tmp_path / "May news.csv"
    news.write_text("\n".join(["headline,date", *lines]))
    with served(tmp_path) as address:
        drawn(page, f"{address}/sources?part=archive")
        page.get_by_role("button", name="Your own archive").click()
        form = page.get_by_test_id("stForm").filter(has_text="For months of news")
        form.locator("input[type=file]").set_input_files(news)
        expect(form.get_by_text("May news.csv")).to_be_visible(timeout=LONG)
        assert violations(page) == []
        form.get_by_role("button", name="Make the archive").click()
        expect(page).to_have_url(re.compile("archive=may-news"), timeout=LONG)
        expect(form).not_to_be_visible()
        ready(page)
        assert selected(page) == 32
        page.get_by_text("By meaning", exact=True).click()
        ready(page)
        page.get_by_label("Search", exact=True).fill("joblessness")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("meaning=yes"), timeout=LONG)
        expect(page.get_by_role("heading", name="Nearest in meaning")).to_be_visible(timeout=LONG)
        ready(page)
        assert violations(page) == []
        listed = page.locator(".st-key-archive-lines")
        expect(listed).to_contain_text("Job openings fall in January", timeout=LONG)
        page.reload()
        expect(page.get_by_role("heading", name="Nearest in meaning")).to_be_visible(timeout=LONG)
