"""The Library page says how much memory the server uses and what bounds it."""

from __future__ import annotations

import re

import pytest

from core import limits
from tests.pages.opening import opened


def test_memory_and_its_bound_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.KEPT_MEGABYTES.variable, "1234")
    said = " ".join(caption.value for caption in opened("library").caption)
    used = re.search(r"This server uses ([\d,]+) MB", said)
    assert used is not None
    assert int(used[1].replace(",", "")) > 50
    assert "1,234 MB" in said
