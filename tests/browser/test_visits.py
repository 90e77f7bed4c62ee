"""One visit of each page: its first screen, axe-core on every state, and its main task by keyboard alone.

A first screen has its picture, few controls, useful Tab stops and nothing beyond the window. No rule of
axe-core is off: it looks at each page wide in light and narrow in dark, and at each state in one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from components.charts.theme import DARK, LIGHT
from tests.browser.axe import violations
from tests.browser.conftest import PATIENCE
from tests.browser.pages import PAGES, SERVERS, STOPS
from tests.browser.serving import ROOT
from tests.browser.steps import LONG, TWO_FRAMES, controls, opened, saved, settled
from tests.cli.calling import Call

pytestmark = pytest.mark.browser

WIDE, NARROW = (1280, 900), (390, 844)
Look = tuple[tuple[int, int], Literal["light", "dark"]]
LOOKS: Final[list[Look]] = [(WIDE, "light"), (NARROW, "dark")]
HIGHEST = 8_000
SIZES: Final = ((1280, 800), (820, 1180), (390, 844))
ZOOMED: Final = (640, 400)
"""A window of 1280 × 800 at 200 %."""
MOST_CONTROLS: Final = 12
FIRST_STOPS: Final = 5

_FIRST_STOP = """() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const name = at.ariaLabel || at.innerText || at.tagName;
  const useless = /^(help|link to heading|fullscreen|show data)/i.test(at.ariaLabel ?? '')
    || at.closest('[data-testid="stElementToolbar"]') || at.closest('[data-testid="stHeaderActionElements"]');
  const over = at === document.body || at.innerText?.startsWith('Skip to main content');
  return { name, useless: Boolean(useless), over };
}"""
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


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", PAGES)
def test_a_visit(visitor: Page, request: pytest.FixtureRequest, name: str) -> None:
    address, title, picture, steps = PAGES[name]
    visitor.goto(request.getfixturevalue(SERVERS.get(name, "app_url")) + address)
    expect(visitor.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text(title)
    if picture:
        drawn = visitor.locator(f":is({picture}):visible").first
        expect(drawn).to_be_visible(timeout=LONG)
    settled(visitor)
    assert visitor.locator("html").get_attribute("lang") == "en"
    if name != "join":
        expect(visitor).to_have_title(f"{title} · Headline Lab")
    past_the_menu(visitor)
    if picture:
        first_screen(visitor, drawn)
    found = [line for look in LOOKS for line in broken_rules(visitor, look, "at first")]
    for number, step in enumerate(steps, 1):
        looked_at(visitor, (WIDE, "light"))
        step(visitor)
        found += broken_rules(visitor, LOOKS[number % 2], f"step {number}")
    assert found == []


def past_the_menu(page: Page) -> None:
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stMain")).to_be_focused()


def first_screen(page: Page, picture: Locator) -> None:
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
    for width, height in (*SIZES, ZOOMED):
        page.set_viewport_size({"width": width, "height": height})
        page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
        page.wait_for_timeout(400)
        assert page.evaluate(_WIDE) <= 0, f"scrolls sideways at {width}"
        box = picture.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 1
        seen = min(box["y"] + box["height"], height) - max(box["y"], 0)
        # The whole of it, or as much as fills a good part of the screen; at 200 % it may be scrolled to.
        if (width, height) != ZOOMED:
            assert seen >= min(box["height"], 0.4 * height), f"{seen:.0f} of {box} at {width} × {height}"


def looked_at(page: Page, look: Look) -> None:
    """Takes a window of that size in that theme, and waits where it is another one."""
    (width, height), scheme = look
    before = page.viewport_size, page.evaluate(f"matchMedia('(prefers-color-scheme: {scheme})').matches")
    size = {"width": width, "height": height}
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(size)
    if before != (size, True):
        settled(page)


def broken_rules(page: Page, look: Look, when: str) -> list[str]:
    """What axe finds in a window that is high enough for the whole page: it sees what is in sight."""
    looked_at(page, look)
    (width, height), scheme = look
    whole = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    if whole > height:
        page.set_viewport_size({"width": width, "height": min(whole, HIGHEST)})
        page.evaluate(TWO_FRAMES)
    return [f"{when}, {scheme}, {width}: {line}" for line in violations(page)]


def test_axe_finds_nothing_in_files_that_are_exported(
    visitor: Page, app_url: str, tmp_path: Path, command: Call
) -> None:
    reports = []
    for address, title in (("/", "Timeline"), ("/check_numbers?show=one&article=1", "Check numbers")):
        opened(visitor, app_url + address, title)
        reports.append(saved(visitor, "Report (HTML)", tmp_path))
    outputs = ROOT / "samples/articles/outputs.jsonl"
    wanted = (
        "--articles",
        "sample:articles",
        "--metrics",
        "rouge",
        "--quiet",
        "--out",
        tmp_path / "compared",
    )
    assert command("compare", outputs, *wanted)[0] == 0
    reports.append(tmp_path / "compared" / "report.html")
    found: list[str] = []
    for path in reports:
        visitor.goto(path.as_uri())
        for (width, height), scheme in LOOKS:
            visitor.emulate_media(color_scheme=scheme)
            visitor.set_viewport_size({"width": width, "height": height})
            found += [f"{path.name}, {scheme} {width}: {line}" for line in violations(visitor)]
    assert found == []


def test_pictures_follow_the_readers_theme(visitor: Page, app_url: str) -> None:
    opened(visitor, f"{app_url}/?show=lanes", "Timeline")
    name_of_event = visitor.locator(".js-plotly-plot .annotation text").first
    for scheme, ink in (("light", LIGHT), ("dark", DARK), ("light", LIGHT)):
        visitor.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        red, green, blue = (int(ink.text[at : at + 2], 16) for at in (1, 3, 5))
        expect(name_of_event).to_have_css("fill", f"rgb({red}, {green}, {blue})")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_keyboards_place_is_seen(browser: Browser, app_url: str, scheme: Any) -> None:
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    seen: dict[str, bool] = {}
    for address, title in (("/?group=3", "Timeline"), ("/check_numbers?show=one&article=1", "Check numbers")):
        opened(page, app_url + address, title)
        for _ in range(STOPS):
            page.keyboard.press("Tab")
            stop = page.evaluate(STOP)
            if stop is None:
                break
            if stop["kind"] not in seen:
                page.wait_for_timeout(200)
                clip = page.evaluate(STOP)["clip"]
                with_focus = page.screenshot(clip=clip)
                page.evaluate(f"() => {{ {ACTIVE} window.left = at; at.blur(); }}")
                page.wait_for_timeout(200)
                seen[stop["kind"]] = page.screenshot(clip=clip) != with_focus
                page.evaluate("window.left.focus()")
    context.close()
    assert len(seen) > 15
    assert [kind for kind, visible in seen.items() if not visible] == []
