"""What a reader waits for in a real browser."""

import itertools
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.browser import (
    MENU,
    PATIENCE,
    SERVE,
    changed,
    chromium,
    menu_entry,
    opened,
    pressed,
    running,
    serving,
    settled,
)
from benchmarks.publishing import seconds
from benchmarks.scale import expanded, write_sample
from core.archive.events import store
from core.archive.folder import HEADLINES, ArchiveFolder
from core.archive.opened import OpenArchive
from core.archive.points import SPAN
from core.archive.query import ArchiveQuery

PICTURE = ".st-key-event-card h2"
DRAWN = '.point-map[data-drawn]:not([data-drawn=""])'  # a map whose points all stand

# The clock of the page itself: asked from outside, a locator answers only every half second.
_WATCH = """
(() => {
  window.__stands = {};
  const look = () => {
    for (const [name, sign] of [["title", "h1"], ["picture", "PICTURE"]]) {
      if (!(name in window.__stands) && document.querySelector(sign)) {
        window.__stands[name] = (performance.timeOrigin + performance.now()) / 1000;
      }
    }
  };
  new MutationObserver(look).observe(document, {subtree: true, childList: true});
})()
""".replace("PICTURE", PICTURE)


def run_cold_start(*, turns: int = 5) -> dict[str, Any]:
    """From the start of the server to the first grouped picture in a real browser, with nothing cached.

    The browser's process runs already, as a reader's does; its own cache is empty. The page itself notes when
    its title and its first picture stand. The server's CPU seconds are all that it computed until then,
    imports included. Warm is the same server, asked once more by a browser that has nothing.
    """
    starts = sorted((_once() for _ in range(turns)), key=lambda row: row["first_picture_seconds"])
    middle = {name: round(statistics.median(row[name] for row in starts), 2) for name in starts[0]}
    slowest = {name: max(row[name] for row in starts) for name in starts[0]}
    rows = [{"start": "middle"} | middle, {"start": "slowest"} | slowest]
    return {"benchmark": "cold start", "turns": turns, "rows": rows}


def _once() -> dict[str, float]:
    import psutil

    with chromium() as browser, serving() as server:
        up = time.time()
        stands = _first_picture(browser, server.url)
        spent = psutil.Process(server.pid).cpu_times()
        settled(browser.contexts[0].pages[0])
        again = time.time()
        warm = _first_picture(browser, server.url)["picture"] - again
    return {
        "server_up_seconds": round(server.up, 2),
        "title_after_server_seconds": round(stands["title"] - up, 2),
        "first_picture_after_server_seconds": round(stands["picture"] - up, 2),
        "first_picture_seconds": round(server.up + stands["picture"] - up, 2),
        "server_cpu_seconds": round(spent.user + spent.system, 2),
        "warm_picture_seconds": round(warm, 2),
    }


def _first_picture(browser: Any, url: str) -> dict[str, float]:
    """When the title and the first picture of the first page stand, for a browser that has nothing of it."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_init_script(_WATCH)
    page.goto(url, wait_until="commit")
    page.locator(PICTURE).first.wait_for()
    stands: dict[str, float] = page.evaluate("window.__stands")
    return stands


ROUNDS = 5


def run_pages() -> dict[str, Any]:
    """What a reader of the UCI sample (4,774 headlines) waits for after a click in the menu, on every page.

    In a real Chromium at 1280 × 900, from the click to the last change on the page; the pages are visited in
    rounds, so that every visit comes from another page. The first visit computes and loads what the page
    needs; the others are warm.
    """
    with chromium() as browser, serving() as server:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        opened(page, f"{server.url}/?data=uci")
        names = [name for titles in MENU.values() for name in titles]
        # Away from the page that opened, so that its own first visit in a round is a page change, too.
        _visit(page, names[-1])
        seconds: dict[str, list[float]] = {name: [] for name in names}
        for _ in range(ROUNDS + 1):
            for name in names:
                seconds[name].append(_visit(page, name))
    rows = [
        {
            "page": name,
            "first_visit_seconds": round(times[0], 2),
            "median_seconds": round(statistics.median(times[1:]), 2),
            "slowest_seconds": round(max(times[1:]), 2),
        }
        for name, times in seconds.items()
    ]
    return {"benchmark": "pages", "visits": ROUNDS, "rows": rows}


def _visit(page: Any, name: str) -> float:
    return pressed(menu_entry(page, name), page, heading=name)


TURNS = 7
Act = Callable[[Any], object]


def run_clicks() -> dict[str, Any]:
    """What a reader waits for after a click, a key or a choice; the UCI sample (4,774 headlines) where it
    counts.

    In a real Chromium at 1280 × 900, from the action to the last change on the page. Each action is done once
    before, so that what it needs is loaded, and each changes what is shown.
    """
    rows: list[dict[str, Any]] = []
    with chromium() as browser, serving() as server:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        for address, name, acts in ACTIONS:
            opened(page, server.url + address)
            turn = cycle(acts)
            seconds = [changed(page, next(turn)) for _ in range(TURNS + 1)][1:]
            rows.append(
                {
                    "action": name,
                    "median_seconds": round(statistics.median(seconds), 2),
                    "slowest_seconds": round(max(seconds), 2),
                }
            )
    rows.sort(key=lambda row: -row["median_seconds"])
    return {"benchmark": "clicks", "turns": TURNS, "rows": rows}


def _slide(page: Any) -> None:
    # To the left: the level that a timeline suggests may be two steps from the broadest.
    page.get_by_test_id("stSlider").get_by_role("slider").press("ArrowLeft")


def _mark(place: int) -> Act:
    def click(page: Any) -> None:
        page.get_by_role("listbox", name="Events").get_by_role("option").nth(place).click()

    return click


def _search(words: str) -> Act:
    def fill(page: Any) -> None:
        field = page.get_by_label("Search", exact=True)
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


def _pick(label: str, name: str, menu: str) -> Act:
    """Another entry of a list in a menu, which stays open once it is."""

    def choose(page: Any) -> None:
        found = page.get_by_role("combobox", name=label, exact=True)
        if not found.count():
            page.get_by_role("button", name=menu).click()
        found.click()
        page.get_by_role("option", name=name, exact=True).click()

    return choose


ACTIONS: tuple[tuple[str, str, tuple[Act, ...]], ...] = (
    ("/?data=uci", "Timeline: move the slider", (_slide,)),
    ("/?data=uci", "Timeline: open another event", (_mark(1), _mark(4), _mark(7))),
    ("/?show=map&data=uci", "Map: search the table", (_search("apple"), _search("google"), _search(""))),
    (
        "/?show=map&data=uci",
        "Map: colour by something else",
        tuple(_pick("Colour by", name, "Filters") for name in ("Time", "Human groups")),
    ),
    ("/?show=map&data=uci", "Map: move the slider", (_slide,)),
    ("/benchmark?part=pair_sets", "Pair sets: search the table", (_search("apple"), _search("google"))),
    ("/consistency", "Consistency (ISS): swap the headlines", (_press("Swap"),)),
    (
        "/consistency?show=swaps",
        "Consistency (ISS): another view",
        (_show("All contradictions"), _show("Swapped pairs")),
    ),
    ("/check_numbers?show=one", "Numerals: the next article", (_next_in("Article"),)),
    ("/compare", "Compare: the next articles", (_press("Next"), _press("Previous"))),
    ("/compare", "Compare: another view", (_show("Scores"), _show("Headlines"))),
)
"""Address of the page, what is done there, and the ways in which it is done by turns."""


OWN_HEADLINES = 20_000


def run_own_file() -> dict[str, Any]:
    """What somebody waits for who loads 20,000 headlines: those of the UCI sample, expanded.

    In a real Chromium at 1280 × 900: until the file is read; from the press on *Load* until the first look
    stands, and until the groups replace it; from the press on *Map* until every point stands.
    """
    with tempfile.TemporaryDirectory() as folder, chromium() as browser, serving() as server:
        file = Path(folder) / "headlines.csv"
        write_sample(file, OWN_HEADLINES)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        opened(page, f"{server.url}/sources")
        page.set_default_timeout(5 * PATIENCE)
        load = page.get_by_role("button", name="Load these headlines")
        choose = partial(page.locator('input[type="file"]').first.set_input_files, file)
        read = _until(choose, load)
        settled(page)
        looked, grouped = _until(load.click, page.locator(DRAWN), page.locator(PICTURE))
        settled(page)
        mapped = _until(page.get_by_role("radio", name="Map", exact=True).click, page.locator(DRAWN))
    steps = zip(("read", "first look", "groups", "map"), (*read, looked, grouped, *mapped), strict=True)
    rows = [{"step": name, "seconds": round(seconds, 1)} for name, seconds in steps]
    return {"benchmark": "own_file", "headlines": OWN_HEADLINES, "rows": rows}


def _until(act: Callable[[], object], *awaited: Any) -> list[float]:
    """Seconds from an act until each of what it brings stands."""
    begun = time.perf_counter()
    act()
    seconds = []
    for one in awaited:
        one.first.wait_for()
        seconds.append(time.perf_counter() - begun)
    return seconds


COUNTS = (20_000, 1_000_000)
OPENED = 3
WORDS = ("titanfall", "court", "apple", "fed", "storm")
_STARTS = """() => {
  const mark = () => { window.__pressed = performance.now(); };
  document.addEventListener('pointerup', mark, true);
  document.addEventListener('keydown', mark, true);
}"""


def run_archive_page() -> dict[str, Any]:
    """Archive in a real Chromium at 1280 × 900 with software graphics: headlines of the UCI sample, expanded
    (`benchmarks/scale.py`), in the groups of the sample, each group a disc somewhere on the map.

    Megabytes are those of the map as they are sent. First paint is from asking for the address until every
    point is drawn, by a browser that has nothing of the page: the first time the server opens the archive,
    and then the median of three. A redraw is one of the whole map. Lasso and search are from letting go, or
    Enter, to the last change on the page, tables and figures with it, the median of five, each over other
    headlines; the server's part alone stands beside.
    """
    rows = []
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        for count in COUNTS:
            user = Path(folder) / str(count)
            path = user / "user" / "archives" / "expanded"
            _make(path, count)
            with running(SERVE, user) as (url, _):
                shown = _shown(browser, f"{url}/sources?part=archive&archive=expanded")
            rows.append({"headlines": count, **shown, **_served(OpenArchive(path))})
            print(rows[-1], flush=True)
    return {"benchmark": "archive_page", "rows": rows}


def _make(path: Path, count: int) -> None:
    table = pd.concat(expanded(count), ignore_index=True)
    table["published"] = pd.to_datetime(table["published"], utc=True).astype("datetime64[us, UTC]")
    table = table.sort_values("published", kind="stable", ignore_index=True)
    groups = pd.factorize(table.pop("group"))[0] + 1
    table = table.assign(url=None, gold_group=None)
    folder = ArchiveFolder(path, {"expanded": count})
    table.to_parquet(path / HEADLINES, index=False)
    draw = np.random.default_rng(0)
    middles = draw.normal(size=(groups.max(), 2))
    radius, angle = np.sqrt(pd.Series(groups).groupby(groups).cumcount()), draw.uniform(0, 6.3, count)
    discs = 0.8 / np.sqrt(count) * np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    places = (middles[groups - 1] + discs).astype(np.float32)
    store(folder, groups, places, {"headlines": count, "undated": 0, "shared": False})


def _shown(browser: Any, address: str) -> dict[str, Any]:
    paints = []
    for _ in range(OPENED + 1):
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.set_default_timeout(PATIENCE)
        begun = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.locator(DRAWN).wait_for()
        paints.append(time.perf_counter() - begun)
    page.evaluate(_STARTS)
    page.evaluate("() => { window.__pressed = performance.now(); }")
    settled(page)
    sent = page.evaluate(
        "() => performance.getEntriesByType('resource')"
        ".find((one) => one.name.endsWith('/points')).encodedBodySize"
    )
    redraws = [_redrawn(page) for _ in range(5)]
    lassos = [_surrounded(page, place) for place in range(5)]
    searches = [_searched(page, word) for word in WORDS]
    return {
        "megabytes_sent": round(sent / 1e6, 2),
        "cold_first_paint_seconds": round(paints[0], 2),
        "first_paint_seconds": round(statistics.median(paints[1:]), 2),
        "redraw_milliseconds": round(statistics.median(redraws)),
        "lasso_to_table_seconds": round(statistics.median(lassos), 2),
        "search_seconds": round(statistics.median(searches), 2),
    }


def _redrawn(page: Any) -> float:
    page.locator(".point-map").evaluate("(map) => { map.dataset.drawn = ''; }")
    page.get_by_role("button", name="All", exact=True).click()
    drawn = page.locator(DRAWN)
    drawn.wait_for()
    return float(drawn.get_attribute("data-drawn"))


def _surrounded(page: Any, place: int) -> float:
    box = page.locator(".point-map canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2 - 120 + 40 * place, box["y"] + box["height"] / 2 - 60 + 20 * place
    page.keyboard.down("Shift")
    page.mouse.move(x, y)
    page.mouse.down()
    for corner in ((x + 120, y + 20), (x + 60, y + 110), (x, y)):
        page.mouse.move(*corner, steps=5)
    page.mouse.up()
    page.keyboard.up("Shift")
    return settled(page, awaited=True)


def _searched(page: Any, word: str) -> float:
    page.get_by_label("Search", exact=True).fill(word)
    page.keyboard.press("Enter")
    return settled(page, awaited=True)


def _served(archive: OpenArchive) -> dict[str, Any]:
    archive.ask(ArchiveQuery(words="nothing"))
    side = SPAN // 4
    corners = ((side, side), (3 * side, side), (2 * side, 3 * side))
    lassos = [
        ArchiveQuery(lasso=tuple((x + move, y) for x, y in corners)) for move in itertools.accumulate([9] * 5)
    ]
    return {
        name: round(1_000 * statistics.median([seconds(partial(archive.ask, query)) for query in asked]))
        for name, asked in (
            ("server_lasso_milliseconds", lassos),
            ("server_search_milliseconds", [ArchiveQuery(words=word) for word in WORDS]),
        )
    }
