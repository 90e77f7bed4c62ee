"""Events that outlets of one side, country or owner report alone, as a table of outlets has them."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from core.data.timelines.timeline import Timeline
from core.events.report_times import moment_of
from core.groups.summary import GroupSummary
from core.results.number_forms import whole
from core.results.render import count_words
from core.results.table import Row, Table, TableColumn

FEWEST: Final = 2  # outlets that report an event, for it to be a blind spot of all others


def sole_value(outlets: Iterable[str | None], value_of: Mapping[str, str]) -> str:
    """The value that all outlets of an event have, of two at least; "" where they differ or one has none."""
    names = set(outlets)
    values = {value_of.get(name or "", "") for name in names}
    return values.pop() if len(names) >= FEWEST and len(values) == 1 else ""


def blind_spots_table(
    timeline: Timeline, events: Sequence[GroupSummary], column: str, value_of: Mapping[str, str],
    title: Callable[[GroupSummary], str],
) -> Table:  # fmt: skip
    """The events that outlets of one value of a column report alone, those of most outlets first."""
    active = Counter(value_of[name] for name in set(timeline.publishers) if name and name in value_of)
    publishers, unsure, rows = timeline.publishers, 0, list[Row]()
    by_outlets = sorted(events, key=lambda event: -len(event.publishers))
    for event in by_outlets:
        value = sole_value((publishers[row] for row in event.rows), value_of)
        values = {value_of[name] for name in event.publishers if name in value_of}
        unsure += not value and len(values) == 1 and len(event.publishers) >= FEWEST
        if value and len(active) > 1:
            silent = [f"{other} ({count})" for other, count in active.most_common() if other != value]
            first = moment_of(timeline, event.first) if event.first is not None else ""
            rows.append((
                title(event), value, len(event.publishers), event.size, ", ".join(event.publishers),
                ", ".join(silent), first,
            ))  # fmt: skip
    names = (
        "Event",
        f"Only {column}",
        "Outlets",
        "Headlines",
        "Reported by",
        "Silent (outlets)",
        "First report",
    )
    columns = tuple(TableColumn(name, form=whole) for name in names)
    said = count_words(unsure, "event is", "events are")
    note = (f"{said} not in it: of an outlet that reports it the {column} is not known.",) * bool(unsure)
    return Table(columns=columns, rows=tuple(rows), notes=note)
