"""The app under Streamlit's own test runner."""

import pytest

from tests.hostile.running import opened


@pytest.fixture
def visit():
    """Opens a page of the app as a link does."""
    return opened
