"""A timeline from the bytes of a file, a path, a data frame or pasted text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from core import limits
from core.data.timelines import columns
from core.data.timelines.raw import RawTable, listing
from core.data.timelines.tables import GivenFile, files_in_format, frame_table, read_bytes, stem
from core.data.timelines.timeline import Field, Timeline
from core.data.timelines.validate import validate
from core.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

EVERY_TIMELINE = "*"


def load(
    data: bytes,
    filename: str,
    *,
    format: str | None = None,
    mapping: Mapping[Field, Sequence[str] | str] | None = None,
    timeline: str | None = None,
    name: str | None = None,
    sheet: str | None = None,
    header: int | None = None,
    more: Sequence[GivenFile] = (),
    growing: bool = False,
    now: datetime | None = None,
) -> Timeline:
    """Loads a timeline from the bytes of a file, gz or not; what is None is recognised.

    `format` is one of `readers.names()`. `mapping` gives the column of each field in place of the proposed
    ones, the headline's among them. Of several timelines None takes the biggest, "*" all; of several sheets
    None takes the one with most rows, "*" all as one timeline, as `more` files are with the first. `header`
    is the line that names the columns, 0 for none. Titles of a `growing` file keep their ends: what recurs in
    it changes. `now`, an aware time, tells which dates are future.
    InputError where it cannot be read or no row is left.
    """
    files = [(data, filename), *more]
    format_name, table, explicit = files_in_format(files, format, sheet=sheet, header=header)
    table = replace(table, titles_final=table.titles_final or growing)
    every = EVERY_TIMELINE if timeline == EVERY_TIMELINE and timeline_sizes(table) else ""
    table, chosen = _choose(table, timeline)
    title = name or stem(filename) + f" and {len(more)} more" * bool(more)
    if name is None and chosen:
        title = f"{title} · {chosen}"
    result = validate(
        table,
        columns.check(columns.propose(table) if mapping is None else mapping, table.columns),
        name=title,
        format_name=format_name,
        now=now or datetime.now(UTC),
    )
    return replace(result, report=replace(result.report, format_told=explicit, timeline=chosen or every))


def load_path(path: str | Path, *, format: str | None = None, name: str | None = None) -> Timeline:
    return load(read_bytes(path), PurePath(path).name, format=format, name=name)


def load_frame(frame: "pd.DataFrame") -> Timeline:
    """Loads a data frame as a file with its columns; its rows are lines, from 1."""
    if not len(frame):
        raise InputError("There is no headline.", hint="Give at least one.")
    table = frame_table(frame)
    mapping = columns.check(columns.propose(table), table.columns)
    return validate(table, mapping, name="Headlines", format_name="frame", now=datetime.now(UTC))


def load_text(text: str) -> Timeline:
    """Loads pasted text: one headline a line, a table, JSON or CSV with a header."""
    check_pasted(text)
    return load(text.encode("utf-8", errors="replace"), "", name="Pasted headlines")


def check_pasted(text: str) -> None:
    most = limits.PASTED_CHARACTERS.value
    if len(text) > most:
        message = f"The pasted text has {len(text):,} characters; at most {most:,} are read."
        raise InputError(message, hint=f"Save it as a file, or raise {limits.PASTED_CHARACTERS.variable}.")


def timeline_sizes(table: RawTable) -> dict[str, int]:
    if not table.timeline_column:
        return {}
    counts = Counter(value or "" for value in table.column(table.timeline_column))
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))) if len(counts) > 1 else {}


def _choose(table: RawTable, wanted: str | None) -> tuple[RawTable, str]:
    counts = timeline_sizes(table)
    values = [value or "" for value in table.column(table.timeline_column)] if table.timeline_column else []
    if wanted is not None and wanted not in (EVERY_TIMELINE, *(counts or values[:1])):
        several = f"Choose one of: {listing(counts)}."
        hint = several if counts else "It holds one timeline; leave the choice out."
        raise InputError(f"There is no timeline {wanted[:80]!r} in the file.", hint=hint)
    if not counts or wanted == EVERY_TIMELINE:
        return table, ""
    chosen = wanted if wanted is not None else next(iter(counts))
    rows = [row for row, value in enumerate(values) if value == chosen]
    note = f"The file holds {len(counts)} timelines ({listing(counts)}); {chosen!r} was loaded."
    return replace(
        table,
        cells=table.cells.iloc[rows].reset_index(drop=True),
        lines=table.lines[rows],
        derived=table.derived.iloc[rows].reset_index(drop=True) if len(table.derived) else table.derived,
        notes=(*table.notes, note),
        ledger={**table.ledger, "other_timelines": len(values) - len(rows)},
    ), chosen
