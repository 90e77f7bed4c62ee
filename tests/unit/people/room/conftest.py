import pytest

from tests.unit.people.room.meeting import Meeting


@pytest.fixture
def meeting():
    return Meeting()
