"""From a raw table to a timeline: every row is taken or rejected with its reason; none is lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from core import limits
from core.data.timelines import dates
from core.data.timelines.addresses import read_address
from core.data.timelines.raw import RawTable, key, listing
from core.data.timelines.timeline import Field, LoadReport, RejectedRow, Timeline
from core.errors import InputError
from core.results.render import count_words
from core.text.markup import repaired
from core.text.normalise import clean_block, clean_line, has_hidden, is_missing
from core.text.reading import lost, unread_sentences

if TYPE_CHECKING:
    import pandas as pd

Texts = list[str | None]
Repairs = Mapping[str, Sequence[int]]  # the row of each cell that was repaired, by the beginning of the note
_WORDS = frozenset({Field.HEADLINE, Field.PUBLISHER, Field.AUTHORS, Field.BODY})
"""Fields that hold writing; addresses and group labels stay as they are."""


def _repaired_cells(
    table: RawTable, mapping: Mapping[Field, tuple[str, ...]]
) -> tuple[dict[str, Texts], Repairs]:
    """The texts of each mapped column as they were meant, None for no value; what was repaired."""
    columns: dict[str, Texts] = {}
    references, letters, missing = list[int](), list[int](), list[int]()
    for field, names in mapping.items():
        for name in names:
            texts = table.column(name)
            for row, text in enumerate(texts):
                if not text:
                    continue
                if is_missing(text):
                    missing.append(row)
                    texts[row] = text if field is Field.HEADLINE else None
                elif field in _WORDS:
                    repair = repaired(text)
                    texts[row] = repair.text
                    references += [row] * repair.references
                    letters += [row] * repair.letters
            columns[name] = texts
    return columns, {
        "HTML codes such as &mdash; were decoded in": references,
        "Garbled letters such as Ã© for é were repaired in": letters,
        "“n/a”, “-” or the like was taken for missing in": missing,
    }


def _repair_notes(repairs: Repairs, left_out: Container[int]) -> tuple[str, ...]:
    counts = {what: sum(row not in left_out for row in rows) for what, rows in repairs.items()}
    return tuple(f"{what} {count_words(count, 'cell', 'cells')}." for what, count in counts.items() if count)


Faults = dict[int, tuple[str, str]]
_CODE = re.compile(r"([a-z]{2,3})(?:[-_].*)?")
_LANGUAGES = {"english": "en", "russian": "ru", "italian": "it", "русский": "ru", "английский": "en"}
_ERROR = re.compile(r"#(?:REF!|N/A|VALUE!|DIV/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|GETTING_DATA)", re.IGNORECASE)
"""What a spreadsheet writes where a formula failed."""
_NUMBER = re.compile(r"[\W_]*+(?:\d[\d.,\s]*+(?:e[-+]?\d+)?|inf(?:inity)?)[\W_]*+", re.IGNORECASE)
_BULLET = re.compile(r"[\W_]*+[a-zа-я][.)]", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_HIDDEN = 20  # characters around a name that do not show


def _is_error(text: str) -> bool:
    return text.startswith("#") and _ERROR.fullmatch(text) is not None


class NoRowLeftError(InputError):
    """No row of a table can be used."""

    rejected: tuple[RejectedRow, ...] = ()


def checked(
    table: RawTable, mapping: Mapping[Field, tuple[str, ...]], now: datetime
) -> tuple[dict[str, Texts], Faults, dates.Dates, list[str]]:
    """Texts of mapped columns (headlines in one line), why rows cannot be used, dates, and further notes."""
    faults: Faults = {}
    cells, repairs = _repaired_cells(table, mapping)
    hidden: list[str] = []
    if column := mapping.get(Field.HEADLINE, ("",))[0]:
        _check_lengths(table, column, faults)
        _check_headers(table, mapping, faults)
        cells[column], hidden = _headlines(cells[column], column, faults)
    notes = [*table.notes, *_repair_notes(repairs, faults), *hidden, *_join_clock(table, cells, mapping)]
    return cells, faults, _dates_of(table, cells, mapping, now, faults), notes


def validate(
    table: RawTable, mapping: Mapping[Field, tuple[str, ...]], *, name: str, format_name: str, now: datetime
) -> Timeline:
    cells, faults, read_dates, notes = checked(table, mapping, now)
    keep = np.array([row for row in range(len(table)) if row not in faults], dtype=np.int64)
    notes += _repeats(table, mapping, keep)
    rejected = sorted((*table.rejected, *_rejected(table, faults)), key=lambda row: row.line)
    if not len(keep):
        raise _nothing_left(len(table), rejected)
    annotators = [cells[name] for name in mapping.get(Field.ANNOTATOR, ())]
    fields = {field: cells[names[0]] for field, names in mapping.items()}
    frame = _columns(fields, annotators, read_dates, notes)
    ledger = {**table.ledger, "kept": len(keep), "rejected": len(rejected)}
    if "pairs" in table.ledger:  # headlines are no lines there
        ledger = {**table.ledger, "other_timelines": 0, "rejected": len(table.rejected)}
    return Timeline(
        name=name,
        table=frame.iloc[keep].reset_index(drop=True),
        original=table.cells.iloc[keep].reset_index(drop=True),
        lines=table.lines[keep],
        report=LoadReport(
            format=format_name,
            encoding=table.encoding,
            columns=dict(mapping),
            rejected=tuple(rejected),
            notes=tuple(notes) + read_dates.notes,
            ledger=ledger,
        ),
    )


_CLOCKS = frozenset({"time", "uhrzeit", "zeit", "heure", "hora", "ora", "orario", "время"})
_CLOCK = re.compile(
    r"(\d{1,2})(?:[:.h]|\s?Uhr)\s?(\d{2})?(:\d{2})?(?:\s?Uhr|\s?([ap])\.?m\.?)?", re.IGNORECASE
)
_MIDNIGHT = re.compile(r"[T ]0?0:00(?::00)?$")


def _join_clock(
    table: RawTable, cells: dict[str, Texts], mapping: Mapping[Field, tuple[str, ...]]
) -> tuple[str, ...]:
    """Puts the times of a column of their own behind the dates; a note where there is one."""
    days = mapping.get(Field.PUBLISHED, ("",))[0]
    mapped = {name for names in mapping.values() for name in names}
    for name in table.columns:
        if not days or name in mapped or key(name) not in _CLOCKS:
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


def _columns(
    fields: Mapping[Field, Texts], annotators: Sequence[Texts], read_dates: dates.Dates, notes: list[str]
) -> pd.DataFrame:
    import pandas as pd

    if Field.PUBLISHER not in fields and Field.URL in fields:
        hosts = [_host(url) if url else None for url in fields[Field.URL]]
        if any(hosts):
            notes.append("The publisher was taken from the address of the article.")
        fields = {**fields, Field.PUBLISHER: hosts}
    frame = pd.DataFrame(index=range(len(read_dates.published)))
    for field in Field:
        if field is Field.PUBLISHED:
            frame[field.value] = pd.Series(read_dates.published).dt.tz_localize("UTC")
            frame["day_only"] = read_dates.day_only
        elif field is Field.HEADLINE:
            frame[field.value] = pd.Series(fields[field], dtype=object)
        elif field is not Field.ANNOTATOR:
            texts = fields.get(field, [None] * len(frame))
            frame[field.value] = pd.Series(_cleaned(texts, _CLEAN.get(field, clean_line)), dtype=object)
    for number, texts in enumerate(annotators, 1):
        labels = [clean_line(text) or None if text else None for text in texts]
        frame[f"annotator_{number}"] = pd.Series(labels, dtype=object)
    return frame


def _cleaned(texts: Texts, clean: Callable[[str], str]) -> Texts:
    return [clean(text) or None if text and not _is_error(text.strip()) else None for text in texts]


def _check_lengths(table: RawTable, headline: str, faults: Faults) -> None:
    most = limits.FIELD_CHARACTERS.value
    for name in map(str, table.cells.columns):
        if name == headline:
            continue  # has its own, lower limit
        for row, value in enumerate(table.column(name)):
            if value and len(value) > most:
                faults.setdefault(
                    row, (name, f"The cell has {len(value):,} characters; at most {most:,} are read.")
                )


def _check_headers(table: RawTable, mapping: Mapping[Field, tuple[str, ...]], faults: Faults) -> None:
    columns = [name for names in mapping.values() for name in names if name in table.cells.columns]
    if table.header is None or len(columns) < 2:
        return
    headline = mapping[Field.HEADLINE][0]
    for row, text in enumerate(table.column(headline)):
        if not text or len(text) > len(headline) + _HIDDEN or clean_line(text) != headline:
            continue
        if all(clean_line(table.cells[name].iloc[row] or "") == name for name in columns):
            faults[row] = (headline, "The row repeats the names of the columns.")


def _repeats(
    table: RawTable, mapping: Mapping[Field, tuple[str, ...]], keep: npt.NDArray[np.int64]
) -> list[str]:
    columns = [table.column(name) for names in mapping.values() for name in names]
    if len(columns) < 3:  # two outlets may well have the same words on the same day
        return []
    first: dict[tuple[str | None, ...], int] = {}
    repeated = []
    rows = list(zip(*columns, strict=True))
    for row in keep.tolist():
        earlier = first.setdefault(rows[row], row)
        if earlier != row:
            repeated.append((int(table.lines[row]), int(table.lines[earlier])))
    if not repeated:
        return []
    shown = listing((f"line {line} repeats line {earlier}" for line, earlier in repeated), most=3)
    what = count_words(len(repeated), "row repeats an earlier one", "rows repeat earlier ones")
    return [f"{what} in every column that is read ({shown}); all were kept."]


def _headlines(cells: Texts, column: str, faults: Faults) -> tuple[Texts, list[str]]:
    result: Texts = []
    hidden = 0
    for row, value in enumerate(cells):
        text = clean_line(value) if value else ""
        result.append(text)
        if why := why_no_headline(text):
            faults.setdefault(row, (column, why))
        elif value and row not in faults and has_hidden(value):
            hidden += 1
    what = f"Hidden control characters were taken out of {count_words(hidden, 'headline', 'headlines')}."
    return result, [what] if hidden else []


def _says(letter: str) -> bool:
    return letter.isalpha() or letter.isdecimal()


def why_no_headline(text: str) -> str:
    most = limits.HEADLINE_CHARACTERS.value
    if not text:
        return "The headline is empty."
    if _is_error(text):
        return f"A formula failed here: {text} stands in place of the headline."
    if is_missing(text):
        return f"“{text}” stands in place of the headline."
    if "\ufffd" in text and not any(map(str.isalnum, text)):
        return "No character of the headline could be read."
    if _NUMBER.fullmatch(text):
        return "There is only a number where the headline should be."
    if not any(map(_says, text)) or _BULLET.fullmatch(text):
        return f"There is no word in “{text[:20]}”, which stands where the headline should be."
    if not any(map(_says, _ADDRESS.sub("", text))):
        return "There is only an address where the headline should be."
    return (
        f"The headline has {len(text):,} characters; at most {most:,} are read." if len(text) > most else ""
    )


def _dates_of(
    table: RawTable,
    cells: Mapping[str, Texts],
    mapping: Mapping[Field, tuple[str, ...]],
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
    rows = [row for row, value in enumerate(values) if value and lost(dates.flat(value))]
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
        why = why_no_date(text)
        if why and reject:
            reject(at, why)
        else:
            undated.append(f"{place(at)}: “{text[:40]}”{' (no such day or time)' * ('no such' in why)}")
    if not undated:
        return read
    were = count_words(len(undated), "headline has no date", "headlines have no date")
    note = f"{were}, as no day could be read in its place: {listing(undated, most=5, longest=100)}."
    return replace(read, notes=(*read.notes, note))


def why_no_date(text: str) -> str:
    """Why what stands in the place of a date is none; "" for words alone, which say nothing of the day."""
    if not (_is_error(text) or any(map(str.isdigit, text))):
        return ""
    if _is_error(text):
        return f"A formula failed here: {text} stands in place of the date."
    why = "is no such day or time" if dates.looks_whole(text) else "cannot be read as a date"
    return f"“{text[:40]}” {why}; write it as 2015-01-14 or 2015-01-14T09:30:00Z."


def _host(url: str) -> str | None:
    try:
        host = urlsplit(url.strip()).hostname
    except ValueError:
        return None
    return clean_line(read_address(url).host.partition(":")[0] or host) or None if host else None


def _language(text: str) -> str:
    folded = clean_line(text).casefold()
    code = _CODE.fullmatch(folded)
    return _LANGUAGES.get(folded) or (code[1] if code else "")


_CLEAN: dict[Field, Callable[[str], str]] = {Field.BODY: clean_block, Field.LANGUAGE: _language}
"""How the texts of a field become plain; those of the others become one line."""


def _rejected(table: RawTable, faults: Faults) -> list[RejectedRow]:
    rows: list[RejectedRow] = []
    order = sorted(faults)
    for row, record in zip(order, table.cells.iloc[order].to_dict("records"), strict=True):
        column, reason = faults[row]
        cells = {str(name): value or "" for name, value in record.items()}
        value = cells[column] if column in cells else str(table.derived[column].iloc[row] or "")
        rows.append(RejectedRow(int(table.lines[row]), column, value[:200], reason, cells))
    return rows


def _nothing_left(count: int, rejected: Sequence[RejectedRow]) -> NoRowLeftError:
    if not rejected:
        return NoRowLeftError("The file has a header but no rows.", hint="Give at least one row.")
    first = rejected[0]
    where = f", column {first.column[:40]!r}" if first.column else ""
    error = NoRowLeftError(
        f"None of the {max(count, len(rejected)):,} rows could be read; the first fails at "
        f"line {first.line:,}{where}: {first.reason}",
        hint="Check that the columns are matched rightly and the rows are complete.",
    )
    error.rejected = tuple(rejected)
    return error
