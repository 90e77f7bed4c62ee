"""Archive in a real Chromium at 1280 × 900 with software graphics: headlines of the UCI sample,
expanded (`benchmarks/expanded.py`), in the groups of the sample, each group a disc somewhere on the map.

Megabytes are those of the map as they are sent. First paint is from asking for the address until every
point is drawn, by a browser that has nothing of the page: the first time the server opens the archive, and
then the median of three. A redraw is one of the whole map. Lasso and search are from letting go, or Enter,
to the last change on the page, tables and figures with it, the median of five, each over other headlines; the
server's part alone stands beside.
"""

from __future__ import annotations

import itertools
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.browser import PATIENCE, SERVE, chromium, running, settled
from benchmarks.expanded import expanded
from benchmarks.timing import seconds
from core.archive.build import store
from core.archive.layout import SPAN, ArchiveQuery
from core.archive.opened import OpenArchive
from core.archive.reading import HEADLINES, ArchiveFolder

COUNTS = (20_000, 1_000_000)
OPENED = 3
WORDS = ("titanfall", "court", "apple", "fed", "storm")
_STARTS = """() => {
  const mark = () => { window.__pressed = performance.now(); };
  document.addEventListener('pointerup', mark, true);
  document.addEventListener('keydown', mark, true);
}"""


def run() -> dict[str, Any]:
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
    store(folder, table, groups, places, {"headlines": count, "undated": 0, "shared": False})


def _shown(browser: Any, address: str) -> dict[str, Any]:
    paints = []
    for _ in range(OPENED + 1):
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.set_default_timeout(PATIENCE)
        begun = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.locator('.archive-map[data-drawn]:not([data-drawn=""])').wait_for()
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
    page.locator(".archive-map").evaluate("(map) => { map.dataset.drawn = ''; }")
    page.get_by_role("button", name="All", exact=True).click()
    drawn = page.locator('.archive-map[data-drawn]:not([data-drawn=""])')
    drawn.wait_for()
    return float(drawn.get_attribute("data-drawn"))


def _surrounded(page: Any, place: int) -> float:
    box = page.locator(".archive-map canvas").bounding_box()
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
        name: round(1_000 * statistics.median([seconds(partial(archive.ask, one)) for one in asked]))
        for name, asked in (
            ("server_lasso_milliseconds", lassos),
            ("server_search_milliseconds", [ArchiveQuery(words=word) for word in WORDS]),
        )
    }
