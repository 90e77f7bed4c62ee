"""Between a file and a timeline: the file, its table of texts, and the kinds of reader."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from core import limits
from core.arrays import IntArray
from core.data.timelines.decode import Decoded, decode
from core.data.timelines.timeline import FieldColumns, RejectedRow
from core.errors import InputError
from core.text.normalise import clean_line, without_surrogates

if TYPE_CHECKING:
    import pandas as pd

EVERY_SHEET = "*"
Lines = IntArray
Texts = list[str | None]


@dataclass
class RawFile:
    """A file in memory, with gz already undone."""

    data: bytes  # the bytes
    filename: str  # name with its ending; only used to recognise the format and in messages
    blank_rows: bool = field(default=False, kw_only=True)  # rows of empty cells count
    sheet: str | None = field(default=None, kw_only=True)  # None for the one with most rows, "*" for all
    header: int | None = field(default=None, kw_only=True)  # line, 0 for none; None to recognise it

    @property
    def suffix(self) -> str:
        return PurePath(self.filename).suffix.lower().lstrip(".")

    @cached_property
    def decoded(self) -> Decoded:
        return decode(self.data)


@dataclass(frozen=True, slots=True)
class RawTable:
    """A file's rows as text, before anything is checked."""

    cells: pd.DataFrame  # one row an input row; texts or None; unique column names
    lines: Lines  # int64 [n]; line in the file, or the entry's number for JSON and binary formats
    # Columns as long as `cells` that are mapped and not exported: a date found inside a text, or what the
    # nested values of a column say, which then stands in its place.
    derived: pd.DataFrame = field(default_factory=lambda: texts_frame([], []))
    mapping: FieldColumns | None = None  # None to match the columns by name
    rejected: tuple[RejectedRow, ...] = ()  # rows that could not even be made a row
    notes: tuple[str, ...] = ()  # sentences on what was decided
    encoding: str = ""  # text encoding, "" for binary formats
    delimiter: str = ""  # what separates cells, "" where that has no meaning
    timeline_column: str = ""  # column that tells several timelines in one file apart, "" for none
    titles_final: bool = False  # a research format, whose headlines stay as they were published
    serials: bool = False  # short numbers in a date column are spreadsheet days
    header: int | None = None  # line that names the columns, 0 for none; None where a format has no such line
    sheet: str = ""  # which sheet was read, "" where the format has none
    sheets: Mapping[str, int] = field(default_factory=dict)  # filled rows of each, the fullest first
    # How many `lines` (or entries) were read, and how many of them are neither rows nor rejected, by kind.
    ledger: Mapping[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def columns(self) -> list[str]:
        return list(dict.fromkeys(map(str, (*self.cells.columns, *self.derived.columns))))

    def column(self, name: str) -> list[str | None]:
        """The texts of a column, from the input or derived."""
        frame = self.derived if name in self.derived.columns else self.cells
        return list(frame[name])


@dataclass(frozen=True, slots=True)
class TableContainer:
    name: str  # in reports and on the command line
    title: str  # for people
    suffixes: tuple[str, ...]  # file name endings, without the dot
    order: int  # containers are asked in this order
    recognises: Callable[[RawFile], bool]  # by the first bytes, the name and the text
    read: Callable[[RawFile], RawTable]  # makes the table; raises InputError in one sentence where it cannot

    def __post_init__(self) -> None:
        if isinstance(self.suffixes, str) or not isinstance(self.order, int):
            message = f"The format {self.name} has no tuple of endings or no order."
            raise InputError(message, hint="Give both.")


@dataclass(frozen=True, slots=True)
class Layout:
    """A research format: known columns with a known meaning, whatever file they come in."""

    name: str  # in reports and on the command line
    title: str  # for people
    columns: tuple[str, ...]  # that it must have, for messages
    recognises: Callable[[RawTable], bool]
    arrange: Callable[[RawTable], RawTable]  # gives the mapping, and rebuilds rows where it must


def texts_frame(rows: Sequence[Sequence[str | None]], columns: Sequence[str]) -> pd.DataFrame:
    """A table of texts and None, whatever pandas would rather make of it."""
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(columns), dtype=object)


def cell_text(value: Any) -> str | None:
    """A value of JSON or Parquet as text; None, NaN, NaT and infinity are None, nested values are JSON."""
    if getattr(value, "ndim", 0):  # an array in a cell of a data frame
        value = value.tolist()
    if value is None or value != value or (isinstance(value, float) and math.isinf(value)):  # noqa: PLR0124
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
    note = f"Several columns had the same name; they were renamed to {listing(renamed)}."
    return result, [note] if renamed else []


def listing(names: Iterable[object], most: int = 12, *, longest: int = 40) -> str:
    """Names for a message: at most `most`, each cut to `longest` characters."""
    all_names = [clean_line(str(name)) for name in names]
    cut = (name if len(name) <= longest else f"{name[: longest - 1]}…" for name in all_names[:most])
    return ", ".join(cut) + (f" and {len(all_names) - most:,} more" if len(all_names) > most else "")


def check_columns(count: int) -> None:
    if count > limits.COLUMNS.value:
        message = f"The table has {count:,} columns; at most {limits.COLUMNS.value:,} are read."
        raise InputError(message, hint=f"Keep the columns that you need, or raise {limits.COLUMNS.variable}.")


def check_rows(count: int) -> None:
    if count > limits.FILE_ROWS.value:
        message = f"The file has more than {limits.FILE_ROWS.value:,} rows, and no more are read."
        raise InputError(message, hint=f"Split it, or raise {limits.FILE_ROWS.variable}.")
