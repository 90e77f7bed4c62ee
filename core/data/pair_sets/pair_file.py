"""Files of pairs that people bring: HLGD's JSON, or a table with two headlines a row."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from core import limits
from core.arrays import IntArray
from core.data.pair_sets.assembly import Side, from_pairs
from core.data.pair_sets.pair_set import DIFFERENT, SAME, UNKNOWN, PairSet, contradictions
from core.data.timelines import column_names, dates
from core.data.timelines.column_names import by_key, require
from core.data.timelines.date_columns import without_unreadable
from core.data.timelines.faults import why_no_headline
from core.data.timelines.raw import RawTable
from core.data.timelines.tables import frame_table, read_bytes, read_table
from core.errors import InputError
from core.files import read_tables
from core.parts import Part
from core.text.normalise import clean_block, clean_line

if TYPE_CHECKING:
    import pandas as pd

_TABLES: Final = read_tables(__file__)
_SPELLINGS: Mapping[str, tuple[str, ...]] = {
    **{
        f"{name}_{side}": tuple(f"{spelling}_{side}" for spelling in spellings.split())
        for name, spellings in _TABLES["sided"].items()
        for side in "ab"
    },
    **{name: tuple(spellings.split()) for name, spellings in _TABLES["columns"].items()},
}
_NEEDED = {
    "headline_a": "the first headlines of the pairs",
    "headline_b": "the second headlines of the pairs",
}
_NUMBERED: Mapping[str, list[list[str]]] = {
    name: [pair.split("|") for pair in pairs.split()] for name, pairs in _TABLES["numbered"].items()
}
COLUMNS = ("headline_a", "headline_b", "label", "date_a", "date_b", "part", "timeline")
"""What a reader can choose a column for."""
_SHOWN_ROWS = 10
_LOOKED_AT = 200

_PARTS = {word: Part(part) for part, words in _TABLES["parts"].items() for word in words.split()}
_NOT = re.compile(r"^not[ _-]+")
_LABELS = {
    **dict.fromkeys(_TABLES["labels"]["same"].split(), SAME),
    **dict.fromkeys(_TABLES["labels"]["different"].split(), DIFFERENT),
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
        blank = [
            not any(map(clean_line, filter(None, cells))) for cells in self.table.itertuples(index=False)
        ]
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


def is_pair_table(columns: Sequence[str]) -> bool:
    """Whether columns of these names are meant to hold two headlines a row; one of them may be missing."""
    return not {"headline_a", "headline_b"}.isdisjoint(_mapping(columns))


def read_pair_file(path: str | Path, *, part: Part = Part.TEST, labels: bool = True) -> PairFile:
    return parse_pairs(read_bytes(path), Path(path).name, part=part, labels=labels)


@dataclass(frozen=True, slots=True)
class PairPreview:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_count: int
    proposed: Mapping[str, str]
    named: bool  # both headlines and the label were found by their names


def sniff_pairs(data: bytes, filename: str) -> PairPreview:
    table = read_table(data, filename, blank_rows=True).cells
    names = tuple(map(str, table.columns))
    head = table.head(_SHOWN_ROWS).itertuples(index=False)
    proposed = {name: column for name, column in _mapping(names).items() if name in COLUMNS}
    named = {"headline_a", "headline_b", "label"} <= set(proposed)
    return PairPreview(
        names,
        tuple(tuple(cell or "" for cell in row) for row in head),
        len(table),
        proposed if named else _by_content(table, proposed),
        named,
    )


def _label(cell: str) -> str:
    return _NOT.sub("not_", cell.strip().casefold())


def _by_content(table: pd.DataFrame, proposed: Mapping[str, str]) -> dict[str, str]:
    filled = {
        str(name): [cell.strip() for cell in table[name].head(_LOOKED_AT) if cell and cell.strip()]
        for name in table.columns
        if name not in proposed.values()
    }
    prose = [n for n, cells in filled.items() if cells and median(len(c.split()) for c in cells) >= 3]
    marks = [n for n, cells in filled.items() if cells and all(_label(c) in _LABELS for c in cells)]
    columns = dict(proposed)
    if "headline_a" not in columns and "headline_b" not in columns and len(prose) == 2:
        columns["headline_a"], columns["headline_b"] = prose
    if "label" not in columns and len(marks) == 1:
        columns["label"] = marks[0]
    return columns


def renamed_pairs(data: bytes, filename: str, columns: Mapping[str, str]) -> bytes:
    """The rows of a table of pairs as JSON Lines, their columns under the names that every reader knows."""
    table = read_table(data, filename)
    if table.rejected:
        first = table.rejected[0]
        raise InputError(f"Line {first.line:,} of {filename[:80]}: {first.reason}", hint="Correct it.")
    if missing := [name for name in ("headline_a", "headline_b", "label") if not columns.get(name)]:
        message = f"There is no column for {missing[0]}."
        raise InputError(message, hint="Choose the columns of both headlines and the label.")
    used = [column for column in columns.values() if column]
    if twice := [column for column in used if used.count(column) > 1]:
        raise InputError(f"The column {twice[0][:80]!r} cannot mean two things.", hint="Choose it once.")
    rows = zip(*(table.column(column) for column in used), strict=True)
    names = [name for name, column in columns.items() if column]
    lines = [json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) for row in rows]
    return ("\n".join(lines) + "\n").encode("utf-8", errors="replace")


def parse_pairs(
    data: bytes,
    filename: str,
    *,
    part: Part = Part.TEST,
    labels: bool = True,
    also: Mapping[str, str] = MappingProxyType({}),
) -> PairFile:
    """Reads pairs from any table that timelines can be read from (CSV, TSV, JSON, JSONL, Parquet, XLSX).

    Columns are named as in pair_file.toml, or as `also` says; a label is 1 for the same event, 0 for another
    or empty, tags are separated by ";". Without a timeline column all pairs are one timeline.
    """
    return _parsed(read_table(data, filename, blank_rows=True), filename, part, labels=labels, also=also)


def pairs_of_frame(frame: pd.DataFrame) -> PairFile:
    """Reads pairs from a data frame with the columns of a file, whatever their labels."""
    return _parsed(frame_table(frame), "The data frame", Part.TEST, labels=False)


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
        keys, usual = by_key(names), _mapping(names)
        more = {field: keys[name] for field, name in also.items() if name in keys and field not in usual}
        self.columns = usual | more
        require(self.columns, _NEEDED, self.table.columns, filename)
        n = len(self.table)
        self._headlines = {
            name: [*map(clean_line, self.texts(name))] for name in ("headline_a", "headline_b")
        }
        for name, texts in self._headlines.items():
            for row, text in enumerate(texts):
                if why := why_no_headline(text):
                    self.fault(row, name, why)
        both = [*self.texts("date_a"), *self.texts("date_b")]
        left_out = {place for row in self.faults for place in (row, n + row)}
        read = without_unreadable(
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
            value = _label(text)
            if value in _LABELS:
                result[row] = _LABELS[value]
            elif value:
                self.fault(row, "label", f"The label is {text.strip()[:40]!r}, not 0 or 1.")
        return result

    def parts(self, default: Part) -> list[str]:
        result = []
        for row, text in enumerate(self.texts("part")):
            word = text.strip()
            if word and word.casefold() not in _PARTS:
                self.fault(row, "part", f"The part is {word[:40]!r}, not train, validation or test.")
            result.append(_PARTS.get(word.casefold(), default).value)
        return result

    def pairs(self, sides: Sequence[Side], labels: IntArray, parts: Sequence[str], rows: IntArray) -> PairSet:
        places = rows.tolist()

        def of(values: Sequence[str]) -> list[str]:
            return [values[row] for row in places]

        left, right = (
            Side(of(side.texts), side.days[rows], of(side.urls), of(side.bodies)) for side in sides
        )
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


def _mapping(columns: Sequence[str]) -> dict[str, str]:
    mapping = column_names.find(columns, _SPELLINGS)
    keys = by_key(columns)
    for name, spellings in _NUMBERED.items():
        sides = f"{name}_a", f"{name}_b"
        both = next((pair for pair in spellings if set(pair) <= set(keys)), None)
        if both and mapping.keys().isdisjoint(sides):
            mapping |= {side: keys[spelling] for side, spelling in zip(sides, both, strict=True)}
    headlines = mapping.get("headline_a"), mapping.get("headline_b")
    # text_a may be the headline itself
    return {name: column for name, column in mapping.items() if name[:4] != "body" or column not in headlines}


def _all_rows(table: RawTable) -> tuple[pd.DataFrame, dict[int, tuple[str, str]]]:
    import pandas as pd

    if not table.rejected:
        return table.cells, {}
    broken = pd.DataFrame(
        [{name: row.cells.get(name) for name in table.cells.columns} for row in table.rejected],
        columns=table.cells.columns,
        dtype=object,
    )
    lines = np.concatenate([table.lines, [row.line for row in table.rejected]])
    order = np.argsort(lines, kind="stable")
    places = np.argsort(order)[len(table) :].tolist()
    faults = {place: (row.column, row.reason) for place, row in zip(places, table.rejected, strict=True)}
    every = pd.concat([table.cells, broken], ignore_index=True)
    return every.iloc[order].reset_index(drop=True), faults
