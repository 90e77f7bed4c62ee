"""The one validated type that everything after the reader works on."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.identity import HeadlineIndex, HeadlineKey
from core.data.timelines.editions import Editions, find_editions
from core.data.timelines.formats import recurring_formats
from core.data.timelines.moments import SECONDS_PER_DAY
from core.text.reading import unread, unread_notes
from core.text.timeline_reading import TimelineReading

if TYPE_CHECKING:
    import pandas as pd

MOST_LABELS: Final = 12  # a column with more different values than that describes; it does not label
LONGEST_LABEL: Final = 40
_GUID: Final = "guid"


class Field(StrEnum):
    """What a column of a timeline can mean; only the headline is required."""

    HEADLINE = "headline"
    PUBLISHED = "published"
    PUBLISHER = "publisher"
    URL = "url"
    AUTHORS = "authors"
    BODY = "body"
    LANGUAGE = "language"
    GOLD = "gold_group"
    ANNOTATOR = "annotator_group"


FieldColumns = Mapping[Field, tuple[str, ...]]  # the columns that hold each field; of annotators several


@dataclass(frozen=True, slots=True)
class RejectedRow:
    line: int  # in the file, from 1; for JSON the entry's number
    column: str  # "" for the row as a whole
    value: str  # at most 200 characters
    reason: str
    cells: Mapping[str, str]

    @property
    def place(self) -> str:
        """For people: `line 4`, or `line 4, date`."""
        return f"line {self.line}, {self.column}" if self.column else f"line {self.line}"


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What the reader understood and what it could not take."""

    format: str  # name of the format ("csv", "hlgd_pairs", …)
    encoding: str = ""  # text encoding, or "" for binary formats
    columns: FieldColumns = field(default_factory=dict)  # annotators: several, in order
    rejected: tuple[RejectedRow, ...] = ()  # rows left out, in file order
    notes: tuple[str, ...] = ()  # sentences on what was decided (delimiter, pairs rebuilt to a timeline, …)
    format_told: bool = False  # the file would not be taken for this format by itself; somebody chose it
    timeline: str = ""  # which of several this is, "*" for all of them, "" where the file has one
    ledger: Mapping[str, int] = field(default_factory=dict)  # how many `lines`, and what each of them is


@dataclass(frozen=True, eq=False)
class Timeline:
    """Headlines in input order, as columns."""

    name: str  # for people
    # One row a headline, index 0…n-1: the columns of `Field` (str or None; `published` is datetime64[us, UTC]
    # or NaT), `day_only` (bool), and for annotators `annotator_1` … `annotator_k`.
    table: pd.DataFrame
    original: pd.DataFrame  # all input columns of the accepted rows as text, same index; what exports keep
    report: LoadReport  # how it was read
    lines: IntArray | None = None  # of each headline in its file, from 1; in JSON, its entry

    def __len__(self) -> int:
        return len(self.table)

    # Asked for again and again, as a part of keys, too; tables are not changed once they stand here.
    @cached_property
    def texts(self) -> list[str]:
        return list(self.table[Field.HEADLINE])

    @cached_property
    def publishers(self) -> list[str | None]:
        return [name if isinstance(name, str) else None for name in self.table[Field.PUBLISHER]]

    @cached_property
    def days(self) -> FloatArray:
        """Publication time in days since 1970 UTC, float64 [n]; NaN where there is none."""
        published = self.table[Field.PUBLISHED]
        seconds = published.astype("datetime64[us, UTC]").astype("int64").to_numpy() / 1e6
        return np.where(published.isna().to_numpy(), np.nan, seconds / SECONDS_PER_DAY)

    @property
    def undated(self) -> int:
        return int(self.table[Field.PUBLISHED].isna().sum())

    def unread_notes(self) -> list[str]:
        """What of its headlines could not be read so far, a sentence each."""
        return unread_notes(self.texts, None if self.lines is None else self.lines.tolist())

    def unread(self) -> list[dict[str, Any]]:
        """The same for other programs: reading, line in the file (or None) and headline."""
        lines = [None] * len(self) if self.lines is None else self.lines.tolist()
        texts = self.texts
        return [{"reading": what, "line": lines[row], "headline": texts[row]} for row, what in unread(texts)]

    @property
    def has_gold(self) -> bool:
        return len(self) > 0 and bool(self.table[Field.GOLD].notna().all())

    @property
    def annotators(self) -> list[str]:
        return [str(c) for c in self.table.columns if str(c).startswith("annotator_")]

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over everything that results depend on (16 hex digits); the name is not in it."""
        return _digest(self.table)

    @cached_property
    def index(self) -> HeadlineIndex:
        """The headlines by what they are known by in every file that holds them."""
        days = self.table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("")
        addresses = [address if isinstance(address, str) else "" for address in self.table[Field.URL]]
        outlets = [outlet or "" for outlet in self.publishers]
        return HeadlineIndex(map(HeadlineKey, self.texts, days, outlets, addresses))

    @property
    def entries(self) -> list[object]:
        """By what a feed tells its entries apart (guid), each a text or missing; nothing of other files."""
        of_feed = self.report.format == "feed" and _GUID in self.original
        return self.original[_GUID].tolist() if of_feed else []

    @cached_property
    def editions(self) -> Editions:
        links = self.table[Field.URL].tolist()
        return find_editions(self.texts, self.publishers, links, self.days, self.entries)

    @cached_property
    def formats(self) -> tuple[str, ...]:
        """The repeated format of each headline; "" for a report."""
        addresses = self.editions.addresses
        return recurring_formats(self.texts, self.original, addresses, self.publishers, self.days)

    @cached_property
    def reading(self) -> TimelineReading:
        """Its language, names, words and vague headlines, each read once."""
        return TimelineReading(self.texts)

    @cached_property
    def file_fingerprint(self) -> str:
        """The same, also over its name, its input columns and how it was read: all that is shown."""
        return _digest(self.table, self.original, said=f"{self.name!r} {self.report!r}")

    def select(self, rows: Sequence[int] | IntArray) -> Timeline:
        chosen = np.asarray(rows, dtype=np.int64)
        return replace(
            self,
            table=self.table.iloc[chosen].reset_index(drop=True),
            original=self.original.iloc[chosen].reset_index(drop=True),
            lines=None if self.lines is None else self.lines[chosen],
        )


def _digest(*tables: pd.DataFrame, said: str = "") -> str:
    digest = hashlib.sha256(said.encode("utf-8", errors="surrogatepass"))
    for table in tables:
        for column in table.columns:
            digest.update(f"\x1d{column}".encode("utf-8", errors="surrogatepass"))
            values = table[column]
            missing = values.isna().to_numpy()
            marked = ("\x1e" if gone else f"\x1f{value}" for value, gone in zip(values, missing, strict=True))
            digest.update("".join(marked).encode("utf-8", errors="surrogatepass"))
    return digest.hexdigest()[:16]


def telling_columns(timeline: Timeline, rows: Sequence[int]) -> tuple[str, ...]:
    """Columns without a meaning of their own that tell some headlines apart."""
    used = {name for names in timeline.report.columns.values() for name in names}
    label_columns = []
    for name in map(str, timeline.original.columns):
        if name in used:
            continue
        column = timeline.original[name]
        values = {str(value).strip() for value in column.dropna().unique()} - {""}
        if not 2 <= len(values) <= min(MOST_LABELS, len(column) - 1):  # all different: numbers of the rows
            continue
        if max(map(len, values)) > LONGEST_LABEL:
            continue
        if column.iloc[list(rows)].nunique(dropna=False) > 1:
            label_columns.append(name)
    return tuple(label_columns)
