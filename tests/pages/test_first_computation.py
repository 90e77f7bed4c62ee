"""While the first computation of a file runs, its address is there and its progress makes sense."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from components import jobs, resources
from core.data.timelines.load import load_text
from tests.pages.opening import opened, put, settled


@pytest.fixture
def go(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Grouping goes on only while this is set."""
    on = threading.Event()
    on.set()
    real = resources.prepare

    def slow(*args: Any, **options: Any) -> Any:
        on.wait(60)
        return real(*args, **options)

    monkeypatch.setattr(resources, "prepare", slow)
    yield on
    on.set()


def test_a_reload_during_the_first_computation_comes_back_to_the_file(go: threading.Event) -> None:
    timeline = load_text("Bank raises rates\nBank lifts rates\nStorm hits the coast\nFlood after the storm\n")
    name = resources.shelf().put(resources.FILE + timeline.file_fingerprint, timeline)
    app = opened()
    assert "data" not in app.query_params
    go.clear()
    put(app, "TimelineView", data=name)
    app.run()
    assert "Stop" in [button.label for button in app.button]
    assert app.query_params.get("data") in ([name], name)
    go.set()
    assert not settled(app).exception


@pytest.mark.slow
def test_a_sample_is_there_to_look_at_meanwhile(go: threading.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "QUICK_HEADLINES", 20)
    lines = [f"{what} {where}" for what in ("Storm hits", "Fire in", "Vote in") for where in "ABCDEFGHIJ"]
    timeline = load_text("\n".join(lines) + "\n")
    name = resources.shelf().put(resources.FILE + timeline.file_fingerprint, timeline)
    app = opened()
    go.clear()
    put(app, "TimelineView", data=name)
    app.run()
    assert not app.exception
    assert "Stop" in [button.label for button in app.button]
    for _ in range(60):  # it is computed in the background; each run waits a while for it
        if any("A first look at 30 of 30 headlines" in one.value for one in app.markdown):
            break
        app.run()
    assert len(app.get("plotly_chart")) == 1
    assert app.dataframe[0].value["Headlines"].tolist() == [10, 10, 10]
    go.set()
    assert not settled(app).exception
    assert not any("A first look at" in one.value for one in app.markdown)
