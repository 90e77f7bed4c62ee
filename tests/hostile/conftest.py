"""The app under Streamlit's own test runner."""

from __future__ import annotations

import pytest

from tests.hostile.running import Visit, opened


@pytest.fixture
def visit() -> Visit:
    """Opens a page of the app as a link does."""
    return opened
