"""Every place in one session: its first screen wide and narrow, axe-core on every state, and the keyboard.

A first screen has its picture, few controls, useful Tab stops and nothing beyond the window. No rule of
axe-core is off: it looks at each page narrow in dark, and at each of its states wide in light.
"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import made
from tests.browser.pages import PAGES, STOPS
from tests.browser.steps import (
    LONG,
    LOOKS,
    ROOT,
    TWO_FRAMES,
    begun,
    controls,
    faint,
    first_sight,
    opened,
    settled,
    violations,
)

pytestmark = pytest.mark.browser

WIDE, NARROW = (1280, 900), (390, 844)
HIGHEST = 8_000
MOST_CONTROLS = 12
FIRST_SIGHTS = {"timeline", "open", "write", "numbers", "compare", "room", "pairs", "consistency", "library"}
"""Where the menu leads, by the names of `PAGES`; the page that asks for a name is `test_annotate.py`."""
FIRST_STOPS = 5

_FIRST_STOP = LOOKS["stop"]
_WIDE = """() => Math.max(...[document.documentElement, document.querySelector('[data-testid="stMain"]')]
  .map((one) => one.scrollWidth - one.clientWidth))"""
ACTIVE = """let at = document.activeElement;
while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;"""
STOP = f"""() => {{
  {ACTIVE}
  if (at === document.body) return null;
  const boxes = [at, at.closest('label') ?? at].map((one) => one.getBoundingClientRect());
  const [left, top] = ['left', 'top'].map((side) => Math.min(...boxes.map((box) => box[side])) - 8);
  const [right, bottom] = ['right', 'bottom'].map((side) => Math.max(...boxes.map((box) => box[side])) + 8);
  const kind = [at.tagName, at.getAttribute('role') ?? at.type, at.closest('[data-testid]')?.dataset.testid];
  return {{ kind: kind.join(' '), clip: {{
    x: Math.max(left, 0), y: Math.max(top, 0),
    width: Math.min(right, innerWidth) - Math.max(left, 0),
    height: Math.min(bottom, innerHeight) - Math.max(top, 0),
  }} }};
}}"""


@pytest.fixture(scope="session")
def app_url(tmp_path_factory):
    """An app where nobody has opened a file: *Sources* lists what is open among its controls."""
    with made(tmp_path_factory.mktemp("places")) as url:
        yield url


@pytest.mark.parametrize("head", PAGES)
def test_places_are_used_by_keys_fit_a_phone_and_break_no_rule(page, app_url, head):
    found = []
    for name, (address, title, picture, steps) in PAGES[head].items():
        begun(page, app_url)
        page.goto(app_url + address)
        expect(page.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text(title)
        if picture:
            drawn = page.locator(f":is({picture}):visible").first
            expect(drawn).to_be_visible(timeout=LONG)
        settled(page)
        assert page.locator("html").get_attribute("lang") == "en"
        if name in FIRST_SIGHTS:
            first_sight(page)
        past_the_menu(page)
        if picture:
            first_stops(page)
            seen(page, drawn)
        found += [f"{name}: {line}" for line in broken_rules(page)]
        page.emulate_media(color_scheme="dark")
        sized(page, NARROW)
        if picture:
            seen(page, drawn)
        found += [f"{name}, narrow and dark: {line}" for line in broken_rules(page)]
        page.emulate_media(color_scheme="light")
        sized(page, WIDE)
        for number, step in enumerate(steps, 1):
            step(page)
            found += [f"{name}, step {number}: {line}" for line in broken_rules(page)]
    assert found == []


def past_the_menu(page):
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stMain")).to_be_focused()


def first_stops(page):
    assert len(controls(page)) <= MOST_CONTROLS, controls(page)
    reached = []
    for _ in range(FIRST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(_FIRST_STOP)
        if stop["over"]:
            break
        reached.append(stop)
    assert reached
    assert [stop["name"] for stop in reached if stop["useless"]] == []
    page.evaluate("() => document.activeElement?.blur()")
    hints_gone(page)


def hints_gone(page):
    """No hint stands over the page: one of what was pressed stays a moment longer than its button."""
    expect(page.get_by_role("tooltip")).to_have_count(0)


def sized(page, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    settled(page)


def seen(page, picture):
    """The whole of a picture, or as much as fills a good part of the window; nothing beside it."""
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    page.evaluate(TWO_FRAMES)
    assert page.evaluate(_WIDE) <= 0, f"{page.url} scrolls sideways"
    box, window = picture.bounding_box(), page.viewport_size
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= window["width"] + 1
    shown = min(box["y"] + box["height"], window["height"]) - max(box["y"], 0)
    assert shown >= min(box["height"], 0.4 * window["height"]), f"{shown:.0f} of {box} on {page.url}"


def broken_rules(page):
    """What axe finds, and what charts draw too pale, in a window as high as the page."""
    hints_gone(page)
    window = page.viewport_size
    whole = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    if whole > window["height"]:
        page.set_viewport_size({"width": window["width"], "height": min(whole, HIGHEST)})
        page.evaluate(TWO_FRAMES)
    found = violations(page) + faint(page)
    page.set_viewport_size(window)
    return found


def test_axe_finds_nothing_in_a_report_of_compared_headlines(browser, tmp_path, command):
    outputs = ROOT / "samples/articles/outputs.jsonl"
    wanted = ("--articles", "sample:articles", "--metrics", "duplication", "--quiet")
    assert command("compare", outputs, *wanted, "--out", tmp_path / "out")[0] == 0
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((tmp_path / "out/report.html").as_uri())
    assert violations(page) == []
    page.close()


def test_the_keyboards_place_is_seen(browser, app_url):
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    seen = {}
    for address, title in (("/?group=3", "Timeline"), ("/check_numbers?show=one&article=1", "Check numbers")):
        opened(page, app_url + address, title)
        for _ in range(STOPS):
            page.keyboard.press("Tab")
            stop = page.evaluate(STOP)
            if stop is None:
                break
            if stop["kind"] not in seen:
                page.evaluate(TWO_FRAMES)
                clip = page.evaluate(STOP)["clip"]
                with_focus = page.screenshot(clip=clip)
                page.evaluate(f"() => {{ {ACTIVE} window.left = at; at.blur(); }}")
                page.evaluate(TWO_FRAMES)
                seen[stop["kind"]] = page.screenshot(clip=clip) != with_focus
                page.evaluate("window.left.focus()")
        page.emulate_media(color_scheme="dark")
    context.close()
    assert len(seen) > 15
    assert [kind for kind, visible in seen.items() if not visible] == []
