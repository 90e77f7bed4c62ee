"""What the tests of groups share."""

from __future__ import annotations

import pytest

from core.runtime import Runtime


@pytest.fixture
def runtime() -> Runtime:
    return Runtime()
