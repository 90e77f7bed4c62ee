"""Cells that hold an object, a list or tagged text, and what these say of a field."""

import ast
import itertools
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from core.data.timelines import column_names
from core.data.timelines.raw import RawTable, Texts, cell_text, check_columns, texts_frame
from core.data.timelines.timeline import Field
from core.files import read_tables

_TABLES: Final = read_tables(__file__)
_PARTS: Final = {
    field: (*_TABLES["first"].get(field, "").split(), *_TABLES["parts"].split()) for field in Field
}
_JOINED: Final = {Field.AUTHORS: ", ", Field.BODY: "\n\n"}  # of other fields the first of several counts
_DEEPEST: Final = 5
_LOOKED_AT: Final = 200  # filled cells of a column that show whether it holds nested values
_LONGEST: Final = 1_000_000  # characters; Python's notation is read slowly
_TAG: Final = re.compile(r"<(/?)([A-Z]+_[A-Z_]+)>")
_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")


def parsed(text: str) -> Any:
    """The object or list that a cell holds in JSON, Python's notation or tags as of GDELT; None for none."""
    start = text.lstrip()[:1]
    if start == "<":
        return _tagged(text) or None
    if start not in ("{", "["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = _python(text)
    return value if isinstance(value, (dict, list)) else None


def _tagged(text: str) -> dict[str, str]:
    parts: dict[str, str] = {}
    name, start = "", 0
    for tag in _TAG.finditer(text):
        if not tag[1]:
            name, start = tag[2], tag.end()
        elif tag[2] == name:
            parts.setdefault(name, text[start : tag.start()])
    return parts


def _python(text: str) -> Any:
    try:
        return ast.literal_eval(text.strip()) if len(text) <= _LONGEST else None
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None


def part(value: Any, field: Field, depth: int = 0) -> str:
    """What a value says of a field: its name, title, text and the like; "" for nothing."""
    if isinstance(value, list):
        texts = dict.fromkeys(text for inner in value if (text := part(inner, field, depth + 1)))
        return _JOINED[field].join(texts) if field in _JOINED else next(iter(texts), "")
    if not isinstance(value, dict):
        return cell_text(value) or ""
    if depth > _DEEPEST:
        return ""
    known = (value[name] for name in _PARTS[field] if value.get(name))
    by_last_word = {
        column_names.key(name).rpartition("_")[2]: inner for name, inner in value.items() if inner
    }
    further = (by_last_word[name] for name in _PARTS[field] if name in by_last_word)
    languages = value.values() if all(map(_LANGUAGE.fullmatch, value)) else ()
    spoken = (inner for inner in languages if isinstance(inner, str))
    for inner in (*known, *further, *spoken):
        if text := part(inner, field, depth + 1):
            return text
    return ""


def at_path(value: Any, path: str) -> Any:
    """What stands at a path of names between dots; of a list of objects, in each of them."""
    for name in path.split(".") if path and not isinstance(value, str) else ():
        if isinstance(value, list):
            value = [inner.get(name) for inner in value if isinstance(inner, dict)]
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value


def plain(text: str | None, field: Field) -> str | None:
    """A cell as text of a field; a headline that says nothing stays as it is, to be reported."""
    value = parsed(text) if text else None
    if value is None:
        return text
    return part(value, field) or (text if field is Field.HEADLINE else None)


def is_nested(texts: Texts) -> bool:
    """Whether most filled cells at the beginning of a column are objects, lists or tagged."""
    filled = list(itertools.islice((text for text in texts if text and text.strip()), _LOOKED_AT))
    marked = [text for text in filled if text.lstrip()[:1] in ("{", "[", "<")]
    return 2 * len(marked) > len(filled) and 2 * sum(parsed(text) is not None for text in marked) > len(
        filled
    )


def with_plain_texts(table: RawTable) -> RawTable:
    """The table with texts for the nested values in columns whose names say what they hold."""
    table = _unwrapped(table)
    fields: Mapping[str, Field] = {
        name: field for name in table.columns if (field := column_names.field_of(name)) is not None
    }
    nested = {name: table.column(name) for name in fields if name not in table.derived}
    plain_texts = {
        name: [plain(text, fields[name]) for text in texts]
        for name, texts in nested.items()
        if is_nested(texts)
    }
    return with_columns(table, plain_texts)


def _unwrapped(table: RawTable) -> RawTable:
    """The table with the parts of objects as columns, where these hold the headlines and no other column does."""
    if any(column_names.field_of(name) is Field.HEADLINE for name in table.columns):
        return table
    for column in table.columns:
        texts = table.column(column)
        if not is_nested(texts):
            continue
        values = [parsed(text) if text else None for text in texts]
        rows = [value if isinstance(value, dict) else {} for value in values]
        names = dict.fromkeys(name for row in rows for name in row if name not in table.columns)
        if any(column_names.field_of(name) is Field.HEADLINE for name in names):
            check_columns(len(names))
            return with_columns(table, {name: [cell_text(row.get(name)) for row in rows] for name in names})
    return table


def with_columns(table: RawTable, columns: Mapping[str, Texts]) -> RawTable:
    """The table with further derived columns; one of the same name as a cell's stands in its place."""
    if not columns:
        return table
    old = {str(name): list(table.derived[name]) for name in table.derived.columns}
    every = old | dict(columns)
    return replace(table, derived=texts_frame(list(zip(*every.values(), strict=True)), list(every)))
