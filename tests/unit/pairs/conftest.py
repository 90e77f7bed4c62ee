"""What the tests of pairs share."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.runtime import Runtime


@pytest.fixture
def runtime(tmp_path: Path) -> Runtime:
    return Runtime(cache=tmp_path)
