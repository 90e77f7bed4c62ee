"""The map: names that can be read at any zoom, and what a click, a lasso and the keys select."""

import re
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.steps import LONG, LOOKS, TWO_FRAMES, opened, ready

pytestmark = pytest.mark.browser

_NAMES = LOOKS["names"]
_OUTLINES = """(map, [names, ways]) => ways.flatMap((way) => {
  const [line, box] = [map.querySelector(way), map.querySelector('canvas').getBoundingClientRect()];
  const near = ({ left, right, top, bottom }, x, y) => x > left - 5 && x < right + 5 && y > top - 5
    && y < bottom + 5;
  const spots = Array.from({ length: line.getTotalLength() / 2 }, (_, at) => line.getPointAtLength(2 * at));
  return names.filter((name) => spots.some(({ x, y }) => near(name, x + box.left, y + box.top)));
})"""


def drawn(page, address):
    opened(page, address, "Timeline")
    found = page.locator(".st-key-headline-map .point-map")
    expect(found).to_have_attribute("data-drawn", re.compile(r"\d+"), timeout=LONG)
    expect(found.locator(".names span").first).to_be_attached(timeout=LONG)
    return found


def names_apart(page, found):
    """The names on the map, once none covers another, nor the buttons, nor leaves the map."""
    page.evaluate(TWO_FRAMES)
    names = found.evaluate(_NAMES)
    box, tools = found.bounding_box(), found.locator(".tools").bounding_box()
    for name in names:
        assert name["left"] >= box["x"] - 1, name
        assert name["right"] <= box["x"] + box["width"] + 1, name
    sides = {"left": tools["x"], "top": tools["y"], "said": "the buttons"}
    sides |= {"right": tools["x"] + tools["width"], "bottom": tools["y"] + tools["height"]}
    for name, other in combinations([sides, *names], 2):
        beside = name["right"] <= other["left"] or other["right"] <= name["left"]
        over = name["bottom"] <= other["top"] or other["bottom"] <= name["top"]
        assert beside or over, (name, other)
    return [name["said"] for name in names]


def test_no_name_covers_another_and_more_are_there_the_nearer_one_looks(page, app_url):
    found = drawn(page, f"{app_url}/?show=map&data=uci")
    box, counts = found.bounding_box(), []
    assert leaders_apart(found) > 0
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for _ in range(9):
        counts.append(len(names_apart(page, found)))
        page.mouse.wheel(0, -100)
    # A step of the wheel may move a name out of the window before the next has room: two bring more.
    assert counts[:5:2] == sorted(set(counts[:5:2])), counts
    assert 8 <= counts[0] <= 12  # the picture differs a little from processor to processor
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(600)
    found.get_by_role("button", name="All", exact=True).click()
    numbers = names_apart(page, found)
    assert all(map(str.isdecimal, numbers)), "a phone has numbers alone"
    lines = page.locator(".listed button")
    assert 4 <= len(numbers) <= 10
    assert sorted(lines.locator("b").all_inner_texts(), key=int) == sorted(numbers, key=int)
    lines.first.click()
    expect(lines.first).to_have_attribute("aria-pressed", "true", timeout=LONG)
    assert re.search(r"group=\d+", page.url)
    expect(page.locator(".listed button:visible")).to_have_count(1)  # its card is close


def test_no_name_of_a_small_map_lies_on_a_point(page, app_url):
    found = drawn(page, f"{app_url}/?show=map")
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(600)
        assert names_apart(page, found)
        names, box = found.evaluate(_NAMES), found.locator("canvas").bounding_box()
        lines = "".join(found.locator(way).get_attribute("d") for way in (".rims", ".field"))
        assert lines.count("M") >= 9, "each event has a line around it"
        bare = [name for name in names if not name["said"].isdecimal()]
        assert len(bare) == (10 if width > 640 else 0), "all have names, or all have numbers"
        assert found.evaluate(_OUTLINES, [bare, [".rims", ".field"]]) == [], "names keep off the lines"
        hide = "map => map.querySelectorAll('.names, svg').forEach(one => one.style.visibility = '{}')"
        found.evaluate(hide.replace("{}", "hidden"))
        picture = Image.open(BytesIO(found.locator("canvas").screenshot())).convert("L")
        found.evaluate(hide.replace("{}", ""))
        assert len(names) == 10
        for name in names:
            places = zip(("left", "top", "right", "bottom"), ("x", "y", "x", "y"), strict=True)
            sides = [round(name[side] - box[axis]) for side, axis in places]
            dark, light = picture.crop(sides).getextrema()
            assert light - dark < 30, name


def test_what_lies_apart_is_joined_to_its_event_and_a_chosen_one_alone_is_bold(page, app_url):
    def bold():
        page.evaluate(TWO_FRAMES)
        names = found.locator(".names span")
        assert all(said.count("\n") < 2 for said in names.all_inner_texts())
        look = "names => names.filter(name => name.style.fontWeight > 400).map(name => name.innerText)"
        return names.evaluate_all(look)

    found = drawn(page, f"{app_url}/?show=map")
    assert found.locator(".ties").first.get_attribute("d")
    assert not found.locator(".seen .ties").get_attribute("d")
    assert [said[:12] for said in bold()] == ["Nasa veteran"]
    found = drawn(page, f"{app_url}/?show=map&group=4")
    report = page.locator(".st-key-reports-others p").first
    outlet = report.locator("> :last-child")
    expect(outlet).to_be_visible(timeout=LONG)
    assert outlet.bounding_box()["y"] > report.bounding_box()["y"] + 15, "it has a line of its own"
    expect(found.locator(".seen .ties")).to_have_attribute("d", re.compile("M"), timeout=LONG)
    assert [said[:6] for said in bold()] == ["Rocket"]


def test_more_events_than_names_have_numbers_until_one_looks_nearer(page, app_url):
    found = drawn(page, f"{app_url}/?show=map&granularity=0.3")
    assert all(map(str.isdecimal, names_apart(page, found)))
    expect(page.locator(".listed details > summary")).to_be_visible()
    for _ in range(4):
        found.get_by_role("button", name="Closer").click()
    page.evaluate(TWO_FRAMES)
    said = names_apart(page, found)
    assert said
    assert not any(map(str.isdecimal, said))


def leaders_apart(found):
    """How many lines lead from a name to its point, none of them over a name."""
    lines = re.findall(r"M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)", found.locator(".leaders").get_attribute("d"))
    box = found.bounding_box()
    for x, y, to_x, to_y in (map(float, line) for line in lines):
        for share in (0, 0.25, 0.5, 0.75):
            across, down = box["x"] + x + (to_x - x) * share, box["y"] + y + (to_y - y) * share
            for name in found.evaluate(_NAMES):
                over = (
                    name["left"] + 4 < across < name["right"] - 4
                    and name["top"] + 4 < down < name["bottom"] - 4
                )
                assert not over, (name, across, down)
    return len(lines)


def test_a_click_the_keys_and_a_lasso_select(page, app_url):
    found = drawn(page, f"{app_url}/?show=map")
    canvas, card = found.get_by_role("application"), page.locator(".st-key-event-card h2")
    canvas.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        canvas.press(key)
    tip = found.locator(".tip")
    expect(tip).to_contain_text("event")
    event = re.search(r"event (\d+)", tip.inner_text())[1]
    canvas.press("Enter")
    expect(page).to_have_url(re.compile(rf"group={event}\b"))
    ready(page)
    expect(card).to_be_visible()
    beside, picture = card.bounding_box(), found.bounding_box()
    assert beside["x"] >= picture["x"] + picture["width"]
    assert beside["y"] < picture["y"] + picture["height"]
    assert 0 < int(found.get_attribute("data-marked")) < 47
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(600)
    assert card.bounding_box()["y"] > found.bounding_box()["y"] + found.bounding_box()["height"]
    page.set_viewport_size({"width": 1280, "height": 900})

    canvas.focus()
    canvas.press("Escape")
    expect(page).not_to_have_url(re.compile("group="))
    ready(page)
    left, top = picture["x"] + 20, picture["y"] + 60
    page.keyboard.down("Shift")
    page.mouse.move(left, top)
    page.mouse.down()
    for x, y in ((600, 0), (600, 380), (0, 380), (0, 0)):
        page.mouse.move(left + x, top + y, steps=4)
    page.mouse.up()
    page.keyboard.up("Shift")
    expect(page).to_have_url(re.compile(r"rows=\d+(,|%2C)\d+"))
    ready(page)
    assert 20 < int(found.get_attribute("data-marked")) <= 47
