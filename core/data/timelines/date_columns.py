"""The dates of a table, with notes on which were taken and what is undated."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

import numpy as np

from core.data.timelines import addresses, dates, faults, moments
from core.data.timelines.date_choice import DateKind, kind_of, other_dates, sampled
from core.data.timelines.date_parts import times_without_days
from core.data.timelines.raw import RawTable, Texts, listing
from core.data.timelines.timeline import Field, FieldColumns
from core.results.render import count_words
from core.text import language
from core.text.reading import lost, unread_sentences

SEEMS_A_DATE: Final = re.compile(
    r"(?<!\d)(?:19|20)\d{2}(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d{2}|(?<!\d)(?:19|20)\d{6}"
)
_SERIAL: Final = re.compile(r"(?:3[7-9]|4\d|5[0-3])\d{3}(?:[.,]\d+)?")
_UNSURE: Final = re.compile(rf"\b(?:{'|'.join(moments.UNSURE)})\s*$", re.IGNORECASE)
_SHORTEST_DATE, _LONGEST_DATE = 6, 60  # characters
WRITE_DATES: Final = "Write them as 2024-01-15 or 2024-01-15T06:10:00Z, or choose another column."


def dates_of(
    table: RawTable,
    cells: Mapping[str, Texts],
    mapping: FieldColumns,
    now: datetime,
    left_out: Collection[int],
) -> dates.Dates:
    """The dates of a table; what cannot be read leaves its headline undated, and a note says where."""
    if Field.PUBLISHED not in mapping:
        read = dates.parse_column([None] * len(table), now=now)
        unread = unread_column(table, mapping) or times_without_days(table)
        were = count_words(len(table) - len(left_out), "headline has", "headlines have")
        note = f"{unread} {WRITE_DATES}" if unread else f"{were} no date: none was found."
        return replace(read, notes=(note,))
    column = mapping[Field.PUBLISHED][0]
    if Field.URL in mapping:
        cells = {**cells, column: _with_places(cells[column], cells[mapping[Field.URL][0]])}
    lines = table.lines.tolist()
    serials = table.serials or _are_serials(cells[column])
    usual = partial(_usually_day_first, cells, mapping)
    read = dates.parse_column(
        cells[column], now=now, serials=serials, lines=lines, left_out=left_out, usual=usual
    )
    read = without_unreadable(read, cells[column], lambda row: f"line {lines[row]:,}")
    further = [choice_of(table, column)]
    if serials and not table.serials:
        further.append("The dates are numbers of days, as spreadsheets count them.")
    if read.unreadable.any() and np.isnat(read.published).all():
        further.append(f"{unread_column(table, mapping)} {WRITE_DATES}")
    notes = (*filter(None, further), *read.notes, *unread_dates(cells[column], lines))
    empty = [row for row, text in enumerate(cells[column]) if not text and row not in left_out]
    if empty:
        were = count_words(len(empty), "headline has no date", "headlines have no date")
        where = listing((f"line {lines[row]:,}" for row in empty), most=5)
        notes += (f"{were}, as nothing stands in its place: {where}.",)
    return replace(read, notes=notes)


def _usually_day_first(cells: Mapping[str, Texts], mapping: FieldColumns) -> str:
    """Why the language of the headlines, or else the country of all addresses, has the day first; or ""."""
    titles, *places = (
        [text for text in cells.get(mapping.get(field, ("",))[0], ()) if text]
        for field in (Field.HEADLINE, Field.URL, Field.PUBLISHER)
    )
    one = language.common_language(titles)
    spoken = language.common_languages(titles) if one == language.MIXED else {one}
    if any(spoken) and spoken.isdisjoint(moments.NOT_DAY_FIRST):
        names = listing(sorted(language.NAMES.get(code, code) for code in spoken))
        return f"as usual in the language of the headlines ({names})."
    ends = ({addresses.read_address(text).host.rpartition(".")[2] for text in texts} for texts in places)
    told = next((every for every in ends if every and every <= moments.DAY_FIRST_COUNTRIES), ())
    return f"as usual where the addresses are (.{', .'.join(sorted(told))})." if told else ""


def _with_places(texts: Texts, links: Texts) -> Texts:
    """Times of which the zone is told by the country of the address, where its letters mean several."""
    told = list[str | None]()
    for text, link in zip(texts, links, strict=True):
        zone = _UNSURE.search(text) if text and link else None
        country = addresses.read_address(link or "").host.rpartition(".")[2] if zone else ""
        place = moments.UNSURE[zone[0].casefold()].get(country) if zone else None
        told.append(text[: zone.start()] + place if text and zone and place else text)
    return told


def _are_serials(texts: Texts) -> bool:
    """Whether all that is filled are days as spreadsheets count them, of 2000 to 2049: 45377,362."""
    filled = [text.strip() for text in texts if text and text.strip()]
    return bool(filled) and all(map(_SERIAL.fullmatch, filled))


def unread_column(table: RawTable, mapping: FieldColumns) -> str:
    """What is wrong with the column of dates, or one that seems to hold them, of which none can be read."""
    used = {name for field, names in mapping.items() if field is not Field.PUBLISHED for name in names}
    columns = mapping.get(Field.PUBLISHED) or [name for name in table.columns if name not in used]
    for name in columns:
        sample = sampled(table.column(name))
        like = [
            text
            for text in sample
            if _SHORTEST_DATE <= len(text) <= _LONGEST_DATE and SEEMS_A_DATE.search(text)
        ]
        like = [text for text in like if not addresses.WEB_ADDRESS.match(text)]
        if sample and (Field.PUBLISHED in mapping or len(like) >= 0.8 * len(sample)):
            example = (like or sample)[0][:40]
            return f"No date could be read in the column {name[:40]!r}, such as “{example}”."
    return ""


def choice_of(table: RawTable, chosen: str) -> str:
    """Which of several columns of dates was taken; a warning where none says when it was published."""
    others = other_dates(table, chosen)
    if kind_of(chosen, table.columns) is DateKind.VISIT:
        why = "may say when a page was found or changed, not when it was published"
        return f"The dates are those of the column {chosen[:40]!r}, which {why}."
    taken = f"The dates are those of the column {chosen[:40]!r}, not of {listing(map(repr, others))}."
    return taken if others else ""


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
