"""Where the rows stand in a JSON value."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import getitem
from typing import Any, Final

from core.data.timelines import addresses, column_names, header, moments, nested, raw
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.files import read_tables

Row = Mapping[str, Any]
Path = tuple[str, ...]
Found = tuple[Sequence[Any], list[str]]
_TABLES: Final = read_tables(__file__)
_LISTS, _OF_ARTICLES, _ROWS, _NAMES = (
    tuple(_TABLES[kind].split()) for kind in ("lists", "of_articles", "rows", "names")
)
_SECTIONS: Final = frozenset(_TABLES["sections"].split())
_PAGE: Final = re.compile(r"(?:page|seite|p)?[\s_-]?\d+", re.IGNORECASE)
_DEEPEST: Final = 4  # objects inside each other in which rows are looked for
_ALIKE: Final = 0.5  # least share of common names in rows that are of one kind
_WORDS: Final = 3  # a text of fewer words is no headline where no name says that it is one


def entries(value: Any) -> Found:
    """The rows in a JSON value, wherever they are, and the names of what stands around them."""
    if isinstance(value, list):
        return _listed(value), []
    found = _inside(value) if isinstance(value, dict) else None
    if found is None:
        message = "The JSON holds no list of rows."
        raise InputError(message, hint="Give a list of objects with named values, one a row.")
    return found


def _inside(value: Row) -> Found | None:
    lists = _lists_inside(value)
    sure = lists is not None and _bears(lists[0][:1])
    return _table(value) or (lists if sure else _table_inside(value) or lists) or _row(value)


def opened(row: Any, depth: int = 0) -> list[Any]:
    """The rows that an entry of a list holds: itself, the object that it wraps, or those of a list inside it."""
    if not isinstance(row, dict) or depth > _DEEPEST:
        return [row]
    listed = [name for name, inner in row.items() if isinstance(inner, list)]
    if not listed and (_has_headline(row) or not any(isinstance(inner, dict) for inner in row.values())):
        return [row]
    if listed and (cells := _beside_names(row)):
        return list(cells[0])
    lists = [name for name in listed if _holds_objects(row[name])]
    articles = next((name for name in _OF_ARTICLES if name in row and _are_articles(row, name)), "")
    if articles or _has_headline(row):
        return _with_around(row, articles, _listed(row[articles])) if articles else [row]
    wrapped = [name for name, inner in row.items() if isinstance(inner, dict) and _bears(inner)]
    if len(wrapped) == 1 and not lists and all(row[name] for name in listed):
        return _with_around(row, wrapped[0], opened(row[wrapped[0]], depth + 1))
    if not wrapped and len(lists) == 1 and _bears(row[lists[0]]):
        return _with_around(row, lists[0], _listed(row[lists[0]]))
    paths = [path for path in _paths(row) if len(path) > 1 and _bears(reduce(getitem, path, row))]
    return _lists_at(row, paths) if paths and not lists and not wrapped else [row]


def _are_articles(row: Row, name: str) -> bool:
    inner, other = row[name], {key: value for key, value in row.items() if key != name}
    return isinstance(inner, list) and (
        _bears(inner) or (_holds_sentences(inner) and not _has_headline(other))
    )


def _with_around(row: Row, name: str, inner: Sequence[Any]) -> list[Any]:
    around = {key: value for key, value in row.items() if key != name}
    return [_beside(entry, around) for entry in inner]


def _beside(entry: Any, around: Row) -> Any:
    """A row with what stands around it; where both say the same kind of thing, its own comes first."""
    row = {"headline": entry} if isinstance(entry, str) else entry
    if not isinstance(row, dict):
        return entry
    known, result = set(map(_field, row)), dict(row)
    for name, value in around.items():
        taken = name in row or (_field(name) and _field(name) in known)
        result.setdefault(f"{name} (around)" if taken else name, value)
    return result


@lru_cache(maxsize=4096)
def _field(name: str) -> Field | None:
    return column_names.field_of(name)


def _has_headline(row: Any) -> bool:
    texts = (row[name] for name in row if _field(name) is Field.HEADLINE) if isinstance(row, dict) else ()
    return any(not isinstance(text, (int, float)) and nested.part(text, Field.HEADLINE) for text in texts)


def _bears(value: Any, depth: int = 0) -> bool:
    """Whether an object, or the first of a list, has a headline, itself or in an object inside it."""
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, dict) or depth > 2:
        return False
    inside = (inner for inner in value.values() if isinstance(inner, dict))
    return _has_headline(value) or any(_bears(inner, depth + 1) for inner in inside)


def _holds_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _holds_sentences(value: Any) -> bool:
    texts = value if isinstance(value, list) and value else [None]
    return all(isinstance(text, str) for text in texts) and any(len(text.split()) >= _WORDS for text in texts)


def _listed(values: list[Any]) -> list[Any]:
    lists = [value for value in values if isinstance(value, list)]
    if not lists or len(lists) < len(values):
        return [row for value in values for row in opened(value)]
    if any(map(_holds_objects, lists)):
        return [row for inner in lists for row in _listed(inner)]
    return _of_cells(lists)


def _of_cells(rows: Sequence[Sequence[Any]], names: Sequence[str] = ()) -> list[Any]:
    """Rows of cells as objects, their names as given or as the first of them says."""
    if not names:
        texts = [[raw.cell_text(cell) or "" for cell in row] for row in rows]
        found = header.find_header(texts, range(1, len(rows) + 1), width=max(map(len, rows)))
        names, rows = found.names, rows[found.first :]
    return [dict(zip(names, row, strict=False)) for row in rows]


def _beside_names(value: Row, *, named: bool = True) -> Found | None:
    """Rows of cells that stand beside the names of their columns, or without names."""
    names_at, names = next(
        ((at, names) for at in _NAMES if (names := _column_names(value.get(at)))), ("", list[str]())
    )
    for at in _ROWS:
        rows = _cells(value.get(at))
        if rows and (len(rows[0]) == len(names) or not (names or named)):
            turned = str(value.get("majorDimension", "")).upper() == "COLUMNS"
            rows = [list(row) for row in zip(*rows, strict=False)] if turned else rows
            return _of_cells(rows, names), [name for name in value if name not in (at, names_at, "index")]
    return None


def _table_inside(value: Row, depth: int = 0) -> Found | None:
    inner = [inside for inside in value.values() if isinstance(inside, dict)]
    tables = (
        _table(inside) or (_table_inside(inside, depth + 1) if depth < _DEEPEST else None) for inside in inner
    )
    return next(filter(None, tables), None)


def _table(value: Row) -> Found | None:
    """Rows of a whole table: cells beside names, columns as objects or lists, or objects by key."""
    if cells := _beside_names(value, named=False):
        return cells
    columns = list(value.values())
    known = any(map(column_names.is_known, value))
    if columns and all(isinstance(column, list) for column in columns):
        even = len({len(column) for column in columns}) == 1 and columns[0]
        if (
            even
            and (known or not all(map(_holds_sentences, columns)))
            and not any(map(_holds_objects, columns))
        ):
            return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)], []
    if len(columns) < 2 or not all(isinstance(column, dict) and column for column in columns):
        return _addresses(value)
    if Field.HEADLINE in map(_field, value):
        keys = dict.fromkeys(key for column in columns for key in column)
        rows = [{name: column.get(key) for name, column in value.items()} for key in keys]
        return _keyed(rows, [(key,) for key in keys]), []
    if not all(map(_bears, columns)):
        return None
    return _keyed([opened(column)[0] for column in columns], [(key,) for key in value]), []


def _addresses(value: Row) -> Found | None:
    """Headlines by their addresses."""
    if not value or not all(
        isinstance(text, str) and addresses.WEB_ADDRESS.match(at) for at, text in value.items()
    ):
        return None
    return [{"url": at, "headline": text} for at, text in value.items()], []


def _column_names(value: Any) -> list[str]:
    if isinstance(value, dict):  # {"schema": {"fields": …}}, {"view": {"columns": …}}
        return next((names for inner in value.values() if (names := _column_names(inner))), [])
    if not isinstance(value, list) or not value:
        return []
    keys = ("name", "label", "id")
    named = [next((v[k] for k in keys if v.get(k)), None) if isinstance(v, dict) else v for v in value]
    return [str(name) for name in named] if all(isinstance(name, str) for name in named) else []


def _cells(value: Any) -> list[list[Any]]:
    """Rows of cells, as lists or as the objects of Google's tables; none where these are no rows of cells."""
    rows = value if isinstance(value, list) else []
    rows = [row.get("c") or row.get("f") or row if isinstance(row, dict) else row for row in rows]
    if not rows or not all(isinstance(row, list) and row for row in rows):
        return []
    plain = [
        [cell.get("v") if isinstance(cell, dict) and "v" in cell else cell for cell in row] for row in rows
    ]
    return [] if any(isinstance(row[0], dict) for row in plain) else plain


def _lists_inside(value: Row) -> Found | None:
    """The list of rows, with its siblings where these hold the same; their keys become a column."""
    paths = list(_paths(value)) or list(_paths(value, sentences=True))
    if not paths:
        return None
    best = max(paths, key=lambda path: _suitability(value, path))
    rows = reduce(getitem, best, value)
    if len(best) > 1 and _has_headline(value) and not _bears(rows):
        return None
    same = [path for path in paths if path == best or _are_siblings(value, path, best)]
    around = [name for name in value if name not in {path[0] for path in same}]
    if len(same) == 1:
        around = [
            name
            for depth in range(len(best))
            for name in reduce(getitem, best[:depth], value)
            if name != best[depth]
        ]
    return _lists_at(value, same), around


def _are_siblings(value: Row, path: Path, best: Path) -> bool:
    first, other = (reduce(getitem, place, value)[0] for place in (best, path))
    if len(path) != len(best) or isinstance(first, str) != isinstance(other, str):
        return False
    named_alike = path[-1] == best[-1] or best[-1] not in _LISTS
    if isinstance(first, str):
        return named_alike
    common = len(first.keys() & other.keys()) / len(first.keys() | other.keys())
    return _bears(first) and _bears(other) and (common == 1 or (named_alike and common >= _ALIKE))


def _lists_at(value: Row, paths: Sequence[Path]) -> list[Any]:
    varying = [depth for depth in range(len(paths[0])) if len({path[depth] for path in paths}) > 1]
    rows: list[Any] = []
    keys: list[Path] = []
    for path in paths:
        inner = _listed(reduce(getitem, path, value))
        rows += inner
        keys += [tuple(path[depth] for depth in varying)] * len(inner)
    return _keyed(rows, keys)


def _keyed(rows: Sequence[Any], keys: Sequence[Path]) -> list[Any]:
    """Rows with the keys under which they stood as columns, named by what they are."""
    if not any(keys):
        return list(rows)
    known = set(map(_field, rows[0])) if isinstance(rows[0], dict) else set()
    names: list[str] = []
    for level in zip(*dict.fromkeys(keys), strict=True):
        name = _kind(level)
        taken = (_field(name) and _field(name) in known) or name in names
        names.append("list" if taken and name != "page" else name)
    return [_beside(row, dict(zip(names, key, strict=True))) for row, key in zip(rows, keys, strict=True)]


def _kind(keys: Sequence[str]) -> str:
    """What keys of lists or objects are: days, addresses, numbers, sections or outlets."""
    tests = (
        ("page", _PAGE.fullmatch),
        ("date", moments.is_date),
        ("url", addresses.WEB_ADDRESS.match),
        ("section", lambda key: key.casefold() in _SECTIONS),
    )
    return next((name for name, test in tests if all(map(test, keys))), "outlet")


def _row(value: Row) -> Found | None:
    for name in _LISTS:
        if isinstance(value.get(name), list):
            return list(value[name]), [other for other in value if other != name]
    if value and (_has_headline(value) or not any(isinstance(inner, list) for inner in value.values())):
        return opened(value), []
    return None


def _paths(value: Row, path: Path = (), *, sentences: bool = False) -> Iterator[Path]:
    for name, inner in value.items():
        if _holds_sentences(inner) if sentences else _holds_objects(inner):
            yield *path, name
        elif isinstance(inner, dict) and len(path) < _DEEPEST:
            yield from _paths(inner, (*path, name), sentences=sentences)


def _suitability(value: Row, path: Path) -> tuple[int, bool, int, int]:
    rows = reduce(getitem, path, value)
    usual = len(path) == 1 and path[0] in _LISTS
    known = set(map(_field, rows[0])) if isinstance(rows[0], dict) else set()
    return -_LISTS.index(path[0]) if usual else -len(_LISTS), _bears(rows), len(known), len(rows)
