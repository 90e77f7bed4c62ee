"""Days that stand in columns of day, month and year, and times in a column beside the days."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from core.data.timelines import moments, nested
from core.data.timelines.column_names import CLOCK_WORDS, DATE_WORDS, key
from core.data.timelines.date_choice import DateKind, kind_of, sampled, share_of_dates
from core.data.timelines.raw import RawTable, Texts
from core.data.timelines.timeline import Field, FieldColumns

_MIDNIGHT: Final = re.compile(r"[T ]0?0:00(?::00)?$")
_DAY_OF_NOTHING: Final = "2000-01-01"
_DAY_ABOVE: Final = "publication day above"
_POINTED_CLOCK: Final = re.compile(r"(\d{1,2})[.,](\d{1,2})")
_CLOCK_BEHIND: Final = re.compile(r"[T ]+\d{1,2}[:.]\d{2}.*$")
_CLOCKS: Final = frozenset((*CLOCK_WORDS["time"], *CLOCK_WORDS["hour"]))
_OFTEN_EMPTY: Final = 0.2  # least share of rows without a day where days stand in the first of several rows
_MOSTLY: Final = 0.8  # of its values count back in a column of such times
_DATED: Final = 0.5  # of its values are dates in a column of dates


def with_joined_days(table: RawTable) -> RawTable:
    """The table with a column of whole days, where day, month and year stand in three and none is a date."""
    keys = {key(name): name for name in reversed(table.columns)}
    columns = [
        next((keys[word] for word in DATE_WORDS[part] if word in keys), "")
        for part in ("year", "month", "day")
    ]
    others = [name for name in table.columns if name not in columns and key(name) not in _CLOCKS]
    if not all(columns) or any(kind_of(name) <= DateKind.DATE for name in others):
        return table
    days = [
        _day(*((cell or "").strip() for cell in row)) for row in zip(*map(table.column, columns), strict=True)
    ]
    name = ", ".join(reversed(columns))
    if not any(days) or name in table.columns:
        return table
    return nested.with_columns(table, {name: days})


def with_days_of_sections(table: RawTable) -> RawTable:
    """The table with a column of the day that stands alone in a line above, where no column has dates."""
    if table.header is None or sum(all(table.cells[name]) for name in table.cells) > 1:
        return table  # nothing stands alone in a line
    filled = table.cells.fillna("").astype(bool)
    alone = (filled.sum(axis=1) == 1).to_numpy().nonzero()[0].tolist()
    texts = {row: "".join(filter(None, table.cells.iloc[row])) for row in alone}
    days = {row: text for row, text in texts.items() if (read := moments.parse(text)) and read.day_only}
    if not days:
        return table
    others = [
        [text for row, text in enumerate(table.column(name)) if row not in days] for name in table.columns
    ]
    dated = any(share_of_dates(sampled(texts)) >= _DATED for texts in others)
    if dated or len(days) == len(table):
        return table
    carried: Texts = []
    day: str | None = None
    for row in range(len(table)):
        day = days.get(row, day)
        carried.append(None if row in days else day)
    example = next(iter(days.values()))
    note = f"The days are those of {len(days):,} lines that stand above the rows, as “{example}”."
    return replace(nested.with_columns(table, {_DAY_ABOVE: carried}), notes=(*table.notes, note))


def filled_days(texts: Texts, lines: Sequence[int]) -> tuple[Texts, list[str]]:
    """Days carried down where each stands once, in order, in the first of its rows; a note where any was."""
    read = [moments.parse(moments.flat(text)) for text in texts if text]
    days = [moment.when.date() for moment in read if moment]
    ordered = len(set(days)) == len(read) and days in (sorted(days), sorted(days, reverse=True))
    return filled_down(texts, lines, "a day") if ordered and len(days) > 1 else (texts, [])


def filled_down(texts: Texts, lines: Sequence[int], what: str) -> tuple[Texts, list[str]]:
    """Texts carried down where the first row has one and many have none; a note where any was."""
    empty = [row for row, text in enumerate(texts) if not text]
    if not texts or not texts[0] or len(empty) < max(2, _OFTEN_EMPTY * len(texts)):
        return texts, []
    carried: Texts = []
    for text in texts:
        last = carried[-1] if carried else None
        carried.append(text or (last and _CLOCK_BEHIND.sub("", last)))
    note = f"{len(empty):,} rows without {what} have that of the row above, as line {lines[empty[0]]:,}."
    return carried, [note]


def times_without_days(table: RawTable) -> str:
    """What the first column says that holds times of day, or hours since a time not told; "" for none."""
    for name in table.columns:
        sample = sampled(table.column(name))
        said, why = f"The column {name[:40]!r} holds times", "so no headline is dated."
        named = not set(CLOCK_WORDS["time"]).isdisjoint(key(name).split("_"))
        if named and sample and sum(bool(_clock(text, hours=False)) for text in sample) > len(sample) / 2:
            return f"{said} without days, {why}"
        since = [text for text in sample if moments.RELATIVE.fullmatch(text)]
        if since and len(since) >= _MOSTLY * len(sample) and any(map(str.isdigit, "".join(since))):
            return f"{said} such as “{since[0][:40]}” without the day they count from, {why}"
    return ""


def _day(year: str, month: str, day: str) -> str | None:
    if not (year and month and day):
        return None
    numbers = year.isdigit() and month.isdigit() and day.isdigit()
    return f"{year}-{month:>02}-{day:>02}" if numbers else f"{day.rstrip('.')} {month} {year}"


def join_clock(table: RawTable, cells: dict[str, Texts], mapping: FieldColumns) -> tuple[str, ...]:
    """Puts the times of a column of their own behind the dates; a note where there is one."""
    days = mapping.get(Field.PUBLISHED, ("",))[0]
    mapped = {name for names in mapping.values() for name in names}
    for name in table.columns:
        words = set(key(name).split("_"))
        span = kind_of(name) is DateKind.VISIT or not words.isdisjoint(CLOCK_WORDS["span"])
        if not days or name in mapped or span or words.isdisjoint(_CLOCKS):
            continue
        hours = not words.isdisjoint(CLOCK_WORDS["hour"])
        texts = [(text or "").strip() for text in table.column(name)]
        clocks = {text: _clock(text, hours=hours) for text in set(texts) - {""}}
        if not any(clocks.values()):
            continue
        for row, (day, text) in enumerate(zip(cells[days], texts, strict=True)):
            bare = _MIDNIGHT.sub("", day.strip()) if day else ""
            if bare and ":" not in bare and (clock := clocks.get(text)):
                cells[days][row] = f"{bare} {clock}"
        return (f"The times of the column {name[:40]!r} were read with the dates.",)
    return ()


def _clock(text: str, *, hours: bool) -> str:
    """A time as it may stand behind a day; "" for what is none."""
    if hours and text.isdigit() and int(text) < 24:
        return f"{int(text)}:00"
    if clock := _POINTED_CLOCK.fullmatch(text):  # 8.41, and 17.3 for 17:30 in a sheet
        text = f"{clock[1]}:{clock[2]:0<2}"
    hour, half, _ = text.lower().partition("am" if "am" in text.lower() else "pm")
    if half and hour.strip().isdigit():
        text = f"{hour.strip()}:00 {half}"
    read = None if len(text) > moments.LONGEST else moments.parse(f"{_DAY_OF_NOTHING} {text}")
    return text if read and not read.day_only else ""
