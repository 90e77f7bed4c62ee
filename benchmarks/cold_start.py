"""From the start of the server to the first grouped picture in a real browser, with nothing cached.

The browser's process runs already, as a reader's does; its own cache is empty. The page itself notes when its
title and its first picture stand. The server's CPU seconds are all that it computed until then, imports
included.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

from benchmarks.browser import PATIENCE, chromium, serving

PICTURE = ".st-key-event-card h2"

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


def run(*, turns: int = 5) -> dict[str, Any]:
    starts = sorted((_once() for _ in range(turns)), key=lambda row: row["first_picture_seconds"])
    middle = {name: round(statistics.median(row[name] for row in starts), 2) for name in starts[0]}
    slowest = {name: max(row[name] for row in starts) for name in starts[0]}
    rows = [{"start": "middle"} | middle, {"start": "slowest"} | slowest]
    return {"benchmark": "cold start", "turns": turns, "rows": rows}


def _once() -> dict[str, float]:
    import psutil

    with chromium() as browser, serving() as server:
        up = time.time()
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(_WATCH)
        page.goto(server.url, wait_until="commit")
        page.locator(PICTURE).first.wait_for()
        stands = page.evaluate("window.__stands")
        spent = psutil.Process(server.pid).cpu_times()
    return {
        "server_up_seconds": round(server.up, 2),
        "title_after_server_seconds": round(stands["title"] - up, 2),
        "first_picture_after_server_seconds": round(stands["picture"] - up, 2),
        "first_picture_seconds": round(server.up + stands["picture"] - up, 2),
        "server_cpu_seconds": round(spent.user + spent.system, 2),
    }
