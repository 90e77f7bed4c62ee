"""Each page's main task by keyboard alone: nothing here touches a mouse."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.steps import LONG, metric, opened, ready

pytestmark = pytest.mark.browser

FOCUSED = "e => e.getRootNode().activeElement === e"
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
ASKED = """() => document.addEventListener('click', (event) => {
  if (!event.target.matches('input[type="file"]')) return;
  event.preventDefault();
  window.askedForFile = true;
}, true)"""
STOPS = 120
"""Presses of Tab after which a control counts as out of reach."""


def reach(page: Page, control: Locator, most: int = STOPS) -> None:
    """Presses Tab until the control has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if control.evaluate(FOCUSED):
            return
    pytest.fail(f"Tab does not reach {control}")


def press(page: Page, control: Locator, *keys: str) -> None:
    """Goes to a control and presses keys on it."""
    reach(page, control)
    for key in keys:
        page.keyboard.press(key)
    ready(page)


def choose_tab(page: Page, name: str) -> None:
    """Goes from the first tab of a card to another, and opens it; again where the page drew the tabs anew."""
    wanted = page.get_by_role("tab", name=name)
    for _ in range(3):
        ready(page)
        reach(page, page.get_by_role("tab", name="Reports"))
        for _ in range(4):
            page.keyboard.press("ArrowRight")
            if wanted.evaluate(FOCUSED):
                page.keyboard.press("Enter")
                expect(wanted).to_have_attribute("aria-selected", "true")
                return ready(page)
    pytest.fail(f"The arrow keys do not reach the tab {name}")


def grid(page: Page, place: int = 0) -> Locator:
    return page.get_by_test_id("data-grid-canvas").nth(place)


def test_an_event_is_chosen_and_read(page: Page, app_url: str) -> None:
    opened(page, app_url, "Timeline")
    press(page, page.get_by_role("slider", name="Narrower ↔ broader"), "ArrowLeft")
    assert "granularity=" in page.url
    press(page, page.get_by_role("button", name="Back to the suggested"), "Enter")
    assert "granularity=" not in page.url
    press(page, page.get_by_role("listbox", name="Events"), "ArrowDown")
    expect(page).to_have_url(re.compile(r"group=\d+"))
    choose_tab(page, "Why?")
    expect(page.get_by_text("They are together")).to_be_visible()
    press(page, page.get_by_role("button", name="Export"), "Enter")
    press(page, page.get_by_role("button", name="Report (HTML)"))


def test_an_event_is_corrected_and_the_correction_undone(browser: Browser, cold_url: str) -> None:
    """On a server of its own: what is corrected stays for all."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(LONG)
    opened(page, f"{cold_url}/?group=1", "Timeline")
    choose_tab(page, "Correct")
    box = page.locator(".st-key-event-card").get_by_role("checkbox").first
    press(page, box, "Space")
    expect(box).to_be_checked()
    press(page, page.get_by_role("button", name="Split off", exact=True), "Enter")
    bar = page.locator(".st-key-corrections")
    expect(bar).to_contain_text("1 correction")
    press(page, page.get_by_role("textbox", name="Title"), "x", "z", "Shift+Z")
    expect(bar).to_contain_text("1 correction")
    expect(page.get_by_role("textbox", name="Title")).to_have_value("xzZ")
    reach(page, page.get_by_role("button", name="Save", exact=True))
    page.keyboard.press("z")
    expect(bar).to_contain_text("0 corrections")
    ready(page)
    page.keyboard.press("Shift+Z")
    expect(bar).to_contain_text("1 correction")
    page.close()


def test_headlines_of_the_map_are_chosen_in_its_table(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/map", "Map")
    press(page, grid(page), "ArrowDown", "Shift+Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Space")
    ready(page)
    expect(page.get_by_role("heading", name="Why together, or apart?")).to_be_visible()
    expect(page).to_have_url(re.compile(r"rows=\d+(,|%2C)\d+"))


def test_pasted_lines_are_loaded_and_a_file_is_asked_for(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/open", "Open a file")
    button = page.get_by_test_id("stFileUploaderDropzone").locator("button")
    reach(page, button)
    page.evaluate(ASKED)
    # The window of the system is not part of the page: what opens it is looked for.
    page.keyboard.press("Enter")
    page.wait_for_function("window.askedForFile")
    reach(page, page.get_by_label("… or pasted headlines"))
    page.keyboard.insert_text("Storm shuts two airports\nTwo airports shut in storm\nBank raises rates\n")
    page.keyboard.press("Control+Enter")
    ready(page)
    press(page, page.get_by_role("button", name="Load these headlines"), "Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Timeline")
    ready(page)
    assert metric(page, "Headlines") == "3"


def test_views_articles_and_systems_are_chosen_on_the_compare_page(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/compare", "Compare")
    press(page, page.get_by_test_id("stMain").get_by_role("button", name="Read").first, "Enter")
    expect(page.get_by_text("Compared with the article")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Articles 1–8 of 40")).to_be_visible()
    ready(page)
    press(page, page.get_by_role("radio", name="Headlines"), "ArrowRight", "Enter")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()


def test_a_number_of_a_headline_is_chosen(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/numerals?show=one&article=1", "Numerals")
    press(page, page.get_by_role("combobox", name="Headline", exact=True), "ArrowDown", "ArrowDown", "Enter")
    numbers = page.locator(".linked .headline button")
    press(page, numbers.last, "Enter")
    expect(numbers.last).to_have_attribute("aria-pressed", "true")


def test_an_article_is_judged(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/evaluate?seed=23", "Evaluate")
    reach(page, page.get_by_label("Your name or initials"))
    page.keyboard.type("Di")
    page.keyboard.press("Enter")
    asked = page.locator(".st-key-evaluate-asking")
    expect(asked).to_contain_text("Headline 1 · Are its numbers correct?")
    ready(page)
    page.keyboard.press("2")
    expect(asked).to_contain_text("How easily is it read")
    ready(page)
    page.keyboard.press("u")
    expect(asked).to_contain_text("Headline 1 · Are its numbers correct?")


def test_a_pair_is_looked_at_and_a_method_chosen(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/pairs", "Pairs")
    press(page, page.get_by_role("radio", name="The table"), "ArrowRight", "Enter")
    expect(page.get_by_text("people say different events")).to_be_visible()
    ready(page)
    opened(page, f"{app_url}/consistency?lab=levenshtein.v1", "Consistency")
    press(page, page.get_by_role("radio", name="Broken triangles"), "ArrowRight", "Enter")
    expect(page.get_by_text("No answer changes when two headlines are swapped.")).to_be_visible()


def test_headlines_are_written_for_a_pasted_article(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/write", "Write")
    press(page, page.get_by_role("radio", name="A pasted article"), "Enter")
    reach(page, page.get_by_label("The article"))
    page.keyboard.insert_text("A storm shut both airports of the island on Monday. Nobody was hurt.")
    page.keyboard.press("Control+Enter")
    ready(page)
    change = page.get_by_role("button", name="Change", exact=True).first
    expect(change).to_be_visible()
    press(page, change, "Enter")
    reach(page, page.get_by_label("The headline").first)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("Storm shuts both airports")
    page.keyboard.press("Control+Enter")
    ready(page)
    expect(page.get_by_text("Storm shuts both airports").first).to_be_visible()


def test_pairs_are_drawn_of_the_open_timeline(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/library", "Library")
    press(page, page.get_by_role("button", name="Research"), "Enter")
    menu = page.get_by_test_id("stTopNavPopover")
    expect(menu).to_be_visible()
    while not menu.get_by_role("menuitem", name="Pair sets").evaluate(FOCUSED):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pair sets")
    ready(page)
    ratio = page.get_by_label("Negatives for each positive")
    made = page.get_by_text(re.compile(r"pairs: .* same event, .* different"))
    before = made.inner_text()
    reach(page, ratio)
    page.keyboard.press("Control+a")
    page.keyboard.type("0.2")
    page.keyboard.press("Enter")
    ready(page)
    expect(made).not_to_have_text(before)
    reach(page, page.get_by_role("button", name="CSV", exact=True).last)
    with page.expect_download() as download:
        page.keyboard.press("Enter")
    assert download.value.suggested_filename.endswith("-pairs.csv")


def test_a_run_is_started_and_stopped(page: Page, app_url: str) -> None:
    opened(page, f"{app_url}/train", "Train")
    # On the sets that the form opens with it learns for minutes.
    for name in ("Start training", "Stop"):
        button = page.get_by_role("button", name=name, exact=True)
        expect(button).to_be_visible()
        reach(page, button)
        page.keyboard.press("Enter")
    expect(page.get_by_text("Stopped", exact=True)).to_be_visible(timeout=LONG)
    press(page, page.get_by_role("button", name="Delete", exact=True), "Enter")
    press(page, page.get_by_role("button", name="Delete this run"), "Enter")
    expect(page.get_by_text("Nothing has been trained here yet.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_keyboards_place_is_seen(browser: Browser, app_url: str, scheme: Any) -> None:
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    seen: dict[str, bool] = {}
    for address, title in (("/?group=3", "Timeline"), ("/numerals?show=one&article=1", "Numerals")):
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
