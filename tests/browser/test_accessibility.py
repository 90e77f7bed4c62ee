"""axe-core on every page and file, light and dark, wide and narrow: no rule is off, nothing left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from components.charts.theme import DARK, LIGHT
from tests.browser.axe import violations
from tests.browser.serving import ROOT
from tests.browser.steps import give, opened, ready, saved, settled, show, start_tour
from tests.cli.calling import Call

pytestmark = pytest.mark.browser

WIDE, NARROW = (1280, 900), (390, 844)
Scheme = Literal["light", "dark"]
LOOKS: Final[list[tuple[tuple[int, int], Scheme]]] = [(WIDE, "light"), (NARROW, "dark")]
"""The states of a page are looked at the other way round, too."""
HIGHEST = 8_000
LAB = "/consistency?lab=levenshtein.v1"
ODD_FILE = b"""when;outlet;title
2024-05-01;Alpha Post;Central bank raises rates by a quarter point
2024-05-01;Beta Times;Rates raised a quarter point by central bank
2024-05-03;Alpha Post;Storm closes two airports on the coast
2024-05-03;Beta Times;Two coastal airports shut as storm hits
2024-05-77;Beta Times;A row with a date that nobody can read
"""


Step = Callable[[Page], object]


def expanded(page: Page) -> None:
    """Opens every section that is folded."""
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
    expect(page.get_by_role("heading", level=1)).to_have_text("Open a file")
    ready(page)


def read(page: Page) -> None:
    # The menu has a head of that name.
    page.get_by_test_id("stMain").get_by_role("button", name="Read").first.click()
    ready(page)
    expect(page.get_by_text("Compared with the article")).to_be_visible()


def judge(page: Page) -> None:
    page.get_by_label("Your name or initials").fill("Nell")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Judging as")).to_be_visible()
    ready(page)


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


def split_off(page: Page) -> None:
    """Corrects the open event: its first headline is on its own from now on."""
    page.locator(".st-key-event-card").get_by_test_id("stCheckbox").first.locator("label").click()
    ready(page)
    page.get_by_role("button", name="Split off", exact=True).click()
    ready(page)
    tab("Correct")(page)


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


PAGES: dict[str, tuple[str, str, list[Step]]] = {
    "timeline": ("/", "Timeline", [popover("Details"), view("Lanes"), tour]),
    "event": ("/?group=3", "Timeline", [tab("Outlets"), tab("Near misses"), tab("Why?")]),
    "map": ("/map?rows=1,2", "Map", [expanded, popover("Filters")]),
    "live": ("/live", "Live", [expanded]),
    "no archive": ("/archive", "Archive", []),
    "open": ("/open", "Open a file", [odd_file, load]),
    "pairs": ("/pairs", "Pairs", [view("Mistakes"), view("Disagreements")]),
    "consistency": (
        LAB,
        "Consistency",
        [expanded, *map(view, ("Swapped pairs", "Repairs", "Small changes"))],
    ),
    "pair sets": ("/pair_sets", "Pair sets", [expanded]),
    "train": ("/train", "Train", [expanded]),
    "library": ("/library", "Library", []),
    "compare": ("/compare", "Compare", [expanded, view("Scores"), view("Where they differ"), view("Vote")]),
    "blind": ("/compare?blind=yes", "Compare", [read, view("Scores")]),
    "numerals": ("/numerals?show=one&article=1", "Numerals", [view("All headlines"), view("Your text")]),
    "write": ("/write", "Write", []),
    "leaderboard": ("/leaderboard", "Leaderboard", [expanded]),
    "evaluate": (
        "/evaluate",
        "Evaluate",
        [judge, view("Results"), view("Spreadsheets"), popover("Your link"), name_taken],
    ),
    "annotate": ("/annotate", "Annotate", [group_some, view("Compare pairs"), view("Better headline")]),
    "agreement": (
        "/agreement?simulate=yes",
        "Agreement",
        [view("Votes on pairs"), view("A file of votes")],
    ),
    "room": ("/room", "Room", [open_room, popover("New round"), popover("Files"), reveal]),
    "error": ("/?method=nothing.v1", "Timeline", []),
}
"""Address, title, and the states that are looked at one after the other."""


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme="light")
    yield context.new_page()
    context.close()


def look(page: Page, size: tuple[int, int], scheme: Scheme) -> None:
    """A window of that width in that theme, high enough for the whole page: axe sees what is in sight."""
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    settled(page)
    whole = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    page.set_viewport_size({"width": size[0], "height": max(size[1], min(whole, HIGHEST))})
    settled(page)


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(visitor: Page, app_url: str, name: str) -> None:
    address, title, steps = PAGES[name]
    found_on(visitor, app_url + address, title, steps)


def test_axe_finds_nothing_in_an_archive(visitor: Page, archive_url: str) -> None:
    steps = [popover("Filters"), search, view_as_picture]
    found_on(visitor, f"{archive_url}/archive?archive=storms&event=3", "Archive", steps)


def test_axe_finds_nothing_where_events_were_corrected(visitor: Page, cold_url: str) -> None:
    """On a server of its own: what is corrected stays for all."""
    steps = [tab("Correct"), split_off, expanded, popover("History")]
    found_on(visitor, f"{cold_url}/?group=3", "Timeline", steps)


def found_on(visitor: Page, url: str, title: str, steps: list[Step]) -> None:
    """Looks at a page in every look, and at each state that the steps bring about."""
    visitor.goto(url)
    expect(visitor.get_by_test_id("stMain").get_by_role("heading", level=1)).to_have_text(title)
    settled(visitor)
    expect(visitor).to_have_title(f"{title} · Headline Lab")
    assert visitor.locator("html").get_attribute("lang") == "en"
    visitor.keyboard.press("Tab")
    expect(visitor.get_by_role("link", name="Skip to main content")).to_be_focused()
    visitor.keyboard.press("Enter")
    expect(visitor.get_by_test_id("stMain")).to_be_focused()
    found: list[str] = []
    for size, scheme in LOOKS:
        look(visitor, size, scheme)
        found += [f"{scheme} {size[0]}: {one}" for one in violations(visitor)]
    for number, step in enumerate(steps, 1):
        # Each state wide in one theme and narrow in the other.
        look(visitor, WIDE, "light" if number % 2 else "dark")
        step(visitor)
        found += [f"step {number}, wide: {one}" for one in violations(visitor)]
        look(visitor, NARROW, "dark" if number % 2 else "light")
        found += [f"step {number}, narrow: {one}" for one in violations(visitor)]
    assert found == []


def test_axe_finds_nothing_in_files_that_are_exported(
    visitor: Page, app_url: str, tmp_path: Path, command: Call
) -> None:
    reports = []
    for address, title in (("/", "Timeline"), ("/numerals?show=one&article=1", "Numerals")):
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
            found += [f"{path.name}, {scheme} {width}: {one}" for one in violations(visitor)]
    assert found == []


def test_pictures_follow_the_readers_theme(visitor: Page, app_url: str) -> None:
    opened(visitor, f"{app_url}/?show=lanes", "Timeline")
    name_of_event = visitor.locator(".js-plotly-plot .annotation text").first
    for scheme, ink in (("light", LIGHT), ("dark", DARK), ("light", LIGHT)):
        visitor.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        red, green, blue = (int(ink.text[at : at + 2], 16) for at in (1, 3, 5))
        expect(name_of_event).to_have_css("fill", f"rgb({red}, {green}, {blue})")
