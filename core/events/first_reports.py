"""Who reported an event first: the place of each report, and a table of outlets over many events."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.timelines.timeline import Timeline
from core.groups.summary import GroupSummary
from core.results.number_forms import whole
from core.results.render import count_words
from core.results.table import Table, TableColumn

_MINUTES: Final = 24 * 60
FIRST, OWN = "first", "own report"
FOLLOW_UP, EDIT, COPY = "follow-up", "edit", "copy"
"""Of an outlet that reported before, of an article that it edited, of another outlet's text."""
_SHARED: Final = "Shared events"  # what "First or tied" is of
_COLUMNS: Final = (
    "Outlet", "Events", "First or tied", _SHARED, "Alone", "Median delay ({})", "Own reports", "Follow-ups",
    "Copies",
)  # fmt: skip
_NOTES: Final = (
    "Shared events: several outlets report them. Without hours, all reports of the first day are tied.",
    "Alone: events and reports of this outlet only. Delay: from an event’s first report to the outlet’s own "
    "first, 0 where it was first.",
)


@dataclass(frozen=True, slots=True)
class ReportPlace:
    kind: str  # one of these words
    delay: float  # minutes since the first report; NaN where a date is missing, whole days without hours


def report_places(timeline: Timeline, events: Iterable[GroupSummary]) -> list[dict[int, ReportPlace]]:
    """What each report of each event is, by its row, in the order of time."""
    days, publishers, article = timeline.days, timeline.publishers, timeline.editions.article
    day_only = timeline.table["day_only"].to_numpy(dtype=np.bool_)
    return [_places(event, days, publishers, article, day_only) for event in events]


def _places(
    event: GroupSummary, days: FloatArray, publishers: Sequence[str | None], article: IntArray,
    day_only: BoolArray,
) -> dict[int, ReportPlace]:  # fmt: skip
    rows, copies = event.rows, {row: report[0] for report in event.reports for row in report[1:]}
    dated = [row for row in rows if not math.isnan(days[row])]
    # Without hours a day is all that is known: what came on it came first.
    coarse = bool(day_only[dated].any())
    known = {row: math.floor(days[row]) if coarse else days[row] for row in dated}
    start = min(known.values(), default=math.nan)
    seen, articles, places = set[str](), set[int](), dict[int, ReportPlace]()
    for row in rows:
        outlet, delay = publishers[row] or "", math.nan
        if row in known:
            delay = float(round((known[row] - start) * _MINUTES))
        if int(article[row]) in articles:
            kind = EDIT
        elif outlet in seen:
            kind = FOLLOW_UP
        elif row in copies and (publishers[copies[row]] or "") != outlet:
            kind = COPY
        else:
            kind = FIRST if delay == 0 else OWN
        seen |= {outlet} - {""}
        articles.add(int(article[row]))
        places[row] = ReportPlace(kind, delay)
    return places


@dataclass(slots=True)
class _Outlet:
    events: int = 0
    first: int = 0
    alone: int = 0
    delays: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)


def outlets_table(timeline: Timeline, events: Sequence[GroupSummary]) -> Table:
    """How often each outlet was first or alone, how late it was, what it copied; the most often first on top.

    First and delays are of events of two outlets and more: of an outlet's first report, 0 where that was
    the first of all, in days where no headline has an hour.
    """
    outlets, publishers = dict[str, _Outlet](), timeline.publishers
    for event, places in zip(events, report_places(timeline, events), strict=True):
        named = {name for row in event.rows if (name := publishers[row])}
        timed = {publishers[row] for row, place in places.items() if not math.isnan(place.delay)} - {None}
        met: set[str] = set()
        for row, place in places.items():
            name = publishers[row]
            if not name:
                continue
            own = outlets.setdefault(name, _Outlet())
            own.kinds[place.kind] += 1
            if name in met:
                continue
            met.add(name)
            own.events += 1
            own.alone += len(named) == 1
            if len(timed) > 1 and not math.isnan(place.delay):
                own.first += place.kind == FIRST
                own.delays.append(place.delay)
    days = bool(timeline.table["day_only"].all())
    unit = _MINUTES if days else 1
    ordered = sorted(outlets.items(), key=lambda each: (-each[1].first, -each[1].events, each[0]))
    rows = tuple(
        (
            name, own.events, own.first, own.events - own.alone, own.alone,
            median(own.delays) / unit if own.delays else None,
            own.kinds[OWN] + own.kinds[FIRST], own.kinds[FOLLOW_UP], own.kinds[COPY],
        )
        for name, own in ordered
    )  # fmt: skip
    head, *others = (name.format("days" if days else "min") for name in _COLUMNS)
    columns = (TableColumn(name, form=whole, files_only=name == _SHARED) for name in others)
    return Table(columns=(TableColumn(head), *columns), rows=rows, notes=_NOTES if rows else ())


def who_was_first(table: Table) -> str:
    """What a table of outlets shows of them, in a sentence."""
    most = int(str(table.rows[0][2])) if table.rows else 0
    names = [str(row[0]) for row in table.rows if row[2] == most]
    if not most:
        shared = any(row[3] for row in table.rows)
        return "No date says who was first" if shared else "No event here is reported by two outlets"
    who = f"{len(names)} outlets" if len(names) > 2 else " and ".join(names)
    if len(names) == 1:
        return f"{who} was first or tied most often: in {most} of {table.rows[0][3]} shared events"
    return f"{who} were first or tied most often: in {count_words(most, 'event', 'events')} each"
