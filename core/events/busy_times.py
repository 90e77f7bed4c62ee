"""Busy stretches of time with the quiet between them cut out, and the sentence that they make."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Final

from core.data.timelines.periods import Period, written_day
from core.events.lanes import Lane

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
HOURLY: Final = 3 * DAY  # reports with times within less than this are counted by the hour
QUIET: Final = 30  # days, or hours, without a report that are cut out
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_UNITS: Final = {"years": 365.25, "months": 30.44, "days": 1.0, "hours": 1 / 24}


@dataclass(frozen=True, slots=True)
class BusyStretch:
    first: datetime  # where its first day or hour begins
    end: datetime  # where its last one ends

    @property
    def period(self) -> Period:
        return Period(self.first.date(), (self.end - timedelta(seconds=1)).date())


def times_of(lanes: Sequence[Lane]) -> list[datetime]:
    return sorted(mark.time for lane in lanes for mark in lane.marks if mark.time is not None)


def unit_of(lanes: Sequence[Lane]) -> timedelta:
    """What a dot stands for: a day, or an hour where all is known to the hour and lies close together."""
    times, dated = times_of(lanes), [mark for lane in lanes for mark in lane.marks if mark.time is not None]
    close = bool(times) and times[-1] - times[0] < HOURLY
    return HOUR if close and all(":" in mark.when for mark in dated) else DAY


def unit_start(time: datetime, unit: timedelta) -> datetime:
    return datetime.fromtimestamp(time.timestamp() // unit.total_seconds() * unit.total_seconds(), UTC)


def busy_stretches(
    times: Sequence[datetime], unit: timedelta, *, most: int | None = None
) -> list[BusyStretch]:
    """Stretches with quiet of more than `QUIET` units between them; of `most`, between the longest quiet.

    Their ends are in the zone of the times for hours, in UTC for days.
    """
    zone = next((time.tzinfo for time in times if unit < DAY), UTC)
    starts = sorted({unit_start(time, unit) for time in times})
    quiet = [
        (later - earlier, place)
        for place, (earlier, later) in enumerate(pairwise(starts), 1)
        if later - earlier > (QUIET + 1) * unit
    ]
    cuts = sorted(place for _, place in sorted(quiet, reverse=True)[: None if most is None else most - 1])
    ends = zip([0, *cuts], [*cuts, len(starts)], strict=True)
    found = [(starts[first], starts[last - 1] + unit) for first, last in ends if starts]
    return [BusyStretch(first.astimezone(zone), end.astimezone(zone)) for first, end in found]


def said_quiet(quiet: timedelta) -> str:
    """How long nothing was reported, for people: `15 mo`, `2 y`."""
    days = quiet / DAY
    unit, long = next((unit, long) for unit, long in _UNITS.items() if days >= 2 * long or unit == "hours")
    return f"{round(days / long)} {'mo' if unit == 'months' else unit[0]}"


def finding(lanes: Sequence[Lane]) -> str:
    """What the lanes show, in a sentence; "" where no report has a date."""
    times, several = times_of(lanes), [lane for lane in lanes if len(lane.marks) > 1]
    if not times:
        return ""
    stretches, events = busy_stretches(times, unit_of(lanes)), len(several or lanes)
    named = f"{_number(events)} {'event' if several else 'report'}{'s' * (events > 1)}"
    if len(stretches) == 1:
        zone = stretches[0].first.tzinfo
        day, most = Counter(time.astimezone(zone).date() for time in times).most_common(1)[0]
        said = f"{named[0].upper()}{named[1:]} {_within(stretches[0].period)}"
        if 1 < most < len(times) < 5 * most:
            said += f"; {most:,} of {len(times):,} reports are from {written_day(day)}"
        return f"{said}."
    days = (times[-1] - times[0]) / DAY
    spans = [f"{_number(count)} {unit}" for unit, long in _UNITS.items() if (count := round(days / long)) > 1]
    said = f"{_number(len(stretches)).capitalize()} bursts in {spans[0]}"

    def inside(stretch: BusyStretch) -> int:
        held = ([mark.time for mark in lane.marks if mark.time is not None] for lane in several)
        return sum(bool(own) and own[0] >= stretch.first and own[-1] < stretch.end for own in held)

    best = max(stretches, key=inside)
    if (count := inside(best)) > 1:
        return f"{said}; {_number(count)} of the {named} fall {_within(best.period)}."
    return f"{said}, of {named}."


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count:,}"


def _within(period: Period) -> str:
    days = (period.last - period.first).days + 1
    if days == 1:
        return f"on {period.words}"
    if (period.first.year, period.first.month) == (period.last.year, period.last.month):
        return f"in {_number(days)} days of {period.first:%B %Y}"
    return f"between {period.words.replace(' – ', ' and ')}"
