"""The Library page says how much memory the server uses and what bounds it."""

from __future__ import annotations

import re

import pytest

from core import limits
from core.models.weights.cards import SHIPPED
from tests.pages.opening import opened


def test_every_model_that_ships_is_listed() -> None:
    tables = [table.value for table in opened("library").table]
    weights = {source.rsplit("/", 1)[-1] for source in tables[0]["Weights"] if source.startswith("folder ")}
    assert weights.isdisjoint(tables[1]["Name"])
    assert weights | {*tables[1]["Name"]} == {card.parent.name for card in SHIPPED.glob("*/README.md")}
    assert tables[1]["For"].str.len().min() > 20
    assert tables[1]["Licence"].str.len().min() > 5


def test_memory_and_its_bound_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.KEPT_MEGABYTES.variable, "1234")
    said = " ".join(caption.value for caption in opened("library").caption)
    used = re.search(r"This server uses ([\d,]+) MB", said)
    assert used is not None
    assert int(used[1].replace(",", "")) > 50
    assert "1,234 MB" in said
