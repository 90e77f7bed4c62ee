"""The dates of a table, with the times that stand beside them and a note on what is undated."""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from core.data.timelines import column_names, dates, faults, moments
from core.data.timelines.raw import RawTable, Texts, listing
from core.data.timelines.timeline import Field, FieldColumns
from core.results.render import count_words
from core.text.reading import lost, unread_sentences

_CLOCKS = frozenset({"time", "uhrzeit", "zeit", "heure", "hora", "ora", "orario", "время"})
_CLOCK = re.compile(
    r"(\d{1,2})(?:[:.h]|\s?Uhr)\s?(\d{2})?(:\d{2})?(?:\s?Uhr|\s?([ap])\.?m\.?)?", re.IGNORECASE
)
_MIDNIGHT = re.compile(r"[T ]0?0:00(?::00)?$")


def join_clock(table: RawTable, cells: dict[str, Texts], mapping: FieldColumns) -> tuple[str, ...]:
    """Puts the times of a column of their own behind the dates; a note where there is one."""
    days = mapping.get(Field.PUBLISHED, ("",))[0]
    mapped = {name for names in mapping.values() for name in names}
    for name in table.columns:
        if not days or name in mapped or column_names.key(name) not in _CLOCKS:
            continue
        times = [_CLOCK.fullmatch((text or "").strip()) for text in table.column(name)]
        if not any(times):
            continue
        for row, (day, time) in enumerate(zip(cells[days], times, strict=True)):
            bare = _MIDNIGHT.sub("", day.strip()) if day else ""
            if time and bare and ":" not in bare and int(time[1]) < 24 and int(time[2] or 0) < 60:
                half = f" {time[4]}m" if time[4] else ""
                cells[days][row] = f"{bare} {time[1]}:{time[2] or '00'}{time[3] or ''}{half}"
        return (f"The times of the column {name[:40]!r} were read with the dates.",)
    return ()


def dates_of(
    table: RawTable,
    cells: Mapping[str, Texts],
    mapping: FieldColumns,
    now: datetime,
    left_out: Container[int],
) -> dates.Dates:
    """The dates of a table; what cannot be read leaves its headline undated, and a note says where."""
    if Field.PUBLISHED not in mapping:
        return dates.parse_column([None] * len(table), now=now)
    column = mapping[Field.PUBLISHED][0]
    lines = table.lines.tolist()
    read = dates.parse_column(cells[column], now=now, serials=table.serials, lines=lines, left_out=left_out)
    read = without_unreadable(read, cells[column], lambda row: f"line {lines[row]:,}")
    return replace(read, notes=(*read.notes, *unread_dates(cells[column], lines)))


def unread_dates(values: Texts, lines: Sequence[int]) -> list[str]:
    """A sentence with the lines of dates that the program failed to read, where there are any."""
    rows = [row for row, value in enumerate(values) if value and lost(moments.flat(value))]
    return unread_sentences({"date": [f"line {lines[row]:,}" for row in rows]} if rows else {})


def without_unreadable(
    read: dates.Dates,
    values: Sequence[str | None],
    place: Callable[[int], str],
    reject: Callable[[int, str], None] | None = None,
) -> dates.Dates:
    """The dates, with a note that counts what is undated; `reject` takes what is more than words alone."""
    undated = []
    for at in np.flatnonzero(read.unreadable).tolist():
        text = (values[at] or "").strip()
        why = faults.why_no_date(text)
        if why and reject:
            reject(at, why)
        else:
            undated.append(f"{place(at)}: “{text[:40]}”{' (no such day or time)' * ('no such' in why)}")
    if not undated:
        return read
    were = count_words(len(undated), "headline has no date", "headlines have no date")
    note = f"{were}, as no day could be read in its place: {listing(undated, most=5, longest=100)}."
    return replace(read, notes=(*read.notes, note))
