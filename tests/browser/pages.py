"""Every page: its address, what people come for, and the states that are looked at one after the other.

A step that ends in `_by_keys` does the main task of its page without a mouse.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.steps import LONG, give, metric, opened, ready, settled, show, start_tour

FOCUSED = "e => e.getRootNode().activeElement === e"
STOPS = 120
"""Presses of Tab after which a control counts as out of reach."""
ASKED = """() => document.addEventListener('click', (event) => {
  if (!event.target.matches('input[type="file"]')) return;
  event.preventDefault();
  window.askedForFile = true;
}, true)"""
ODD_FILE = b"""when;outlet;title
2024-05-01;Alpha Post;Central bank raises rates by a quarter point
2024-05-01;Beta Times;Rates raised a quarter point by central bank
2024-05-03;Alpha Post;Storm closes two airports on the coast
2024-05-03;Beta Times;Two coastal airports shut as storm hits
2024-05-77;Beta Times;A row with a date that nobody can read
"""

Step = Callable[[Page], object]


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


def expanded(page: Page) -> None:
    folded = page.locator("details:not([open]) > summary")
    while folded.count():
        folded.first.click()
        ready(page)


def tab(name: str) -> Step:
    def open_tab(page: Page) -> None:
        page.get_by_role("tab", name=name).click()
        ready(page)

    return open_tab


def view(name: str) -> Step:
    return lambda page: show(page, name)


def popover(name: str) -> Step:
    def open_popover(page: Page) -> None:
        page.get_by_test_id("stMain").get_by_role("button", name=name).first.click()
        ready(page)

    return open_popover


def odd_file(page: Page) -> None:
    give(page, [("odd.csv", ODD_FILE)])
    ready(page)


def load(page: Page) -> None:
    """Loads the good rows; the report of the bad one stands."""
    page.get_by_role("button", name="Load these headlines").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Sources")
    ready(page)


def read(page: Page) -> None:
    page.get_by_test_id("stMain").get_by_role("button", name="Read").first.click()
    ready(page)
    expect(page.get_by_text("Compared with the article")).to_be_visible()


def group_some(page: Page) -> None:
    page.get_by_label("Your name or initials").fill("Nora")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Judging as")).to_be_visible()
    ready(page)
    for key in ("n", "1", "v"):
        page.keyboard.press(key)
        ready(page)


def open_room(page: Page) -> None:
    page.get_by_role("button", name="Open the room").click()
    code = page.locator(".room-code").inner_text().replace(" ", "")
    phone = page.context.new_page()
    phone.goto(f"{page.url.partition('/room')[0]}/join?room={code}")
    phone.get_by_label("Your nickname").fill("Ada")
    phone.get_by_role("button", name="Join", exact=True).click()
    phone.get_by_role("button", name="Same event").click()
    expect(page.get_by_text("Ada 1/10")).to_be_visible()
    phone.close()
    settled(page)


def reveal(page: Page) -> None:
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Reveal answers").click()
    expect(page.get_by_text("most divided first")).to_be_visible()
    settled(page)


def name_taken(page: Page) -> None:
    page.get_by_role("button", name="Switch judge").click()
    page.get_by_label("Your name or initials").fill("Nell")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nell has judged here before.")).to_be_visible()
    ready(page)


def open_event(page: Page) -> None:
    opened(page, f"{page.url.partition('?')[0]}?part=archive&archive=storms&event=3", "Sources")


def simulate(page: Page) -> None:
    page.get_by_text("simulated annotators instead of people").click()
    ready(page)


def search(page: Page) -> None:
    page.keyboard.press("Escape")
    page.get_by_label("Search", exact=True).fill("Genoa")
    page.keyboard.press("Enter")
    ready(page)
    expect(page.get_by_text("What you selected")).to_be_visible()


def view_as_picture(page: Page) -> None:
    popover("Filters")(page)
    page.get_by_text("Map as a picture").click()
    ready(page)
    expect(page.get_by_role("button", name="Select the area")).to_be_visible()


def tour(page: Page) -> None:
    start_tour(page)
    expect(page.locator(".st-key-tour")).to_contain_text("1 of ")
    ready(page)


def event_by_keys(page: Page) -> None:
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


def correct_by_keys(page: Page) -> None:
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


def map_by_keys(page: Page) -> None:
    press(page, page.get_by_test_id("data-grid-canvas").first, "ArrowDown", "Shift+Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Space")
    ready(page)
    expect(page.get_by_role("heading", name="Why together, or apart?")).to_be_visible()
    expect(page).to_have_url(re.compile(r"rows=\d+(,|%2C)\d+"))


def paste_by_keys(page: Page) -> None:
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


def compare_by_keys(page: Page) -> None:
    press(page, page.get_by_test_id("stMain").get_by_role("button", name="Read").first, "Enter")
    expect(page.get_by_text("Compared with the article")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Articles 1–8 of 40")).to_be_visible()
    ready(page)
    press(page, page.get_by_role("radio", name="Headlines"), "ArrowRight", "Enter")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()


def number_by_keys(page: Page) -> None:
    press(page, page.get_by_role("combobox", name="Headline", exact=True), "ArrowDown", "ArrowDown", "Enter")
    numbers = page.locator(".linked .headline button")
    press(page, numbers.last, "Enter")
    expect(numbers.last).to_have_attribute("aria-pressed", "true")


def judge_by_keys(page: Page) -> None:
    reach(page, page.get_by_label("Your name or initials"))
    page.keyboard.type("Nell")
    page.keyboard.press("Enter")
    asked = page.locator(".st-key-evaluate-asking")
    expect(asked).to_contain_text("Headline 1 · Are its numbers correct?")
    ready(page)
    page.keyboard.press("2")
    expect(asked).to_contain_text("How easily is it read")
    ready(page)
    page.keyboard.press("u")
    expect(asked).to_contain_text("Headline 1 · Are its numbers correct?")


def pair_by_keys(page: Page) -> None:
    press(page, page.get_by_role("radio", name="The table"), "ArrowRight", "Enter")
    expect(page.get_by_text("people say different events")).to_be_visible()
    ready(page)


def lab_by_keys(page: Page) -> None:
    press(page, page.get_by_role("radio", name="Broken triangles"), "ArrowRight", "Enter")
    expect(page.get_by_text("No answer changes when two headlines are swapped.")).to_be_visible()


def write_by_keys(page: Page) -> None:
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


def draw_pairs_by_keys(page: Page) -> None:
    press(page, page.get_by_role("button", name="Lab"), "Enter")
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


def train_by_keys(page: Page) -> None:
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


CHART: Final = '[data-testid="stVegaLiteChart"]'
ALERT: Final = '[data-testid="stAlert"]'
SERVERS: Final = {"archive": "archive_url", "corrections": "cold_url"}
"""Fixtures of the pages that need a server of their own: what is corrected stays for all."""
PAGES: Final[dict[str, tuple[str, str, str, list[Step]]]] = {
    "timeline": (
        "/",
        "Timeline",
        ".st-key-group-list",
        [event_by_keys, popover("Details"), view("Lanes"), tour],
    ),
    "event": ("/?group=3", "Timeline", "", [tab("Facts"), tab("Near misses"), tab("Why?")]),
    "corrections": ("/?group=1", "Timeline", "", [correct_by_keys, expanded, popover("History")]),
    "map": (
        "/?show=map",
        "Timeline",
        ".st-key-headline-map .js-plotly-plot",
        [map_by_keys, expanded, popover("Filters")],
    ),
    "live": ("/sources?part=live", "Sources", '[data-testid="stForm"]', [expanded]),
    "no archive": ("/sources?part=archive", "Sources", ALERT, []),
    "archive": (
        "/sources?part=archive",
        "Sources",
        '.archive-map[data-drawn]:not([data-drawn=""])',
        [open_event, popover("Filters"), search, view_as_picture],
    ),
    "open": (
        "/sources",
        "Sources",
        '[data-testid="stFileUploaderDropzone"]',
        [odd_file, load],
    ),
    "pasted": ("/sources", "Sources", "", [paste_by_keys]),
    "pairs": ("/benchmark", "Benchmark", CHART, [pair_by_keys, view("Disagreements")]),
    "consistency": (
        "/consistency?lab=levenshtein.v1",
        "Consistency",
        f".st-key-triangle {CHART}",
        [expanded, lab_by_keys, view("Repairs"), view("Small changes")],
    ),
    "pair sets": ("/benchmark?part=pair_sets", "Benchmark", CHART, [expanded]),
    "train": ("/models?part=train", "Models", CHART, [expanded, train_by_keys]),
    "library": ("/models", "Models", ".st-key-library-cards", [draw_pairs_by_keys]),
    "compare": (
        "/compare",
        "Compare",
        ".st-key-compare-table",
        [expanded, compare_by_keys, *map(view, ("Scores", "Where they differ", "Vote"))],
    ),
    "blind": ("/compare?blind=yes", "Compare", "", [read, view("Scores")]),
    "numerals": ("/check_numbers", "Check numbers", '[data-testid="stTextArea"]', []),
    "a headline": (
        "/check_numbers?show=one&article=1",
        "Check numbers",
        "",
        [number_by_keys, view("All headlines")],
    ),
    "write": ("/write", "Write", ".st-key-headline-0", [write_by_keys]),
    "leaderboard": ("/benchmark?part=leaderboard", "Benchmark", '[data-testid="stCode"]', [expanded]),
    "evaluate": (
        "/judge?part=evaluate&seed=23",
        "Annotate and judge",
        ".st-key-evaluate-asking",
        [judge_by_keys, view("Results"), view("Spreadsheets"), popover("Your link"), name_taken],
    ),
    "annotate": (
        "/judge",
        "Annotate and judge",
        '[data-testid="stExpander"]',
        [group_some, view("Compare pairs"), view("Better headline")],
    ),
    "agreement": (
        "/judge?part=agreement",
        "Annotate and judge",
        ALERT,
        [simulate, view("Votes on pairs"), view("A file of votes")],
    ),
    "room": (
        "/room",
        "Room",
        ".st-key-room-preview",
        [open_room, popover("New round"), popover("Files"), reveal],
    ),
    "join": ("/join", "Join a room", '[data-testid="stTextInput"]', []),
    "error": ("/?method=nothing.v1", "Timeline", "", []),
}
"""Address, title, what selects the picture that people come for ("" where no first screen counts), states."""
