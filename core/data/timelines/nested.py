"""Cells that hold an object, a list or tagged text, and what these say of a field."""

import ast
import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from core.data.timelines import column_names
from core.data.timelines.date_choice import DateKind, kind_of
from core.data.timelines.raw import RawTable, Texts, cell_text, check_columns, texts_frame
from core.data.timelines.timeline import Field
from core.files import read_tables

_TABLES: Final = read_tables(__file__)
_PARTS: Final = {field: f"{_TABLES['first'].get(field, '')} {_TABLES['parts']}".split() for field in Field}
_REST, _OTHER_TITLES, _OUTLETS, _HIGHLIGHTS = (
    tuple(_TABLES[kind].split()) for kind in ("rest", "other_titles", "outlets", "highlights")
)
_JOINED: Final = {Field.AUTHORS: ", ", Field.BODY: "\n\n"}  # of other fields the first of several counts
_AROUND: Final = (Field.PUBLISHED, Field.PUBLISHER, Field.URL)  # told in objects of other names, too
_DEEPEST: Final = 5
_DEEPEST_HEADLINE: Final = 3  # objects inside each other in which the headlines of a table may stand
_LOOKED_AT: Final = 200  # filled cells of a column that show whether it holds nested values
_LONGEST: Final = 1_000_000  # characters; Python's notation is read slowly
_STARTS: Final = frozenset("{[<")
_TAG: Final = re.compile(r"<(/?)([A-Z]+_[A-Z_]+)>")
_LINKED: Final = re.compile(  # "Name (address)" of relations, "[name](address)" of Markdown
    r",?\s*(?:\[(?P<text>[^\[\]]+)\]|(?P<name>[^()\[\]\s](?:[^()\[\]]*[^()\[\]\s])?)\s+)\((?P<url>https?://[^\s()]+)\)\s*"
)
_WORDS: Final = 3  # a name of fewer is no headline
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")


@lru_cache(maxsize=4096)
def shows_again(name: str) -> bool:
    """Whether an object of this name shows where the words of a search were found in another."""
    return column_names.key(name) in _HIGHLIGHTS


def parsed(text: str) -> Any:
    """What a cell holds in JSON, Python's notation, GDELT's tags or names with addresses; else the text."""
    start = text.lstrip()[:1]
    if start == "<":
        return _tagged(text) or text
    if text.endswith(")") and "(http" in text and (linked := _linked(text)):
        return linked
    if start not in ("{", "["):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        try:
            value = ast.literal_eval(text.strip()) if len(text) <= _LONGEST else text
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            return text
    return value if isinstance(value, (dict, list)) else text


def _tagged(text: str) -> dict[str, str]:
    parts: dict[str, str] = {}
    name, start = "", 0
    for tag in _TAG.finditer(text):
        if not tag[1]:
            name, start = tag[2], tag.end()
        elif tag[2] == name:
            parts.setdefault(name, text[start : tag.start()])
    return parts


def _linked(text: str) -> list[dict[str, str]]:
    found, end = [], 0
    while end < len(text) and (one := _LINKED.match(text, end)):
        found.append({"name": one["text"] or one["name"], "url": one["url"]})
        end = one.end()
    return found if end == len(text) else []


def part(value: Any, field: Field, depth: int = 0) -> str:
    """What a value says of a field: its name, title, text and the like; "" for nothing."""
    if isinstance(value, list):
        said = [part(inner, field, depth + 1) for inner in value]
        if any(isinstance(inner, dict) and "text" in inner for inner in value) and str in map(type, value):
            return "".join(said)  # a text in pieces, some of them set off
        texts = dict.fromkeys(text for text in said if text.strip())
        return _JOINED[field].join(texts) if field in _JOINED else next(iter(texts), "")
    if not isinstance(value, dict):
        return cell_text(value) or ""
    if depth > _DEEPEST:
        return ""
    if parts := value.get("date-parts"):  # of references in CSL: [[2026, 3, 12]]
        return "-".join(f"{int(one):02}" for one in (parts[0] if isinstance(parts[0], list) else parts))
    known = (value[name] for name in _PARTS[field] if value.get(name))
    last: tuple[dict[str, Any], dict[str, Any]] = {}, {}
    for name, inner in value.items() if any(value.values()) else ():
        words = column_names.key(name).split("_")
        if inner:
            last[not set(words).isdisjoint(_OTHER_TITLES)].setdefault(words[-1], inner)
    further = (usual[name] for usual in last for name in _PARTS[field] if name in usual)
    rest = (value[name] for name in _REST if value.get(name))
    languages = value.values() if all(map(_LANGUAGE.fullmatch, value)) else ()
    spoken = (inner for inner in languages if isinstance(inner, str))
    ranked = itertools.chain(known, further, rest, spoken)
    return next(filter(str.strip, (part(inner, field, depth + 1) for inner in ranked)), "")


def plain(text: str | None, field: Field) -> str | None:
    """A cell as text of a field; a headline that says nothing stays as it is, to be reported."""
    value = parsed(text or "")
    if isinstance(value, str):
        return text
    return part(value, field) or (text if field is Field.HEADLINE else None)


def is_nested(texts: Iterable[str | None]) -> bool:
    """Whether most filled cells at the beginning of a column are objects, lists or tagged."""
    filled = list(itertools.islice((text for text in texts if text and text.strip()), _LOOKED_AT))
    return 2 * sum(not isinstance(parsed(text), str) for text in filled) > len(filled)


class NestedCells:
    """The nested columns of a table, each parsed once."""

    def __init__(self, table: RawTable) -> None:
        self.table = table
        self._values: dict[str, list[Any]] = {}

    def values(self, column: str) -> list[Any]:
        """What the cells of a column hold where any of them is nested; nothing for another column."""
        if column not in self._values:
            texts = self.table.column(column) if column in self.table.columns else []
            marked = any(text and (text[0] in _STARTS or text.endswith(")")) for text in texts)
            values = [parsed(text or "") for text in texts] if marked else []
            self._values[column] = values if any(not isinstance(value, str) for value in values) else []
        return self._values[column]

    def at(self, column: str, path: str, field: Field) -> dict[str, Texts]:
        """The texts of a column by its name, those at a path in its values; nothing where none is filled."""
        name, texts = column, self.table.column(column) if column in self.table.columns else []
        if values := self.values(column):
            name = f"{column}.{path}" if path else column
            texts = [part(_inside(value, path), field) or None for value in values]
        return {name: texts} if any(texts) else {}


def _inside(value: Any, path: str) -> Any:
    """What stands at a path of names between dots; of a list of objects, in each of them."""
    for name in path.split(".") if path and not isinstance(value, str) else ():
        if isinstance(value, list):
            value = [inner.get(name) for inner in value if isinstance(inner, dict)]
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value


def with_plain_texts(table: RawTable) -> RawTable:
    """The table with texts for the nested values in columns whose names say what they hold.

    Where no column has the headlines, the parts of an object that has them become columns.
    """
    columns = [name for name in table.columns if not shows_again(name)]
    fields = {name: field_of(name) for name in columns}
    told = {field for name, field in fields.items() if kind_of(name) is not DateKind.VISIT}
    cells = NestedCells(table)
    if Field.HEADLINE not in fields.values() and (inner := _parts_with_headlines(cells, columns)):
        return with_plain_texts(with_columns(table, inner))
    nested = {name: field for name, field in fields.items() if field is not None and cells.values(name)}
    texts = {name: [plain(text, field) for text in table.column(name)] for name, field in nested.items()}
    if Field.URL not in fields.values():  # [headline](address)
        titled = [name for name, field in nested.items() if field is Field.HEADLINE]
        for said in (said for name in titled for said in cells.at(name, "url", Field.URL).values()):
            texts["url"] = said
    for name in columns:
        if (
            column_names.key(name) in _OUTLETS
            and cells.values(name)
            and Field.PUBLISHER not in fields.values()
        ):
            texts["outlet"] = [part(value, Field.PUBLISHER) or None for value in cells.values(name)]
        if fields[name] is not None:
            continue
        objects = [value for value in cells.values(name) if isinstance(value, dict)]
        for inner in dict.fromkeys(key for value in objects for key in value):
            if (field := field_of(inner)) in _AROUND and field not in told:
                for said in cells.at(name, inner, field).values():  # none where nothing is told
                    texts[inner] = said
    check_columns(len(texts))
    return with_columns(table, texts)


def _parts_with_headlines(cells: NestedCells, columns: Sequence[str]) -> dict[str, Texts]:
    """The parts of the objects of one column, that in which most different headlines stand; {} for none."""
    for depth in range(_DEEPEST_HEADLINE):
        told = {name: _headlines_in(cells.values(name)[:_LOOKED_AT], depth) for name in columns}
        column = max(told, key=lambda name: len(told[name]), default="")
        if column and told[column]:
            rows = cells.values(column)
            names = dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row)
            check_columns(len(names))
            inner = {name: [cell_text(_inside(row, name)) for row in rows] for name in names}
            if not depth and not any(field_of(name) is Field.HEADLINE for name in names):
                inner["headline"] = inner["name"]
            return inner
    return {}


def _headlines_in(rows: Iterable[Any], depth: int) -> set[str]:
    """Different texts that objects have for headlines, so many objects inside them."""
    objects = [row for row in rows if isinstance(row, dict)]
    if depth:
        inner = dict.fromkeys(name for row in objects for name in row if not shows_again(name))
        told = (_headlines_in([row.get(name) for row in objects], depth - 1) for name in inner)
        return max(told, key=len, default=set())
    named = {
        part(value, Field.HEADLINE) or name
        for row in objects
        for name, value in row.items()
        if field_of(name) is Field.HEADLINE
    }
    names = (row.get("name") for row in objects)
    return named | {name for name in names if isinstance(name, str) and len(name.split()) >= _WORDS}


@lru_cache(maxsize=4096)
def field_of(name: str) -> Field | None:
    """The field that a column of this name means, dates included."""
    dated = Field.PUBLISHED if kind_of(name) is not DateKind.UNNAMED else None
    return column_names.field_of(name) or dated


def with_columns(table: RawTable, columns: Mapping[str, Texts]) -> RawTable:
    """The table with further derived columns; one of the same name as a cell's stands in its place."""
    if not columns:
        return table
    every = {str(name): list(table.derived[name]) for name in table.derived.columns} | dict(columns)
    return replace(table, derived=texts_frame(list(zip(*every.values(), strict=True)), list(every)))
