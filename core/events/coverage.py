"""Events that outlets of one side, country or owner report alone, as a table of outlets has them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, tzinfo
from typing import Final

import numpy as np

from core.data.timelines.timeline import Timeline
from core.events.grouping import Grouping
from core.events.report_times import moment_of
from core.groups.summary import GroupSummary
from core.results.number_forms import whole
from core.results.render import count_words
from core.results.table import Row, Table, TableColumn

ORDERS: Final = {"outlets": "Most outlets", "silent": "Most silent", "newest": "Newest"}
"""Orders of blind spots, by what comes first: the widest, those that most outlets lack, or the last."""
FEWEST: Final = 2  # outlets that report an event, for it to be a blind spot of all others
_COLUMNS: Final = (
    "Event", "Only {}", "Outlets", "Headlines", "Reported by", "Silent (outlets)", "First report"
)  # fmt: skip


def sole_value(outlets: Iterable[str | None], value_of: Mapping[str, str]) -> str:
    """The value that all outlets of an event have, of two at least; "" where they differ or one has none."""
    names = set(outlets)
    values = {value_of.get(name or "", "") for name in names}
    return values.pop() if len(names) >= FEWEST and len(values) == 1 else ""


def blind_spots_table(
    timeline: Timeline, grouping: Grouping, events: Sequence[GroupSummary], column: str,
    value_of: Mapping[str, str], *, order: str = "outlets", zone: tzinfo = UTC,
) -> Table:  # fmt: skip
    """The events that outlets of one value of a column report alone, in one of `ORDERS`."""
    publishers, unsure, rows = timeline.publishers, 0, list[tuple[float, Row]]()
    active = Counter(value_of.values())
    for event in sorted(events, key=lambda event: -len(event.publishers)):
        names = event.publishers
        value = sole_value((publishers[row] for row in event.rows), value_of)
        unsure += not value and len(names) >= FEWEST and len({*map(value_of.get, names)} - {None}) == 1
        if value and len(active) > 1:
            others = (f"{other} ({count})" for other, count in active.most_common() if other != value)
            title = grouping.title(event.group, timeline.texts[event.representative])
            first = "" if event.first is None else moment_of(timeline, event.first, zone)
            keys = {
                "outlets": len(names),
                "silent": active.total() - active[value],
                "newest": -np.inf if event.first is None else timeline.days[event.first],
            }
            reported = len(names), event.size, ", ".join(names), ", ".join(others)
            rows.append((keys[order], (title, value, *reported, first)))
    rows.sort(key=lambda row: -row[0])
    note = f"{count_words(unsure, 'event', 'events')} left out: the {column} of an outlet is not known."
    columns = tuple(TableColumn(name.format(column), form=whole) for name in _COLUMNS)
    return Table(columns=columns, rows=tuple(row for _, row in rows), notes=(note,) * bool(unsure))
