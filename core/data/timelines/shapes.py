"""Files of the sources of this trade, recognised by their columns (shapes.toml)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import numpy as np

from core.data.timelines import column_names, columns, nested
from core.data.timelines.raw import Layout, RawTable, Texts
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.files import read_tables

_PARTS: Final = re.compile(r"[./]|__")  # between the names of a path, where a table has its parts as columns
_ANY_NAME: Final = "*"
_ADDRESS_ENDING: Final = "-href"  # of the column with the addresses of the links in another
_LOOKED_AT: Final = 50  # rows that show whether a table without header is of a shape
_ENOUGH: Final = 0.8  # share of these that must
_NAMED_BY_READERS: Final = (Field.GOLD, Field.ANNOTATOR)  # what people add to a table of any source


@dataclass(frozen=True, slots=True)
class Shape:
    """What a source's tables look like, as shapes.toml says it."""

    title: str
    columns: tuple[str, ...]
    needed: tuple[str, ...]
    any: tuple[str, ...]
    paths: Mapping[Field, tuple[str, ...]]
    headless: Mapping[int, re.Pattern[str]]
    width: int
    dates: str
    refused: str


def _shape(row: Mapping[str, Any]) -> Shape:
    words = {name: tuple(text.split()) for name, text in row.items() if isinstance(text, str)}
    return Shape(
        title=row["title"],
        columns=words["columns"],
        needed=words.get("needed", words["columns"]),
        any=words.get("any", ()),
        paths={field: words[field.value] for field in Field if field.value in words},
        headless={int(place): re.compile(pattern) for place, pattern in row.get("headless", {}).items()},
        width=row.get("width", 0),
        dates=row.get("dates", ""),
        refused=row.get("refused", ""),
    )


def _columns_by_key(table: RawTable) -> dict[str, str]:
    """Columns by the key of their name, and of the name before their parts: `source.name` also by "source"."""
    known = {column_names.key(name): name for name in reversed(table.columns)}
    return {column_names.key(_PARTS.split(name)[0]): name for name in reversed(table.columns)} | known


def recognises(shape: Shape, table: RawTable) -> bool:
    if shape.headless and is_headless(shape, table.cells.head(_LOOKED_AT).to_numpy().tolist()):
        return True
    known = _columns_by_key(table)
    tails = {
        path.partition(".")[0]: column_names.key(path) for paths in shape.paths.values() for path in paths
    }

    def has(name: str) -> bool:
        if name.startswith(_ANY_NAME):
            return any(column.endswith(name[1:]) for column in table.columns)
        return column_names.key(name) in known or tails.get(name) in known

    return all(map(has, shape.needed)) and (not shape.any or any(map(has, shape.any)))


def is_headless(shape: Shape, rows: Sequence[Sequence[str | None]]) -> bool:
    """Whether most rows look like those of a source whose files have no header."""
    if not shape.headless or not rows or len(rows[0]) != shape.width:
        return False
    patterns = shape.headless.items()
    fitting = [all(pattern.fullmatch(row[place - 1] or "") for place, pattern in patterns) for row in rows]
    return float(np.mean(fitting)) >= _ENOUGH


def names_are_a_row(table: RawTable) -> bool:
    """Whether what was taken for a header is a row of a source whose files have none."""
    return bool(table.header) and any(is_headless(shape, [table.columns]) for shape in _SHAPES.values())


def _arrange(shape: Shape, table: RawTable) -> RawTable:
    if shape.refused:
        raise InputError(f"This is {shape.title}, which hold no headlines.", hint=shape.refused)
    if shape.headless and is_headless(shape, table.cells.head(_LOOKED_AT).to_numpy().tolist()):
        names = [*shape.columns, *map(str, table.cells.columns[len(shape.columns) :])]
        table = replace(table, cells=table.cells.set_axis(names, axis="columns"))
    proposed = columns.propose(table)
    mapping = {field: proposed[field] for field in _NAMED_BY_READERS if field in proposed}
    source = _Cells(table)
    derived: dict[str, Texts] = {}
    for field, paths in shape.paths.items():
        filled: dict[str, Texts] = {}
        for path in paths:
            filled.update(source.at(path, field))
        if filled:
            name = " or ".join(filled)
            mapping[field] = (name,)
            if len(filled) > 1:
                derived[name] = [next(filter(None, row), None) for row in zip(*filled.values(), strict=True)]
            elif name not in table.columns or source.nested(name):
                derived |= filled
    said = f"Read as {shape.title}" + (f"; its dates say {shape.dates}." if shape.dates else ".")
    return replace(nested.with_columns(table, derived), mapping=mapping, notes=(said, *table.notes))


class _Cells:
    """The cells of a table by paths of names, each nested column read once."""

    def __init__(self, table: RawTable) -> None:
        self.table = table
        self.known = _columns_by_key(table)
        self.values: dict[str, list[Any]] = {}

    def nested(self, column: str) -> list[Any]:
        """What the cells of a column hold, as they are where they are no notation; nothing for plain columns."""
        if column not in self.values:
            texts = self.table.column(column)
            several = texts if nested.is_nested(texts) else []
            self.values[column] = [
                value if (value := nested.parsed(text or "")) is not None else text for text in several
            ]
        return self.values[column]

    def at(self, path: str, field: Field) -> dict[str, Texts]:
        """The texts at a path by their name, in a column of that name or inside a nested one; {} for nothing."""
        head, _, inside = path.partition(".")
        whole = (
            _linked(self.table) + path[1:]
            if path.startswith(_ANY_NAME)
            else self.known.get(column_names.key(path))
        )
        name = whole or self.known.get(column_names.key(head), "")
        if name not in self.table.columns:
            return {}
        texts = self.table.column(name)
        if values := self.nested(name):
            inside = "" if whole else inside
            texts = [nested.part(nested.at_path(value, inside), field) or None for value in values]
            name = f"{name}.{inside}" if inside else name
        return {name: texts} if any(texts) else {}


def _linked(table: RawTable) -> str:
    """Of the columns with texts of links the one with most words; "" for none."""
    texts = [name for name in table.columns if f"{name}{_ADDRESS_ENDING}" in table.columns]
    return max(
        texts, key=lambda name: sum(len((text or "").split()) for text in table.column(name)), default=""
    )


_SHAPES: Final = {name: _shape(row) for name, row in read_tables(__file__).items()}
LAYOUTS: Final = tuple(
    Layout(name, shape.title, shape.needed, partial(recognises, shape), partial(_arrange, shape))
    for name, shape in _SHAPES.items()
)
