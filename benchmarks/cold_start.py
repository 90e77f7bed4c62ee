"""From the start of the server to the first grouped picture in a real browser, with nothing cached.

The browser's process runs already, as a reader's does; its own cache is empty. The server's CPU seconds are
all that it computed until then, imports included.
"""

from __future__ import annotations

import time
from typing import Any

from benchmarks.browser import PATIENCE, chromium, serving


def run(*, turns: int = 3) -> dict[str, Any]:
    """The slowest and the middle of a few starts."""
    starts = sorted((_once() for _ in range(turns)), key=lambda row: row["first_picture_seconds"])
    return {"benchmark": "cold start", "turns": turns, "rows": [starts[len(starts) // 2], starts[-1]]}


def _once() -> dict[str, Any]:
    import psutil

    with chromium() as browser, serving() as server:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(server.url, wait_until="commit")
        page.locator("h1").first.wait_for()
        titled = time.perf_counter() - server.started
        page.locator(".js-plotly-plot path.point").first.wait_for()
        drawn = time.perf_counter() - server.started
        spent = psutil.Process(server.pid).cpu_times()
    return {
        "server_up_seconds": round(server.up, 2),
        "title_after_server_seconds": round(titled - server.up, 2),
        "first_picture_seconds": round(drawn, 2),
        "first_picture_after_server_seconds": round(drawn - server.up, 2),
        "server_cpu_seconds": round(spent.user + spent.system, 2),
    }
