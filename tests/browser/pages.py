"""Every place: its address, what people come for, and the states that are looked at one after the other.

A step that ends in `_by_keys` does the main task of its page without a mouse.
"""

import re
from collections.abc import Callable
from secrets import token_hex

import pytest
from playwright.sync_api import Page, expect

from core.files import ROOT
from tests.browser.steps import LONG, metric, ready, show, unfold

FOCUSED = "e => e.getRootNode().activeElement === e"
STOPS = 120
"""Presses of Tab after which a control counts as out of reach."""
ASKED = """() => document.addEventListener('click', (event) => {
  if (!event.target.matches('input[type="file"]')) return;
  event.preventDefault();
  window.askedForFile = true;
}, true)"""

Step = Callable[[Page], object]
FIGURES = "table.figures"


def reach(page, control, most=STOPS):
    """Presses Tab until the control has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if control.evaluate(FOCUSED):
            return
    pytest.fail(f"Tab does not reach {control}")


def press(page, control, *keys):
    reach(page, control)
    for key in keys:
        page.keyboard.press(key)
    ready(page)


def choose_tab(page, name):
    """Goes by arrow keys from the first tab of the card, which is open, to another, and opens it."""
    ready(page)
    tabs = page.locator(".st-key-event-card").get_by_role("tab")
    reach(page, tabs.first)
    for at in range(1, tabs.all_inner_texts().index(name) + 1):
        page.keyboard.press("ArrowRight")
        expect(tabs.nth(at)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
    ready(page)


def tab(name):
    def open_tab(page):
        page.get_by_role("tab", name=name).click()
        ready(page)

    return open_tab


def view(name):
    return lambda page: show(page, name)


def popover(name):
    def open_popover(page):
        page.get_by_test_id("stMain").get_by_role("button", name=name).first.click()
        ready(page)

    return open_popover


def escaped(page):
    page.keyboard.press("Escape")
    page.mouse.move(0, 0)  # what is under it on the next page would tell its hint
    ready(page)


def group_some(page):
    expect(page.get_by_text("Judging as")).to_be_visible()
    for key in ("n", "1", "v"):
        page.keyboard.press(key)
        ready(page)


def list_by_keys(page):
    """Goes down and up in the list with letters, to its search and to the help."""
    events = page.get_by_role("listbox", name="Events").get_by_role("option")
    titles = events.locator(".title").all_inner_texts()
    shown = page.locator(".st-key-event-card h2")
    for key, place in (("j", 1), ("j", 2), ("k", 1)):
        page.keyboard.press(key)
        expect(shown).to_have_text(titles[place])
        ready(page)
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Search")).to_be_focused()
    page.keyboard.type("jkvegetables")
    page.keyboard.press("Enter")
    expect(events).to_have_count(0)
    page.keyboard.press("Control+a")
    page.keyboard.type("vegetables")
    page.keyboard.press("Enter")
    expect(events).to_have_count(1)
    expect(page).to_have_url(re.compile("find=vegetables"))
    ready(page)
    page.get_by_role("listbox", name="Events").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("button", name="Five-minute tour")).to_be_visible()


def event_by_keys(page):
    press(page, page.get_by_role("slider", name="Narrower ↔ broader"), "ArrowLeft")
    assert "granularity=" in page.url
    press(page, page.get_by_role("button", name="Back to the suggested"), "Enter")
    expect(page).not_to_have_url(re.compile("granularity="))
    events = page.get_by_role("listbox", name="Events")
    second = events.get_by_role("option").nth(1).locator(".title").inner_text()
    press(page, events, "ArrowDown")
    # The list waits for further keys before it says what was chosen.
    expect(page.locator(".st-key-event-card h2")).to_have_text(second)
    expect(page).to_have_url(re.compile(r"group=\d+"))
    choose_tab(page, "Why?")
    expect(page.get_by_text("They are together")).to_be_visible()
    press(page, page.get_by_role("button", name="Export"), "Enter")
    press(page, page.get_by_role("button", name="Report (HTML)"))
    page.keyboard.press("Escape")


def map_by_keys(page):
    press(page, page.get_by_test_id("data-grid-canvas").first, "ArrowDown", "Shift+Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Space")
    ready(page)
    expect(page.get_by_role("heading", name="Why together, or apart?")).to_be_visible()
    expect(page).to_have_url(re.compile(r"rows=\d+(,|%2C)\d+"))


def replay_by_keys(page):
    """Starts the replay, waits until events grow, lets it pause, and stops it."""
    main = page.get_by_test_id("stMain")
    press(page, main.get_by_role("button", name="Start the replay"), "Enter")
    expect(page.get_by_role("heading", name="Growing fastest")).to_be_visible(timeout=LONG)
    press(page, main.get_by_role("button", name="Pause"), "Enter")
    expect(page.get_by_test_id("stMetric").filter(has_text="Replay")).to_contain_text("paused")
    press(page, main.get_by_role("button", name="Stop the replay"), "Enter")
    expect(main.get_by_role("button", name="Replay again")).to_be_visible(timeout=LONG)


def paste_by_keys(page):
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


def compare_by_keys(page):
    press(page, page.get_by_test_id("stMain").get_by_role("button", name="Read").first, "Enter")
    expect(page.get_by_text("Compared with the article")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Articles 1–8 of 40")).to_be_visible()
    ready(page)
    press(page, page.get_by_role("radio", name="Headlines"), "ArrowRight", "Enter")
    expect(page.locator(FIGURES).first).to_be_visible()


def number_by_keys(page):
    press(page, page.get_by_role("combobox", name="Headline", exact=True), "ArrowDown", "ArrowDown", "Enter")
    numbers = page.locator(".linked .headline button")
    press(page, numbers.last, "Enter")
    expect(numbers.last).to_have_attribute("aria-pressed", "true")


def judge_by_keys(page):
    reach(page, page.get_by_label("Your name or initials"))
    page.keyboard.type(f"Nell {token_hex(3)}")  # a name is taken once, also by a test that runs again
    page.keyboard.press("Enter")
    expect(page.get_by_text("Judging as")).to_be_visible()
    asked = page.locator(".st-key-evaluate-asking")
    expect(asked).to_contain_text("Headline 1 · Are its numbers correct?")
    ready(page)
    page.keyboard.press("2")
    expect(asked).to_contain_text("How easily is it read")
    ready(page)
    page.keyboard.press("u")
    expect(asked).to_contain_text("Headline 1 · Are its numbers correct?")


def pair_by_keys(page):
    press(page, page.get_by_role("radio", name="The table"), "ArrowRight", "Enter")
    expect(page.get_by_text("people say different events")).to_be_visible()
    ready(page)


def lab_by_keys(page):
    unfold(page, "For researchers")
    press(page, page.get_by_role("radio", name="All contradictions"), "ArrowRight", "Enter")
    expect(page.get_by_text("No answer changes when two headlines are swapped.")).to_be_visible()


def write_by_keys(page):
    press(page, page.get_by_role("radio", name="A pasted article"), "Enter")
    reach(page, page.get_by_label("The article"))
    page.keyboard.insert_text("A storm shut both airports of the island on Monday. Nobody was hurt.")
    page.keyboard.press("Control+Enter")
    ready(page)
    change = page.get_by_role("button", name="Edit or copy", exact=True).first
    expect(change).to_be_visible()
    press(page, change, "Enter")
    reach(page, page.get_by_label("The headline").first)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("Storm shuts both airports")
    page.keyboard.press("Control+Enter")
    ready(page)
    expect(page.get_by_text("Storm shuts both airports").first).to_be_visible()


def draw_pairs_by_keys(page):
    press(page, page.get_by_role("button", name="Lab", exact=True), "Enter")
    menu = page.get_by_test_id("stTopNavPopover")
    expect(menu).to_be_visible()
    while not menu.get_by_role("menuitem", name="Benchmark").evaluate(FOCUSED):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Benchmark")
    ready(page)
    press(page, page.get_by_role("radio", name="Pairs", exact=True), "ArrowRight", "Enter")
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


CHART = '[data-testid="stVegaLiteChart"]'
Place = tuple[str, str, str, list[Step]]
PAGES = {
    "Events": {
        "timeline": ("/", "Timeline", ".st-key-group-list", [event_by_keys, view("Lanes")]),
        "list": ("/", "Timeline", "", [list_by_keys]),
        "event": ("/?group=3", "Timeline", "", [tab("Facts"), tab("Near misses"), tab("Why?")]),
        "map": ("/?show=map", "Timeline", ".st-key-headline-map canvas", [map_by_keys]),
        "outlets": ("/?show=outlets", "Timeline", "", []),
        "error": ("/?method=nothing.v1", "Timeline", "", []),
        "live": ("/sources?part=live", "Sources", ".st-key-live-replay", [replay_by_keys]),
        "archive": ("/sources?part=archive", "Sources", ".point-map", []),
        "open": ("/sources", "Sources", '[data-testid="stFileUploaderDropzone"]', [paste_by_keys]),
    },
    "Headlines": {
        "write": ("/write", "Write", ".st-key-headline-0", [write_by_keys]),
        "numbers": ("/check_numbers", "Check numbers", '[data-testid="stTextArea"]', []),
        "a headline": ("/check_numbers?show=one&article=1", "Check numbers", "", [number_by_keys]),
        "compare": (
            "/compare",
            "Compare",
            ".st-key-compare-table",
            [compare_by_keys, *map(view, ("Scores", "Where they differ"))],
        ),
    },
    "People": {
        "evaluate": (
            "/judge?part=evaluate&seed=23",
            "Annotate and judge",
            ".st-key-evaluate-asking",
            [judge_by_keys, popover("Your link"), escaped, view("Results")],
        ),
        "annotate": ("/judge", "Annotate and judge", ".st-key-annotate-task", [group_some]),
        "agreement": (
            "/judge?part=agreement",
            "Annotate and judge",
            ".st-key-agreement-finding",
            [],
        ),
        "room": ("/room", "Room", ".st-key-room-preview", []),
        "join": ("/join", "Join a room", '[data-testid="stTextInput"]', []),
    },
    "Lab": {
        "pairs": ("/benchmark", "Benchmark", FIGURES, [pair_by_keys]),
        "leaderboard": ("/benchmark?part=leaderboard", "Benchmark", FIGURES, []),
        "papers": ("/benchmark?part=papers", "Benchmark", ".papers", []),
        "consistency": (
            "/consistency?lab=levenshtein.v1",
            "Consistency",
            f".st-key-triangle {CHART}",
            [lab_by_keys, view("Repairs"), view("Small changes")],
        ),
        "train": ("/models?part=train", "Models", CHART, []),
        "library": ("/models", "Models", ".st-key-library-cards", [draw_pairs_by_keys]),
    },
}
"""By the heads of the menu: address, title, what selects the picture that people come for ("" where no first
screen counts), and what is done one after the other."""
MENU = ROOT / "menu.py"
NAMED = {one[0][1:].partition("?")[0] or "timeline" for pages in PAGES.values() for one in pages.values()}
PAGES["Lab"] |= {
    script: (f"/{script}", title, "", [])
    for script, title in re.findall(r'"pages/(\w+)\.py", title="([^"]+)", icon', MENU.read_text("utf-8"))
    if script not in NAMED
}
"""A page of the menu that is not named above is opened and looked at as well."""
