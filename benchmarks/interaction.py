"""What a reader waits for on the UCI sample: a slider move, and a warm page."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from core.files import ROOT

CUTS = (0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8)
PAGES = ("timeline", "map")


def run() -> dict[str, Any]:
    """Regroups in core, then reruns every page of the app with a moved slider."""
    return {"benchmark": "interaction", "headlines": 4774, "rows": [_regroup(), *_pages()]}


def _regroup() -> dict[str, Any]:
    from core.data.timelines import samples
    from core.events.grouping import Settings, prepare, regroup
    from core.runtime import Runtime

    with tempfile.TemporaryDirectory() as folder:
        prepared = prepare(samples.load_sample("uci"), Settings(), Runtime(cache=Path(folder)))
    seconds = []
    for cut in CUTS:
        started = time.perf_counter()
        regroup(prepared, cut)
        seconds.append(time.perf_counter() - started)
    return _row("regroup after a slider move, quality included", seconds)


def _pages() -> list[dict[str, Any]]:
    from streamlit.testing.v1 import AppTest

    rows = []
    for page in PAGES:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
        app.query_params["data"] = "uci"
        app.session_state["has_menu"] = True  # AppTest runs a page without app.py
        app.switch_page(f"pages/{page}.py").run()
        while any(button.label == "Stop" for button in app.button):
            time.sleep(0.5)
            app.run()
        time.sleep(15)  # the detailed map is drawn in the background
        app.run()
        again, moved = [], []
        for cut in CUTS:
            app.slider(key="pick-granularity").set_value(cut)
            moved.append(_timed(app))
            again.append(_timed(app))
        rows += [
            _row(f"{page} page, script after a slider move", moved),
            _row(f"{page} page, warm script", again),
        ]
    return rows


def _timed(app: Any) -> float:
    started = time.perf_counter()
    app.run()
    return time.perf_counter() - started


def _row(name: str, seconds: list[float]) -> dict[str, Any]:
    return {
        "name": name,
        "median_seconds": round(statistics.median(seconds), 3),
        "slowest_seconds": round(max(seconds), 3),
    }
