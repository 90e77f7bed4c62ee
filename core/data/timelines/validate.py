"""From a raw table to a timeline: every row is taken or rejected with its reason."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from core import limits
from core.arrays import IntArray
from core.data.timelines import addresses, dates
from core.data.timelines.column_names import key
from core.data.timelines.columns import unused_outlets
from core.data.timelines.date_columns import dates_of
from core.data.timelines.date_parts import filled_days, filled_down, join_clock
from core.data.timelines.faults import is_spreadsheet_error, why_no_headline
from core.data.timelines.raw import RawTable, Texts, listing
from core.data.timelines.repairs import repair_notes, repaired_cells
from core.data.timelines.section_lines import section_lines
from core.data.timelines.timeline import Field, FieldColumns, LoadReport, RejectedRow, Timeline
from core.data.timelines.title_endings import outlet_endings
from core.data.timelines.unpublished import unpublished_rows
from core.errors import InputError
from core.results.render import count_words
from core.text.normalise import clean_block, clean_line, has_hidden

if TYPE_CHECKING:
    import pandas as pd

Faults = dict[int, tuple[str, str]]
_CODE = re.compile(r"([a-z]{2,3})(?:[-_].*)?")
_LANGUAGES = {"english": "en", "russian": "ru", "italian": "it", "русский": "ru", "английский": "en"}
_HIDDEN = 20  # characters around a name that do not show
_NUMBER = re.compile(r"-?\d+(?:\.0)?")


class NoRowLeftError(InputError):
    """No row of a table can be used."""

    rejected: tuple[RejectedRow, ...] = ()


class Checked(NamedTuple):
    cells: dict[str, Texts]  # of mapped columns; headlines in one line and without their outlet
    faults: Faults  # why rows cannot be used
    dates: dates.Dates
    notes: list[str]
    outlets: Texts


def checked(table: RawTable, mapping: FieldColumns, now: datetime) -> Checked:
    faults: Faults = {}
    cells, repairs = repaired_cells(table, mapping)
    hidden: list[str] = []
    if column := mapping.get(Field.HEADLINE, ("",))[0]:
        _check_lengths(table, column, faults)
        _check_headers(table, mapping, faults)
        cells[column], hidden = _headlines(cells[column], column, faults)
        for row, why in section_lines(table, column, cells[column]).items():
            faults.setdefault(row, (column, why))
        unpublished = unpublished_rows(table, cells[column])
        for row, said in unpublished.items():
            faults.setdefault(row, (column, f"“{said[:40]}” says that this is no published article."))
        hidden += _unpublished_note(unpublished)
    filled = list[str]()
    if column := mapping.get(Field.PUBLISHED, ("",))[0]:
        cells[column], filled = filled_days(cells[column], table.lines.tolist())
    outlet = mapping.get(Field.PUBLISHER, ("",))[0]
    if filled and outlet and Field.URL not in mapping:
        cells[outlet], further = filled_down(cells[outlet], table.lines.tolist(), "an outlet")
        filled += further
    notes = [*table.notes, *repair_notes(repairs, faults), *hidden, *filled]
    notes += join_clock(table, cells, mapping)
    if group := mapping.get(Field.GOLD, ("",))[0]:
        cells[group], alone = _without_noise(cells[group], table.lines.tolist())
        notes += alone
        if "id" in key(group).split("_"):
            notes.append(f"The gold groups are those of the column {group[:40]!r}.")
    outlets, further = _outlets(table, mapping, cells)
    return Checked(cells, faults, dates_of(table, cells, mapping, now, faults), [*notes, *further], outlets)


def _without_noise(groups: Texts, lines: Sequence[int]) -> tuple[Texts, list[str]]:
    """Groups by number with each −1, as clustering programs say that a row is in none, as one of its own."""
    noise = [(group or "").strip() in ("-1", "-1.0") for group in groups]
    if sum(noise) < 2 or not all(_NUMBER.fullmatch(group.strip()) for group in groups if group):
        return groups, []
    own = [
        f"-1 in line {line}" if out else group for group, line, out in zip(groups, lines, noise, strict=True)
    ]
    what = count_words(sum(noise), "row has", "rows have")
    return own, [f"{what} −1 for a group, which clustering programs give to what is in none: each is alone."]


def _unpublished_note(rows: Mapping[int, str]) -> list[str]:
    said = listing(f"“{word}” ({count:,})" for word, count in Counter(rows.values()).most_common())
    what = count_words(
        len(rows), "row is no published article and was", "rows are no published articles and were"
    )
    return [f"{what} left out: {said}."] if rows else []


def _outlets(table: RawTable, mapping: FieldColumns, cells: dict[str, Texts]) -> tuple[Texts, list[str]]:
    """The outlet of each row, and notes; takes outlets off the end of the titles among the cells."""
    empty: Texts = [None] * len(table)
    named = cells[mapping[Field.PUBLISHER][0]] if Field.PUBLISHER in mapping else empty
    links = cells[mapping[Field.URL][0]] if Field.URL in mapping else empty
    hosts = [_host(link) if link and not name else None for link, name in zip(links, named, strict=True)]
    passing = {name for name in {*named, *hosts} if name and addresses.passes_on(name)}
    passed_on = {row for row, both in enumerate(zip(named, hosts, strict=True)) if passing & {*both}}
    outlets, hosts = ([None if name in passing else name for name in names] for names in (named, hosts))
    titles = cells[mapping[Field.HEADLINE][0]] if Field.HEADLINE in mapping else empty
    outlets = [  # neither the headline itself nor an address
        None
        if not name or name.strip() == title
        else _host(name)
        if "://" in name
        else name.removeprefix("www.")
        for name, title in zip(outlets, titles, strict=True)
    ]
    notes: list[str] = []
    if passing:
        which = listing(sorted(passing), most=3)
        notes.append(f"{which} only passes headlines on, so it was not taken for an outlet.")
    if Field.HEADLINE in mapping and not table.titles_final:
        known = [outlet or host for outlet, host in zip(outlets, hosts, strict=True)]
        ended = outlet_endings(titles, known, passed_on=passed_on)
        for row, (titles[row], name) in ended.items():
            outlets[row] = outlets[row] or name
        if ended:
            what = count_words(len(ended), "title ends", "titles end")
            notes.append(
                f"{what} in an outlet's name; it was taken off, and is the outlet where no other was."
            )
    if any(hosts):
        of_hosts: dict[str | None, set[str]] = defaultdict(set)
        for link, outlet in zip(links, outlets, strict=True):
            if link and outlet:
                of_hosts[_host(link)].add(outlet)
        known_as = {host: min(names) for host, names in of_hosts.items() if len(names) == 1}
        hosts = [known_as.get(host, host) if host else None for host in hosts]
    if any(host and not outlet for host, outlet in zip(hosts, outlets, strict=True)):
        notes.append("The publisher was taken from the address of the article.")
    if not any(outlets) and (unused := unused_outlets(table, mapping)):
        notes.append(f"The column {unused[:40]!r} seems to hold outlets and was not used.")
    return [outlet or host for outlet, host in zip(outlets, hosts, strict=True)], notes


def validate(
    table: RawTable, mapping: FieldColumns, *, name: str, format_name: str, now: datetime
) -> Timeline:
    cells, faults, read_dates, notes, outlets = checked(table, mapping, now)
    keep = np.array([row for row in range(len(table)) if row not in faults], dtype=np.int64)
    notes += _repeats(table, mapping, keep)
    rejected = sorted((*table.rejected, *_rejected(table, faults)), key=lambda row: row.line)
    if not len(keep):
        raise _nothing_left(len(table), rejected)
    annotators = [cells[name] for name in mapping.get(Field.ANNOTATOR, ())]
    fields = {field: cells[names[0]] for field, names in mapping.items()} | {Field.PUBLISHER: outlets}
    frame = _columns(fields, annotators, read_dates)
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


def _columns(
    fields: Mapping[Field, Texts], annotators: Sequence[Texts], read_dates: dates.Dates
) -> "pd.DataFrame":
    import pandas as pd

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
    written = (text if text and not is_spreadsheet_error(text.strip()) else None for text in texts)
    return [clean(text) or None if text else None for text in written]


def _check_lengths(table: RawTable, headline: str, faults: Faults) -> None:
    most = limits.FIELD_CHARACTERS.value
    for name in map(str, table.cells.columns):
        if name == headline:
            continue  # has its own, lower limit
        for row, value in enumerate(table.column(name)):
            if value and len(value) > most:
                why = f"The cell has {len(value):,} characters; at most {most:,} are read."
                faults.setdefault(row, (name, why))


def _check_headers(table: RawTable, mapping: FieldColumns, faults: Faults) -> None:
    columns = [name for names in mapping.values() for name in names if name in table.cells.columns]
    if table.header is None or len(columns) < 2:
        return
    headline = mapping[Field.HEADLINE][0]
    for row, text in enumerate(table.column(headline)):
        if not text or len(text) > len(headline) + _HIDDEN or clean_line(text) != headline:
            continue
        if all(clean_line(table.cells[name].iloc[row] or "") == name for name in columns):
            faults[row] = (headline, "The row repeats the names of the columns.")


def _repeats(table: RawTable, mapping: FieldColumns, keep: IntArray) -> list[str]:
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


def _host(url: str) -> str | None:
    try:
        host = urlsplit(url.strip()).hostname
    except ValueError:
        return None
    return clean_line(addresses.read_address(url).host.partition(":")[0] or host) or None if host else None


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
