"""One form of dates for all that people read."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from core.data.timelines.load import load
from core.events.report_times import moment_of
from core.results.delimited import delimited
from core.results.render import date_words, moment

BERLIN = ZoneInfo("Europe/Berlin")
MORNING = datetime(2020, 5, 6, 8, tzinfo=UTC)


def test_cards_reports_and_short_lists_say_a_moment_alike():
    long = "6 May 2020, 10:00 CEST"
    assert date_words(MORNING, zone=BERLIN, day_only=False) == long
    assert date_words(MORNING, zone=BERLIN, day_only=True) == "6 May 2020"
    rows = [["headline", "published"], ["Dam bursts in Harlow", MORNING.isoformat()]]
    assert moment_of(load(delimited(rows).encode(), "a.csv"), 0, BERLIN) == long
    assert moment(MORNING, BERLIN) == long.removesuffix(" CEST")


def test_a_short_moment_of_this_year_has_no_year():
    now = datetime.now(UTC).replace(month=5, day=6, hour=8, minute=0)
    assert moment(now, BERLIN) == "6 May, 10:00"
    assert moment(now.replace(hour=0)) == "6 May"
