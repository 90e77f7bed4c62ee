"""Data sets that do not ship, where they are at hand."""

import pytest


@pytest.fixture
def data(shared, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(shared / "data"))
    return shared / "data"
