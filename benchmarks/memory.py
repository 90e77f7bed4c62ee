"""What the server keeps in memory as readers come and go.

Tabs of a real Chromium, each a session of its own. Streamlit keeps a closed tab's session for a while, so
that a broken line can be taken up again; the last rows say what is left when that time is over. What a
session itself adds is the difference to the row before; what is computed is shared by all.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.browser import Server, chromium, menu_entry, opened, pressed, serving, settled

TABS = (1, 10, 30)
UPLOADS = 30
HEADLINES = 1000
FORGOTTEN = 130  # seconds after which Streamlit has forgotten a closed tab (two minutes)


def run() -> dict[str, Any]:
    with chromium() as browser, serving() as server:
        rows: list[dict[str, Any]] = [_row("server up, nobody there", 0, server)]
        for sample in ("iss", "uci"):
            contexts: list[Any] = []
            for wanted in TABS:
                while len(contexts) < wanted:
                    contexts.append(browser.new_context())
                    opened(contexts[-1].new_page(), f"{server.url}/?data={sample}")
                rows.append(_row(f"tabs open on the {sample.upper()} sample", wanted, server))
            for context in contexts:
                context.close()
        context = browser.new_context()
        with tempfile.TemporaryDirectory() as folder:
            page = context.new_page()
            opened(page, server.url)
            for number in range(1, UPLOADS + 1):
                _upload(page, _file(Path(folder), number))
                if number in TABS:
                    rows.append(_row(f"files of {HEADLINES:,} headlines opened in turn", number, server))
        context.close()
        for _ in range(TABS[1]):
            context = browser.new_context()
            opened(context.new_page(), f"{server.url}/?data=uci")
            context.close()
        rows.append(_row("tabs opened and closed again, one after another", TABS[1], server))
        time.sleep(FORGOTTEN)
        rows.append(_row("all tabs closed and forgotten", 0, server))
    return {"benchmark": "memory of the server", "rows": rows}


def _row(step: str, count: int, server: Server) -> dict[str, Any]:
    return {"step": step, "count": count or None, "server_megabytes": server.megabytes()}


def _file(folder: Path, number: int) -> Path:
    from core.data.timelines import load as samples
    from core.data.timelines.timeline import Field

    table = samples.load_sample("uci").table
    start = number * 100
    part = table.iloc[start : start + HEADLINES]
    path = folder / f"file{number}.csv"
    part[[Field.HEADLINE, Field.PUBLISHED, Field.PUBLISHER]].to_csv(path, index=False)
    return path


def _upload(page: Any, path: Path) -> None:
    name = "Sources"
    pressed(menu_entry(page, name), page, heading=name)
    page.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(path)
    load = page.get_by_role("button", name="Load these headlines")
    load.wait_for()
    settled(page)
    pressed(load, page, heading="Timeline")
