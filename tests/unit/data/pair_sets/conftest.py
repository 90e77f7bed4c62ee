"""Data sets that do not ship, where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def data(shared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the larger data sets, set as the data folder."""
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(shared / "data"))
    return shared / "data"
