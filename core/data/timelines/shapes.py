"""Files of the sources of this trade, recognised by their columns (shapes.toml)."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import msgspec

from core.data.timelines import column_names, columns, nested
from core.data.timelines.beginnings import beginning
from core.data.timelines.raw import Layout, RawTable, Texts
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.files import read_tables

_PARTS: Final = re.compile(r"[./]|__")  # between the names of a path, where a table has its parts as columns
_ADDRESS_ENDING: Final = "-href"  # of the column with the addresses of the links in another
_ESCAPE: Final = re.compile(r"\\([^\w\s])")
_UNESCAPED: Final = "{} without backslashes"
_SIGNS: Final = re.compile(r"""^[^\w"'«“„(#@$€£¥+-]+""")
_LOOKED_AT: Final = 50  # rows that show whether a table without header is of a shape
_ENOUGH: Final = 0.8  # share of these that must
# What people add to a table of any source.
_NAMED_BY_READERS: Final[tuple[Field, ...]] = (Field.GOLD, Field.ANNOTATOR)


class Shape(msgspec.Struct, frozen=True):
    """What a source's tables look like, as shapes.toml says it; lists of names are divided by spaces."""

    title: str
    columns: str
    fields: dict[Field, str] = {}
    needed: str = ""
    any: str = ""
    headless: dict[str, str] = {}
    width: int = 0
    dates: str = ""
    timeline: str = ""
    escaped: str = ""
    lines: str = ""
    beginnings: str = ""
    refused: str = ""


_SHAPES: Final = msgspec.convert(read_tables(__file__), dict[str, Shape])


def _columns_by_key(table: RawTable) -> dict[str, str]:
    """Columns by the key of their name, and of that before their parts: `source.name` also by "source"."""
    heads = {column_names.key(_PARTS.split(name)[0]): name for name in reversed(table.columns)}
    return heads | {column_names.key(name): name for name in reversed(table.columns)}


def _recognises(shape: Shape, table: RawTable) -> bool:
    known = _columns_by_key(table)
    paths = " ".join(shape.fields.values()).split()
    tails = {path.partition(".")[0]: column_names.key(path) for path in paths}

    def has(name: str) -> bool:
        if name.startswith("*"):
            return any(column.endswith(name[1:]) for column in table.columns)
        if name.endswith("*"):
            return any(column.startswith(name[:-1]) for column in known)
        return column_names.key(name) in known or tails.get(name) in known

    every = all(map(has, (shape.needed or shape.columns).split()))
    return (every and (not shape.any or any(map(has, shape.any.split())))) or _is_headless(
        shape, _first(table)
    )


def _first(table: RawTable) -> list[list[str | None]]:
    rows: list[list[str | None]] = table.cells.head(_LOOKED_AT).to_numpy().tolist()
    return rows


def _is_headless(shape: Shape, rows: Sequence[Sequence[str | None]]) -> bool:
    """Whether most rows look like those of a source whose files have no header."""
    if not shape.headless or not rows or len(rows[0]) != shape.width:
        return False
    patterns = [(int(place) - 1, re.compile(pattern)) for place, pattern in shape.headless.items()]
    fitting = [row for row in rows if all(pattern.fullmatch(row[place] or "") for place, pattern in patterns)]
    return len(fitting) >= _ENOUGH * len(rows)


def names_are_a_row(table: RawTable) -> bool:
    """Whether what was taken for a header is a row of a source whose files have none."""
    return bool(table.header) and any(_is_headless(shape, [table.columns]) for shape in _SHAPES.values())


def _arrange(shape: Shape, table: RawTable) -> RawTable:
    if shape.refused:
        raise InputError(f"This is {shape.title}, which hold no headlines.", hint=shape.refused)
    if _is_headless(shape, _first(table)):
        names = shape.columns.split()
        names += list(map(str, table.cells.columns[len(names) :]))
        table = replace(table, cells=table.cells.set_axis(names, axis="columns"))
    proposed = columns.propose(table)
    offered = (*_NAMED_BY_READERS, *({Field.PUBLISHER} & shape.fields.keys()))  # the last under another name
    mapping = {field: proposed[field] for field in offered if field in proposed}
    known, cells = _columns_by_key(table), nested.NestedCells(table)
    exact = {column_names.key(name): name for name in table.columns}
    derived: dict[str, Texts] = {}
    for field, paths in shape.fields.items():
        filled: dict[str, Texts] = {}
        for path in paths.split():
            head, _, inside = path.partition(".")
            whole = (
                _linked(table) + path[1:] if path.startswith("*") else known.get(column_names.key(path), "")
            )
            # Where the parts of a path are columns, one that is none of them is nowhere.
            outer = (exact if inside else known).get(column_names.key(head), "")
            found = cells.at(whole or outer, "" if whole else inside, field)
            if path in shape.beginnings.split() and field is Field.HEADLINE:
                found = {
                    f"beginning of {name}": [beginning(text or "") or None for text in texts]
                    for name, texts in found.items()
                }
            filled |= found
        if field in shape.escaped.split() and any(
            "\\" in (text or "") for texts in filled.values() for text in texts
        ):
            filled = {
                _UNESCAPED.format(name): [text and _ESCAPE.sub(r"\1", text) for text in texts]
                for name, texts in filled.items()
            }
        if field in shape.lines.split():
            filled = {
                f"first line of {name}": [_first_line(text or "") for text in texts]
                for name, texts in filled.items()
            }
        if not any(map(any, filled.values())):
            mapping |= {field: proposed[field]} if field in proposed else {}
        else:
            name = " or ".join(filled)
            mapping[field] = (name,)
            if name not in table.columns or cells.values(name):
                derived[name] = [next(filter(None, row), None) for row in zip(*filled.values(), strict=True)]
    said = f"Read as {shape.title}" + (f"; its dates say {shape.dates}." if shape.dates else ".")
    several = next((known[name] for name in shape.timeline.split() if name in known), "")
    table = replace(table, mapping=mapping, timeline_column=several, notes=(said, *table.notes))
    return nested.with_columns(table, derived)


def _first_line(text: str) -> str | None:
    lines = (_SIGNS.sub("", line.strip()) for line in text.split("\n"))
    return next(filter(None, lines), None)


def _linked(table: RawTable) -> str:
    """Of the columns with texts of links that differ the one with most words; "" for none."""
    words = {
        name: sum(len((text or "").split()) for text in table.column(name))
        for name in table.columns
        if name + _ADDRESS_ENDING in table.columns and len(set(filter(None, table.column(name)))) > 1
    }
    return max(words, key=words.__getitem__, default="")


def layouts() -> list[Layout]:
    return [
        Layout(
            name,
            shape.title,
            tuple((shape.needed or shape.columns).split()),
            partial(_recognises, shape),
            partial(_arrange, shape),
        )
        for name, shape in _SHAPES.items()
    ]
