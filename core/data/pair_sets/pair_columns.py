"""What the columns of a table of pairs mean, by their names and by what stands in them."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

from core.data.pair_sets.pair_set import DIFFERENT, SAME
from core.data.timelines import column_names, tables
from core.data.timelines.column_names import by_key
from core.errors import InputError
from core.files import read_tables
from core.parts import Part

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
_NUMBERED: Mapping[str, list[list[str]]] = {
    name: [pair.split("|") for pair in pairs.split()] for name, pairs in _TABLES["numbered"].items()
}
COLUMNS = ("headline_a", "headline_b", "label", "date_a", "date_b", "part", "timeline")
"""What a reader can choose a column for."""
_SHOWN_ROWS = 10
_LOOKED_AT = 200

PARTS = {word: Part(part) for part, words in _TABLES["parts"].items() for word in words.split()}
_NOT = re.compile(r"^not[ _-]+")
_WORDS = _TABLES["labels"]
LABELS = dict.fromkeys(_WORDS["same"].split(), SAME) | dict.fromkeys(_WORDS["different"].split(), DIFFERENT)


def is_pair_table(columns: Sequence[str]) -> bool:
    """Whether columns of these names are meant to hold two headlines a row; one of them may be missing."""
    return not {"headline_a", "headline_b"}.isdisjoint(pair_columns(columns))


@dataclass(frozen=True, slots=True)
class PairPreview:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_count: int
    proposed: Mapping[str, str]
    named: bool  # both headlines and the label were found by their names


def sniff_pairs(data: bytes, filename: str) -> PairPreview:
    table = tables.read_table(data, filename, blank_rows=True).cells
    names = tuple(map(str, table.columns))
    head = table.head(_SHOWN_ROWS).itertuples(index=False)
    proposed = {name: column for name, column in pair_columns(names).items() if name in COLUMNS}
    named = {"headline_a", "headline_b", "label"} <= set(proposed)
    shown = tuple(tuple(cell or "" for cell in row) for row in head)
    found = proposed if named else _by_content(table, proposed)
    return PairPreview(names, shown, len(table), found, named)


def label_key(cell: str) -> str:
    return _NOT.sub("not_", cell.strip().casefold())


def _by_content(table: "pd.DataFrame", proposed: Mapping[str, str]) -> dict[str, str]:
    filled = {
        str(name): [cell.strip() for cell in table[name].head(_LOOKED_AT) if cell and cell.strip()]
        for name in table.columns
        if name not in proposed.values()
    }
    prose = [n for n, cells in filled.items() if cells and median(len(c.split()) for c in cells) >= 3]
    marks = [n for n, cells in filled.items() if cells and all(label_key(c) in LABELS for c in cells)]
    columns = dict(proposed)
    if "headline_a" not in columns and "headline_b" not in columns and len(prose) == 2:
        columns["headline_a"], columns["headline_b"] = prose
    if "label" not in columns and len(marks) == 1:
        columns["label"] = marks[0]
    return columns


def renamed_pairs(data: bytes, filename: str, columns: Mapping[str, str]) -> bytes:
    """The rows of a table of pairs as JSON Lines, their columns under the names that every reader knows."""
    table = tables.read_table(data, filename)
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


def pair_columns(columns: Sequence[str]) -> dict[str, str]:
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
