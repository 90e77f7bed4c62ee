"""Several tables of one kind, the sheets of a workbook or files, as one."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from core.data.timelines import addresses, columns, moments
from core.data.timelines.date_parts import with_joined_days
from core.data.timelines.raw import RawTable, check_rows, listing, texts_frame, unique_names
from core.data.timelines.timeline import Field, RejectedRow
from core.errors import InputError
from core.files import read_tables
from core.text.normalise import clean_line, searched

if TYPE_CHECKING:
    import pandas as pd

_DAY: Final = re.compile(
    r"(?<!\d)(?:(?:19|20)\d{2}([-._]?)\d{2}\1\d{2}|\d{1,2}[._-]\d{1,2}[._-](?:19|20)\d{2})(?!\d)"
)
_UNNAMED: Final = frozenset(searched(read_tables(__file__)["unnamed"]).split())
"""Words of names of sheets and files that name no outlet."""


def joined(parts: Mapping[str, RawTable], kind: str) -> RawTable:
    """Tables that each have headlines, one beneath the other, with a column that says which a row is of.

    Columns that mean the same are called as in the first table. Where neither tells it otherwise, the name
    of a part is the outlet or the day.
    """
    mapping: columns.Mapped = {}
    renamed: list[RawTable] = []
    for table in map(with_joined_days, parts.values()):
        own = columns.propose(table)
        if Field.HEADLINE not in own:
            message = f"No headline column was found in one {kind}, among: {listing(table.columns)}."
            raise InputError(message, hint=f"Call its column as in the other {kind}s, or leave it out.")
        names = {
            names[0]: mapping[field][0]
            for field, names in own.items()
            if field in mapping and field is not Field.ANNOTATOR and mapping[field][0] not in table.columns
        }
        mapping = {field: tuple(names.get(name, name) for name in own[field]) for field in own} | mapping
        renamed.append(_with_names(table, names))
    first, titles = renamed[0], list(parts)
    every = list(dict.fromkeys(name for table in renamed for name in map(str, table.cells.columns)))
    column = unique_names([*every, kind])[0][-1]
    frames = [table.cells.assign(**{column: title}) for title, table in zip(titles, renamed, strict=True)]
    derived = _stacked([table.derived for table in renamed], [len(table) for table in renamed])
    rejected = (
        replace(row, cells={**row.cells, column: title})
        for title, table in zip(titles, renamed, strict=True)
        for row in table.rejected
    )
    ledger = Counter[str]()
    for table in renamed:
        ledger.update(table.ledger)
    check_rows(sum(map(len, renamed)))
    whole = replace(
        first,
        cells=_stacked(frames, [len(table) for table in renamed]),
        lines=np.concatenate([table.lines for table in renamed]),
        derived=derived,
        rejected=tuple[RejectedRow, ...](rejected),
        notes=_notes(parts, kind),
        serials=any(table.serials for table in renamed),
        titles_final=all(table.titles_final for table in renamed),
        ledger=dict(ledger),
    )
    return _with_names_as_fields(whole, mapping, column)


def _with_names(table: RawTable, names: Mapping[str, str]) -> RawTable:
    return replace(
        table, cells=table.cells.rename(columns=names), derived=table.derived.rename(columns=names)
    )


def _stacked(frames: Sequence["pd.DataFrame"], lengths: Sequence[int]) -> "pd.DataFrame":
    import pandas as pd

    filled = [frame.reindex(range(length)) for frame, length in zip(frames, lengths, strict=True)]
    whole = pd.concat(filled, ignore_index=True).astype(object)
    return whole.where(whole.notna(), None)


def _notes(parts: Mapping[str, RawTable], kind: str) -> tuple[str, ...]:
    counts = ", ".join(f"{title[:40]} ({len(table):,})" for title, table in parts.items())
    own = (f"{title[:40]}: {note}" for title, table in parts.items() for note in table.notes)
    return (f"{len(parts)} {kind}s were read as one timeline, rows of each: {counts}.", *own)


def _with_names_as_fields(table: RawTable, mapping: columns.Mapped, column: str) -> RawTable:
    """The table with the outlet and the day that the names of its parts say, where nothing else does."""
    titles = table.column(column)
    said = {title: _said_by(title or "") for title in dict.fromkeys(titles)}
    outlets, days = ([said[title][place] for title in titles] for place in (0, 1))
    links = table.column(mapping[Field.URL][0]) if Field.URL in mapping else []
    hosts = any(link and addresses.is_address(link) and not addresses.passes_on(link) for link in links)
    derived, notes = table.derived.reindex(range(len(table))), list(table.notes)
    for field, what, values, known in (
        (Field.PUBLISHER, "outlet", outlets, hosts),
        (Field.PUBLISHED, "day", days, False),
    ):
        if field in mapping or known or sum(map(bool, values)) < 0.5 * len(values):
            continue
        name = unique_names([*table.columns, f"{what} by {column}"])[0][-1]
        mapping = {**mapping, field: (name,)}
        derived = derived.join(texts_frame([[value] for value in values], [name]))
        notes.append(f"The {what} was taken from the name of the {column}.")
    return replace(table, derived=derived, mapping=mapping, notes=tuple(notes))


def _said_by(name: str) -> tuple[str | None, str | None]:
    """The outlet and the day in the name of a sheet or a file; None where there is none."""
    flat = clean_line(name.replace("_", " "))
    if moments.is_date(flat):
        return None, flat
    match = _DAY.search(name)
    day = match[0].replace("_", "-") if match and moments.is_date(match[0].replace("_", "-")) else None
    outlet = clean_line((name.replace(match[0], " ") if match and day else name).replace("_", " ")).strip(
        " -–.,()"
    )
    words = [word for word in re.findall(r"[^\W\d_]+", searched(outlet)) if word not in _UNNAMED]
    plain = [word for word in words if word not in moments.UNSAID and word not in moments.MONTHS]
    return (outlet if plain else None), day
