"""What a reader of the UCI sample (4,774 headlines) waits for after a click in the menu, on every page.

In a real Chromium at 1280 × 900, from the click to the last change on the page; the pages are visited in
rounds, so that every visit comes from another page. The first visit computes and loads what the page needs;
the others are warm.
"""

from __future__ import annotations

import statistics
from typing import Any

from benchmarks.browser import MENU, chromium, menu_entry, opened, pressed, serving

ROUNDS = 5


def run() -> dict[str, Any]:
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
