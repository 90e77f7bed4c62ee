import pytest

from components.server import security
from core.runtime import MODE


@pytest.fixture
def workshop(monkeypatch):
    """A workshop behind the middleware, without which pages refuse to open."""
    monkeypatch.setenv(MODE, "workshop")
    monkeypatch.setattr(security, "_installed", [True])
