"""What a reader waits for after a click, a key or a choice; the UCI sample (4,774 headlines) where it counts.

In a real Chromium at 1280 × 900, from the action to the last change on the page. Each action is done once
before, so that what it needs is loaded, and each changes what is shown.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

from benchmarks.browser import chromium, opened, serving, settled

TURNS = 7
Act = Callable[[Any], object]


def run() -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    with chromium() as browser, serving() as server:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for address, name, acts in ACTIONS:
            opened(page, server.url + address)
            turn = cycle(acts)
            seconds = [_timed(page, turn) for _ in range(TURNS + 1)][1:]
            rows.append(
                {
                    "action": name,
                    "median_seconds": round(statistics.median(seconds), 2),
                    "slowest_seconds": round(max(seconds), 2),
                }
            )
    rows.sort(key=lambda row: -row["median_seconds"])
    return {"benchmark": "clicks", "turns": TURNS, "rows": rows}


def _timed(page: Any, acts: Iterator[Act]) -> float:
    act = next(acts)
    page.evaluate("() => { window.__pressed = performance.now(); }")
    act(page)
    return settled(page)


def _slide(page: Any) -> None:
    page.get_by_test_id("stSlider").get_by_role("slider").press("ArrowRight")


def _mark(place: int) -> Act:
    def click(page: Any) -> None:
        page.get_by_role("listbox", name="Events").get_by_role("option").nth(place).click()

    return click


def _search(words: str) -> Act:
    def fill(page: Any) -> None:
        field = page.get_by_role("textbox", name="Search")
        field.fill(words)
        field.press("Enter")

    return fill


def _show(name: str) -> Act:
    return lambda page: page.get_by_role("radio", name=name, exact=True).click()


def _press(name: str) -> Act:
    return lambda page: page.get_by_role("button", name=name).click()


def _next_in(label: str) -> Act:
    def choose(page: Any) -> None:
        page.get_by_role("combobox", name=label, exact=True).press("ArrowDown")
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")

    return choose


ACTIONS: tuple[tuple[str, str, tuple[Act, ...]], ...] = (
    ("/?data=uci", "Timeline: move the slider", (_slide,)),
    ("/?data=uci", "Timeline: open another event", (_mark(1), _mark(4), _mark(7))),
    ("/?show=map&data=uci", "Map: search the table", (_search("apple"), _search("google"), _search(""))),
    ("/?show=map&data=uci", "Map: colour by something else", (_show("Outlet"), _show("Event"))),
    ("/?show=map&data=uci", "Map: move the slider", (_slide,)),
    ("/benchmark?part=pair_sets", "Pair sets: search the table", (_search("apple"), _search("google"))),
    ("/consistency", "Consistency (ISS): the next triangle", (_press("Less bad"),)),
    ("/consistency", "Consistency (ISS): another view", (_show("Swapped pairs"), _show("Broken triangles"))),
    ("/check_numbers", "Numerals: the next article", (_next_in("Article"),)),
    ("/compare", "Compare: the next articles", (_press("Next"), _press("Previous"))),
    ("/compare", "Compare: another view", (_show("Scores"), _show("Headlines"))),
)
"""Address of the page, what is done there, and the ways in which it is done by turns."""
