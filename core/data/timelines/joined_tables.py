"""Several tables of one kind, the sheets of a workbook or files, as one."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from core.data.timelines import addresses, columns, moments, nested
from core.data.timelines.date_parts import with_days_of_sections, with_joined_days
from core.data.timelines.raw import RawTable, Texts, check_rows, listing
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.files import read_tables
from core.text.normalise import clean_line, searched

if TYPE_CHECKING:
    import pandas as pd

_DAY: Final = re.compile(
    r"(?<!\d)(?:(?:19|20)\d{2}([-.]?)\d{2}\1\d{2}|\d{1,2}[.-]\d{1,2}[.-](?:19|20)\d{2})(?!\d)"
)
_OF_ONE_HOST: Final = 0.8  # of the addresses of a sheet that has the name of an outlet
_UNNAMED: Final = frozenset(searched(read_tables(__file__)["unnamed"]).split())
"""Words of names of sheets and files that name no outlet."""
_SPANS: Final = frozenset(searched(read_tables(__file__)["spans"]).split())


def is_period(name: str) -> bool:
    """Whether a sheet is called by its day, week, month or year, as parts of one list are."""
    words = set(re.findall(r"[^\W\d_]+", searched(name)))
    dated = any(map(str.isdecimal, name)) or bool(words & moments.MONTHS.keys())
    return dated and words <= _SPANS | moments.UNSAID | moments.MONTHS.keys()


def joined(parts: Mapping[str, RawTable], kind: str) -> RawTable:
    """Tables that each have headlines, one beneath the other, with a column that says which a row is of.

    Columns that mean the same are called as in the first table. Where nothing else does, the name of a part
    says the outlet or the day.
    """
    mapping: columns.Mapped = {}
    cells: list[pd.DataFrame] = []
    derived: list[pd.DataFrame] = []
    ledger = Counter[str]()
    notes = [f"{len(parts)} {kind}s were read as one timeline: {listing(parts)}."]
    column = f"name of the {kind}"
    for title, table in parts.items():
        whole = with_days_of_sections(with_joined_days(table))
        own = columns.propose(whole)
        if Field.HEADLINE not in own:
            message = f"No headline column was found in {title[:40]!r}, among: {listing(whole.columns)}."
            raise InputError(message, hint=f"Call its column as in the other {kind}s, or leave it out.")
        shared = [field for field in own if field in mapping and field is not Field.ANNOTATOR]
        names = {
            own[field][0]: mapping[field][0] for field in shared if mapping[field][0] not in whole.columns
        }
        mapping = {field: tuple(names.get(name, name) for name in own[field]) for field in own} | mapping
        cells.append(whole.cells.rename(columns=names).assign(**{column: title}))
        derived.append(whole.derived.rename(columns=names).reindex(range(len(whole))))
        ledger.update(whole.ledger)
        notes += [f"{title[:40]}: {note}" for note in whole.notes]
    tables = parts.values()
    check_rows(sum(map(len, tables)))
    stacked = replace(
        next(iter(tables)),
        cells=_stacked(cells),
        lines=np.concatenate([table.lines for table in tables]),
        derived=_stacked(derived),
        rejected=tuple(row for table in tables for row in table.rejected),
        serials=any(table.serials for table in tables),
        titles_final=all(table.titles_final for table in tables),
        ledger=dict(ledger),
        notes=tuple(notes),
    )
    return _with_names_as_fields(stacked, mapping, column)


def _stacked(frames: Sequence["pd.DataFrame"]) -> "pd.DataFrame":
    import pandas as pd

    whole = pd.concat(frames, ignore_index=True).astype(object)
    return whole.where(whole.notna(), None)


def _with_names_as_fields(table: RawTable, mapping: columns.Mapped, column: str) -> RawTable:
    names = table.column(column)
    outlets = {name: _outlet_in(name or "") for name in set(names)}
    days = {name: _day_in(name or "") for name in set(names)}
    links = table.column(mapping[Field.URL][0]) if Field.URL in mapping else []
    hosts: dict[str, Counter[str]] = {}
    for name, link in zip(names, links, strict=False):
        if name and link and addresses.is_address(link) and not addresses.passes_on(link):
            hosts.setdefault(name, Counter())[addresses.read_address(link).host] += 1
    own = {name: count.most_common(1)[0] for name, count in hosts.items()}
    alone = all(most >= _OF_ONE_HOST * hosts[name].total() for name, (_, most) in own.items())
    if not alone or 1 < len({host for host, _ in own.values()}) < len(own):
        outlets = {}  # the addresses say them, and the names something else
    derived, notes = dict[str, Texts](), list(table.notes)
    for field, what, said in ((Field.PUBLISHER, "outlet", outlets), (Field.PUBLISHED, "day", days)):
        values: Texts = [said.get(name) for name in names]
        if field in mapping or sum(map(bool, values)) < 0.5 * len(values):
            continue
        mapping = {**mapping, field: (f"{what} in the {column}",)}
        derived[mapping[field][0]] = values
        notes.append(f"The {what} was taken from the {column}.")
    return replace(nested.with_columns(table, derived), mapping=mapping, notes=tuple(notes))


def _day_in(name: str) -> str | None:
    plain = clean_line(name.replace("_", " "))
    match = _DAY.search(plain)
    day = match[0] if match else plain
    return day if moments.is_date(day) else None


def _outlet_in(name: str) -> str | None:
    plain = clean_line(name.replace("_", " "))
    outlet = _DAY.sub(" ", plain).strip(" -–.,()")
    words = (
        set(re.findall(r"[^\W\d_]+", searched(outlet))) - _UNNAMED - moments.UNSAID - moments.MONTHS.keys()
    )
    return outlet if words and not moments.is_date(plain) else None
