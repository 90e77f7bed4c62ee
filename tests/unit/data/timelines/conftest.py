import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.files import ROOT

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="session")
def shared():
    """The path of a file of the shared data; skips where the data is not there."""
    folder = Path(os.environ.get("HEADLINE_LAB_SHARED") or ROOT.parent / "shared") / "data"

    def find(name):
        path = folder / name
        if not path.exists():
            pytest.skip(f"shared data {name} is not here; set HEADLINE_LAB_SHARED")
        return path

    return find


@pytest.fixture
def now():
    return NOW
