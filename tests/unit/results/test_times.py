"""Times as people read them: the name of a zone."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from core.results.render import zone_name

NAMES = {
    "Europe/Paris": "CEST",
    "UTC": "UTC",
    "America/Sao_Paulo": "UTC-03",
    "Asia/Kathmandu": "UTC+05:45",
    "Pacific/Marquesas": "UTC-09:30",
}


@pytest.mark.parametrize("zone", NAMES)
def test_a_zone_without_letters_is_named_by_hours_and_where_it_has_some_minutes(zone):
    assert zone_name(datetime(2026, 7, 1, 12, tzinfo=UTC), ZoneInfo(zone)) == NAMES[zone]
