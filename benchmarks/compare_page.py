"""Reruns of the Compare page with 2,000 articles and six systems, through Streamlit's own AppTest.

The articles are NumHG's; the systems are the first six sentences of each. Everything is measured once, then
the page is run again as it is after each kind of click; seconds are medians of the whole script run. CPU
seconds leave out what else the machine did.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from streamlit.testing.v1 import AppTest

from components.compare.opened import keep_file
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.data.articles.sets import NumHG
from core.files import ROOT
from core.headlines.generator import Wishes
from core.headlines.generators.sentences import FirstSentence
from core.runtime import Runtime

ARTICLES = 2_000
SYSTEMS = 6
LIMIT = 0.5
PATIENCE = 600


def run(*, turns: int = 7) -> dict[str, Any]:
    """Opens the page, then times each kind of rerun."""
    articles = NumHG().load()
    articles = articles.at(range(ARTICLES))
    name = keep_file("NumHG, 2,000 articles", articles, _systems(articles))
    app = AppTest.from_file(str(ROOT / "menu.py"), default_timeout=PATIENCE)
    app.query_params["articles"] = name
    app.switch_page("pages/compare.py")
    started = time.perf_counter()
    _settled(app)
    first = time.perf_counter() - started
    rows = [_row(what, app, click, turns) for what, click in _clicks().items()]
    slowest = max(row["seconds"] for row in rows)
    return {
        "benchmark": "compare page",
        "articles": ARTICLES,
        "systems": SYSTEMS,
        "first_time_seconds": round(first, 1),
        "rows": rows,
        "slowest_seconds": slowest,
        "limit_seconds": LIMIT,
    }


def _systems(articles: Articles) -> list[Outputs]:
    runtime = Runtime()
    written = FirstSentence().build(runtime).write(articles.texts, Wishes(candidates=SYSTEMS), runtime)
    return [
        Outputs(
            system=f"sentence {at + 1}",
            headlines=tuple(found[min(at, len(found) - 1)].text for found in written),
            source=f"sentence {at + 1}",
        )
        for at in range(SYSTEMS)
    ]


def _clicks() -> dict[str, Callable[[AppTest, int], Any]]:
    return {
        "the same page again": lambda app, turn: None,
        "next page": lambda app, turn: app.button(key="next-page").click(),
        "order by another score": lambda app, turn: app.selectbox(key="compare-sort").set_value(
            ("rouge1", "words", "disagreement")[turn % 3]
        ),
        "search": lambda app, turn: app.text_input(key="compare-search").set_value("the " * (turn % 2)),
        "open an article": lambda app, turn: (
            app.button(key="compare-back").click()
            if turn % 2
            else next(button for button in app.button if button.label == "Read").click()
        ),
        "blind": lambda app, turn: app.toggle(key="compare-blind").set_value(not turn % 2),
        "scores": lambda app, turn: app.segmented_control(key="compare-shown").set_value("Scores"),
        "where they differ": lambda app, turn: app.segmented_control(key="compare-shown").set_value(
            "Where they differ"
        ),
    }


def _row(what: str, app: AppTest, click: Callable[[AppTest, int], Any], turns: int) -> dict[str, Any]:
    wall, spent = [], []
    for turn in range(turns + 1):
        click(app, turn)
        started, busy = time.perf_counter(), time.process_time()
        app.run()
        wall.append(time.perf_counter() - started)
        spent.append(time.process_time() - busy)
    if app.exception or app.error:
        raise RuntimeError(f"{what}: {[one.value for one in (*app.exception, *app.error)]}")
    # The first turn fills the caches of its view.
    return {
        "rerun": what,
        "seconds": round(statistics.median(wall[1:]), 3),
        "cpu_seconds": round(statistics.median(spent[1:]), 3),
        "first_seconds": round(wall[0], 3),
    }


def _settled(app: AppTest) -> None:
    app.run()
    deadline = time.monotonic() + PATIENCE
    while any(button.label == "Stop" for button in app.button):
        if time.monotonic() > deadline:
            raise TimeoutError("The page never finished its work.")
        time.sleep(0.5)
        app.run()
