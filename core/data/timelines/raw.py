"""What stands between a file and a timeline: the source, the table of texts, and the kinds of reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core import limits
from core.data.timelines.decode import Decoded, decode
from core.data.timelines.timeline import Field, RejectedRow
from core.errors import InputError
from core.text.normalise import clean_line, without_surrogates

if TYPE_CHECKING:
    import pandas as pd

Lines = npt.NDArray[np.int64]


@dataclass
class RawFile:
    """A file in memory, with gz already undone.

    Attributes:
        data: The bytes.
        filename: Name with its ending; only used to recognise the format and in messages.
        blank_rows: Rows of a table whose cells are all empty are rows too, so that none loses its place;
            lines without any cell, and what follows a sheet's last filled row, are none.
        sheet: Which sheet of a workbook; None for the one with most rows.
        header: Line of a sheet or of delimited text that names the columns, 0 for none; None to
            recognise it.
    """

    data: bytes
    filename: str
    blank_rows: bool = field(default=False, kw_only=True)
    sheet: str | None = field(default=None, kw_only=True)
    header: int | None = field(default=None, kw_only=True)

    @property
    def suffix(self) -> str:
        return PurePath(self.filename).suffix.lower().lstrip(".")

    @cached_property
    def decoded(self) -> Decoded:
        return decode(self.data)


@dataclass(frozen=True, slots=True)
class RawTable:
    """A file's rows as text, before anything is checked.

    Attributes:
        cells: One row an input row; texts or None; unique column names.
        lines: int64 [n]; line in the file, or the entry's number for JSON and binary formats.
        derived: Columns worked out by a layout (a date found inside a text): they can be mapped, but
            are no part of the input and are not exported. Same length as `cells`.
        mapping: The columns' meaning where the layout knows it, None to match them by name.
        rejected: Rows that could not even be made a row.
        notes: Sentences on what was decided.
        encoding: Text encoding, "" for binary formats.
        delimiter: What separates cells, "" where that has no meaning.
        timeline_column: Column that tells several timelines in one file apart, "" for none.
        serials: Short numbers in a date column are spreadsheet days.
        header: Line that names the columns, 0 where none does; None where a format has no such line.
        sheet: Which sheet was read, "" where the format has none.
        sheets: Filled rows of each sheet that has any, the fullest first.
        ledger: How many `lines` were read (entries or rows where a format has no lines), and how many of them
            are no rows, by what they are. All others are rows, or rejected.
    """

    cells: pd.DataFrame
    lines: Lines
    derived: pd.DataFrame = field(default_factory=lambda: texts_frame([], []))
    mapping: Mapping[Field, tuple[str, ...]] | None = None
    rejected: tuple[RejectedRow, ...] = ()
    notes: tuple[str, ...] = ()
    encoding: str = ""
    delimiter: str = ""
    timeline_column: str = ""
    serials: bool = False
    header: int | None = None
    sheet: str = ""
    sheets: Mapping[str, int] = field(default_factory=dict)
    ledger: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def columns(self) -> list[str]:
        """All columns that can be mapped, derived ones last."""
        return [*map(str, self.cells.columns), *map(str, self.derived.columns)]

    def column(self, name: str) -> list[str | None]:
        """The texts of a column, from the input or derived."""
        frame = self.cells if name in self.cells.columns else self.derived
        return list(frame[name])


@dataclass(frozen=True, slots=True)
class TableContainer:
    """A file format that holds a table.

    Attributes:
        name: How the format is called in reports and on the command line.
        title: How it is called for people.
        suffixes: File name endings, without the dot.
        order: Containers are asked in this order.
        recognises: Whether a source is of this format, by its first bytes, name and text.
        read: Makes the table; raises InputError in one sentence where it cannot.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    order: int
    recognises: Callable[[RawFile], bool]
    read: Callable[[RawFile], RawTable]


@dataclass(frozen=True, slots=True)
class Layout:
    """A research format: known columns with a known meaning, whatever file they come in.

    Attributes:
        name: How the format is called in reports and on the command line.
        title: How it is called for people.
        columns: The columns that it must have, for messages.
        recognises: Whether a table has this layout.
        arrange: Gives the table its mapping, rebuilding rows where the format needs it.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    recognises: Callable[[RawTable], bool]
    arrange: Callable[[RawTable], RawTable]


def texts_frame(rows: Sequence[Sequence[str | None]], columns: Sequence[str]) -> pd.DataFrame:
    """A table of texts and None, whatever pandas would rather make of it."""
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(columns), dtype=object)


def as_text(value: Any) -> str | None:
    """A value of JSON or Parquet as text; None, NaN and NaT are None, nested values are JSON."""
    if value is None or value != value:  # noqa: PLR0124  NaN and NaT differ from themselves
        return None
    if isinstance(value, str):
        return without_surrogates(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    if isinstance(value, (dict, list, tuple)):
        return without_surrogates(json.dumps(value, ensure_ascii=False, default=str))
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def unique_names(names: Iterable[str | None]) -> tuple[list[str], list[str]]:
    """Column names made clean, non-empty and unique, and notes on what was renamed."""
    result: list[str] = []
    renamed: list[str] = []
    taken: set[str] = set()
    copies: dict[str, int] = {}  # so that a name that stands a thousand times is not tried a million times
    for number, raw in enumerate(names, 1):
        wanted = clean_line(without_surrogates(raw or "")) or f"column_{number}"
        name = wanted
        while name in taken:
            copies[wanted] = copies.get(wanted, 1) + 1
            name = f"{wanted}_{copies[wanted]}"
        if name != wanted:
            renamed.append(name)
        taken.add(name)
        result.append(name)
    notes = (
        [f"Several columns had the same name; they were renamed to {listing(renamed)}."] if renamed else []
    )
    return result, notes


def listing(names: Iterable[object], most: int = 12) -> str:
    """Names for a message: at most `most`, each cut to 40 characters."""
    all_names = [clean_line(str(name)) for name in names]
    shown = ", ".join(name if len(name) <= 40 else f"{name[:39]}…" for name in all_names[:most])
    return shown + (f" and {len(all_names) - most:,} more" if len(all_names) > most else "")


def check_columns(count: int) -> None:
    if count > limits.COLUMNS.value:
        raise InputError(
            f"The table has {count:,} columns; at most {limits.COLUMNS.value:,} are read.",
            hint=f"Keep the columns that you need, or raise {limits.COLUMNS.variable}.",
        )


def check_rows(count: int) -> None:
    if count > limits.FILE_ROWS.value:
        raise InputError(
            f"The file has more than {limits.FILE_ROWS.value:,} rows, and no more are read.",
            hint=f"Split it, or raise {limits.FILE_ROWS.variable}.",
        )
