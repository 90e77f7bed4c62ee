"""While the first computation of a file runs, its address is there and its progress makes sense."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from components import resources
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
