"""Files of pairs that people bring: HLGD's JSON, or a table with two headlines a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core import limits
from core.arrays import IntArray
from core.data.pair_sets.assembly import Side, from_pairs
from core.data.pair_sets.pair_columns import LABELS, PARTS, label_key, pair_columns
from core.data.pair_sets.pair_set import UNKNOWN, PairSet, contradictions
from core.data.timelines import column_names, date_columns, dates, tables
from core.data.timelines.faults import why_no_headline
from core.data.timelines.raw import RawTable
from core.errors import InputError
from core.parts import Part
from core.text.normalise import clean_block, clean_line

if TYPE_CHECKING:
    import pandas as pd

_NEEDED = {
    "headline_a": "the first headlines of the pairs",
    "headline_b": "the second headlines of the pairs",
}


class RejectedPair(NamedTuple):
    row: int  # from 0
    column: str
    reason: str


@dataclass(frozen=True, slots=True, eq=False)
class PairFile:
    name: str
    pairs: PairSet
    rows: IntArray  # place in the file of each pair, from 0
    rejected: tuple[RejectedPair, ...]
    table: pd.DataFrame  # all rows as they were, as texts and None
    columns: Mapping[str, str]  # of the table, by what they hold
    says_parts: bool  # a row says which part it belongs to
    ledger: Mapping[str, int]
    notes: tuple[str, ...]  # on the dates

    def strict(self) -> PairSet:
        """The pairs, where every row can be used; one whose cells are all empty is no obstacle."""
        blank = [not any(map(clean_line, filter(None, row))) for row in self.table.itertuples(index=False)]
        # A row too broken to be split has no cells either, and no column at fault.
        wrong = [fault for fault in self.rejected if not fault.column or not blank[fault.row]]
        if wrong:
            first = wrong[0]
            where = f", column {first.column!r}," if first.column else ""
            more = f" ({len(wrong):,} rows in all)" if len(wrong) > 1 else ""
            message = f"Row {first.row + 1:,} of {self.name}{where} cannot be used{more}: {first.reason}"
            raise InputError(message, hint="Correct it or take it out.")
        if not len(self.pairs):
            raise InputError(f"{self.name} holds no pair.", hint="Give at least one row with two headlines.")
        return self.pairs


def read_pair_file(path: str | Path, *, part: Part = Part.TEST, labels: bool = True) -> PairFile:
    return parse_pairs(tables.read_bytes(path), Path(path).name, part=part, labels=labels)


def parse_pairs(
    data: bytes,
    filename: str,
    *,
    part: Part = Part.TEST,
    labels: bool = True,
    also: Mapping[str, str] = MappingProxyType({}),
) -> PairFile:
    """Reads pairs from any table that timelines can be read from (CSV, TSV, JSON, JSONL, Parquet, XLSX).

    Columns are named as in pair_columns.toml, or as `also` says; a label is 1 for the same event, 0 for
    another or empty, tags are separated by ";". Without a timeline column all pairs are one timeline.
    """
    return _parsed(
        tables.read_table(data, filename, blank_rows=True), filename, part, labels=labels, also=also
    )


def pairs_of_frame(
    frame: pd.DataFrame, *, part: Part = Part.TEST, labels: bool = False, name: str = "The data frame"
) -> PairFile:
    """Reads pairs from a data frame with the columns of a file, whatever their labels where none are read."""
    return _parsed(tables.frame_table(frame), name, part, labels=labels)


def _parsed(
    raw: RawTable, filename: str, part: Part, *, labels: bool, also: Mapping[str, str] = MappingProxyType({})
) -> PairFile:
    reading = _Reading(raw, filename, also)
    sides = reading.sides()
    values = reading.labels() if labels else np.full(len(reading.table), UNKNOWN, dtype=np.int64)
    parts = reading.parts(part)
    rows = np.array([row for row in range(len(values)) if row not in reading.faults], dtype=np.int64)
    pairs = reading.pairs(sides, values, parts, rows)
    clashes = contradictions(pairs)
    if clashes:
        for pair, earlier in clashes.items():
            here, there = pairs.labels[pair], pairs.labels[earlier]
            reason = f"The pair is labelled {here} here and {there} in row {rows[earlier] + 1:,}."
            reading.fault(int(rows[pair]), "label", reason)
        rows = rows[[pair not in clashes for pair in range(len(rows))]]
        pairs = reading.pairs(sides, values, parts, rows)
    rejected = tuple(RejectedPair(row, *reading.faults[row]) for row in sorted(reading.faults))
    says_parts = any(text.strip() for text in reading.texts("part"))
    ledger, names = {**raw.ledger, "kept": len(rows), "rejected": len(rejected)}, reading.columns
    return PairFile(filename, pairs, rows, rejected, reading.table, names, says_parts, ledger, reading.notes)


class _Reading:
    def __init__(self, raw: RawTable, filename: str, also: Mapping[str, str]) -> None:
        self.table, self.faults = _all_rows(raw)
        names = list(map(str, self.table.columns))
        keys, usual = column_names.by_key(names), pair_columns(names)
        more = {field: keys[name] for field, name in also.items() if name in keys and field not in usual}
        self.columns = usual | more
        column_names.require(self.columns, _NEEDED, self.table.columns, filename)
        n = len(self.table)
        self._headlines = {name: [*map(clean_line, self.texts(name))] for name in _NEEDED}
        for name, texts in self._headlines.items():
            for row, text in enumerate(texts):
                if why := why_no_headline(text, marked=True):
                    self.fault(row, name, why)
        both = [*self.texts("date_a"), *self.texts("date_b")]
        left_out = {place for row in self.faults for place in (row, n + row)}
        read = date_columns.without_unreadable(
            dates.parse_column(both, now=datetime.now(UTC), serials=raw.serials, left_out=left_out),
            both,
            lambda at: f"row {at % n + 1:,}",
            lambda at, why: self.fault(at % n, "date_a" if at < n else "date_b", why),
        )
        self.notes = read.notes
        self._days = {"a": read.days[:n], "b": read.days[n:]}

    def fault(self, row: int, name: str, reason: str) -> None:
        self.faults.setdefault(row, (self.columns[name], reason))

    def texts(self, name: str) -> list[str]:
        if name not in self.columns:
            return [""] * len(self.table)
        return [value or "" for value in self.table[self.columns[name]]]

    def sides(self) -> list[Side]:
        sides, most = [], limits.FIELD_CHARACTERS.value
        for letter in "ab":
            texts = self._headlines[f"headline_{letter}"]
            bodies = self.texts(f"body_{letter}")
            for row, body in enumerate(bodies):
                if len(body) > most:
                    reason = f"The text has {len(body):,} characters; at most {most:,} are read."
                    self.fault(row, f"body_{letter}", reason)
            urls = [clean_line(url) for url in self.texts(f"url_{letter}")]
            sides.append(Side(texts, self._days[letter], urls, [clean_block(body) for body in bodies]))
        return sides

    def labels(self) -> IntArray:
        result = np.full(len(self.table), UNKNOWN, dtype=np.int64)
        for row, text in enumerate(self.texts("label")):
            value = label_key(text)
            if value in LABELS:
                result[row] = LABELS[value]
            elif value:
                self.fault(row, "label", f"The label is {text.strip()[:40]!r}, not 0 or 1.")
        return result

    def parts(self, default: Part) -> list[str]:
        result = []
        for row, text in enumerate(self.texts("part")):
            word = text.strip()
            if word and word.casefold() not in PARTS:
                self.fault(row, "part", f"The part is {word[:40]!r}, not train, validation or test.")
            result.append(PARTS.get(word.casefold(), default).value)
        return result

    def pairs(self, sides: Sequence[Side], labels: IntArray, parts: Sequence[str], rows: IntArray) -> PairSet:
        places = rows.tolist()

        def of(values: Sequence[str]) -> list[str]:
            return [values[row] for row in places]

        left, right = (Side(of(one.texts), one.days[rows], of(one.urls), of(one.bodies)) for one in sides)
        words = [[tag.strip() for tag in text.split(";")] for text in of(self.texts("tags"))]
        tags = [tuple(filter(None, row_tags)) for row_tags in words]
        return from_pairs(
            "pairs",
            left,
            right,
            labels[rows],
            parts=of(parts),
            timelines=of(self.texts("timeline")),
            tags=tags if any(tags) else (),
            keep_apart=False,
        )


def _all_rows(table: RawTable) -> tuple[pd.DataFrame, dict[int, tuple[str, str]]]:
    import pandas as pd

    if not table.rejected:
        return table.cells, {}
    names = table.cells.columns
    cells = [{name: row.cells.get(name) for name in names} for row in table.rejected]
    broken = pd.DataFrame(cells, columns=names, dtype=object)
    lines = np.concatenate([table.lines, [row.line for row in table.rejected]])
    order = np.argsort(lines, kind="stable")
    places = np.argsort(order)[len(table) :].tolist()
    faults = {place: (row.column, row.reason) for place, row in zip(places, table.rejected, strict=True)}
    every = pd.concat([table.cells, broken], ignore_index=True)
    return every.iloc[order].reset_index(drop=True), faults
