"""Where the rows stand in a JSON value."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from operator import getitem
from typing import Any, Final

import numpy as np

from core.data.timelines import addresses, column_names, header, moments, nested, raw
from core.data.timelines.columns import propose
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.files import read_tables
from core.text.stems import is_unspaced

Row = Mapping[str, Any]
Path = tuple[str, ...]
_TABLES: Final = read_tables(__file__)
_LISTS, _OF_ARTICLES, _ROWS, _NAMES, _SECTIONS = (
    tuple(_TABLES[kind].split()) for kind in ("lists", "of_articles", "rows", "names", "sections")
)
_ERRORS: Final = frozenset(_TABLES["errors"].split())
_PAGE: Final = re.compile(r"(?:page|seite|p)?[\s_-]?\d+", re.IGNORECASE)
_DEEPEST: Final = 4  # objects inside each other in which rows are looked for
_WRAPPED: Final = 2  # objects that wrap a row of a list
_ALIKE: Final = 0.5  # least share of common names in rows that are of one kind
_WORDS: Final = 3  # a text of fewer words is no headline where no name says that it is one
_LOOKED_AT: Final = 60  # entries of a list that show whether it holds headlines
_BESIDE: Final = frozenset({Field.PUBLISHED, Field.URL, Field.PUBLISHER})
_POST: Final = frozenset({Field.PUBLISHED, Field.AUTHORS})  # what is told of what somebody wrote
_OTHER, _SENTENCES, _OBJECT, _HEADLINES = range(4)  # what stands at a place, the best last


def entries(value: Any) -> tuple[Sequence[Any], list[str]]:
    """The rows in a JSON value, wherever they are, and the names of what stands around them."""
    value = _unwrapped(value)
    rows, around = _listed(value) if isinstance(value, list) else _table(value), list[str]()
    if not rows and isinstance(value, dict):
        paths = _places(value) or [(name,) for name in _LISTS if isinstance(value.get(name), list)][:1]
        depths = range(len(paths[0]) if len(paths) == 1 else 1) if paths else ()
        chosen = {path[depth] for path in paths for depth in depths}
        inside = (reduce(getitem, paths[0][:depth], value) for depth in depths)
        around = [name for names in inside for name in names if name not in chosen]
        whole = value and (
            _has_headline(value)
            or (
                _ERRORS.isdisjoint(map(str.casefold, value))
                and not any(isinstance(inner, list) for inner in value.values())
            )
        )
        rows = _rows_at(value, paths) if paths else [value] if whole else []
    if rows and isinstance(value, list) and all(map(_is_flat, value)):
        return rows, around
    told = list(_reports(value, {}))
    weights, counts = _weights(told), Counter(path for path, _ in told)
    best = max(weights, key=weights.__getitem__, default=())
    if weights.get(best, 0) > sum(_weights(_reports(rows, {})).values()):
        named = not {*best[-1:]}.isdisjoint(_LISTS)
        least = _ALIKE * weights[best] / counts[best]
        beside = (path for path in weights if path[:-1] == best[:-1] and not named)
        alike = {best, *(path for path in beside if weights[path] >= least * counts[path])}
        return [row for path, row in told if path in alike], []
    if not rows and not isinstance(value, list):
        message = "The JSON holds no list of rows."
        raise InputError(message, hint="Give a list of objects with named values, one a row.")
    return rows, around


def _unwrapped(value: Any) -> Any:
    """Without the object around each entry of a list, where all are wrapped in one of the same name."""
    alone = isinstance(value, list) and all(isinstance(row, dict) and len(row) == 1 for row in value)
    inside = [inner for row in value for inner in row.values()] if alone else []
    same = alone and len({name for row in value for name in row}) == 1
    return inside if same and all(isinstance(inner, dict) for inner in inside) else value


def _is_flat(row: Any) -> bool:
    return isinstance(row, dict) and not any(isinstance(cell, (dict, list)) for cell in row.values())


def _report(row: Any) -> tuple[str, int]:
    """The headline of an object that is a report, and how much it says; else "", 0."""
    if not isinstance(row, dict):
        return "", 0
    fields = _told(row)
    beside = len(fields & _BESIDE)
    if Field.HEADLINE not in fields or not beside:
        return "", 0
    titles = (row[name] for name in row if _field(name) is Field.HEADLINE)
    title = next(filter(None, (nested.part(title, Field.HEADLINE) for title in titles)), "")
    beside += len(title.split()) >= _WORDS or is_unspaced(title)
    return (title, beside) if title and beside > 1 else ("", 0)


def _weights(reports: Iterable[tuple[Path, Row]]) -> dict[Path, int]:
    """How much the different reports of each list say; few full ones are more than a menu of many titles."""
    told: dict[Path, dict[str, int]] = {}
    for path, row in reports:
        title, strength = _report(row)
        told.setdefault(path, {})[title] = strength
    return {path: sum(strength**3 for strength in titles.values()) for path, titles in told.items()}


def _reports(value: Any, around: Row, path: Path = (), *, listed: bool = False) -> Iterator[tuple[Path, Row]]:
    """Reports in a value, each with the outermost list where it stands; none that is related to another."""
    if isinstance(value, list):
        for inner in value:
            yield from _reports(inner, around, path, listed=True)
    if not isinstance(value, dict):
        return
    own = {name: inner for name, inner in value.items() if isinstance(inner, str) and _tells(name)}
    outside = {**around, **own}
    inside = [
        report
        for name, inner in value.items()
        if isinstance(inner, (dict, list))
        for report in _reports(inner, outside, path if listed else (*path, name), listed=listed)
    ]
    strength = _report(value)[1]
    if Field.PUBLISHED not in _told(value) or any(_holds_objects(value.get(name)) for name in _OF_ARTICLES):
        strength -= 1  # a section or an event, which must say more than what it holds
    if strength > 0 and strength >= max((_report(row)[1] for _, row in inside), default=0):
        yield path, _beside(value, around)
    else:
        yield from inside


def _told(row: Row) -> set[Field | None]:
    return {nested.field_of(name) for name, value in row.items() if value}


def _tells(name: str) -> bool:
    return nested.field_of(name) in (Field.PUBLISHED, Field.PUBLISHER, Field.GOLD, Field.LANGUAGE)


def opened(row: Any) -> list[Any]:
    """The rows that an entry holds: itself, the object that it wraps, or those of a list inside it."""
    if not isinstance(row, dict) or not any(isinstance(inner, (dict, list)) for inner in row.values()):
        return [row]
    articles = next((name for name in _OF_ARTICLES if name in row and _are_articles(row, name)), "")
    if not articles and _has_headline(row):
        return [row]
    if rows := _beside_names(row):
        return rows
    paths = [(articles,)] if articles else _places(row)
    around = {name: value for name, value in row.items() if name not in {path[0] for path in paths}}
    tasks = not articles and any(_holds_objects(value) or value == [] for value in around.values())
    place = reduce(getitem, paths[0], row) if paths else None
    kind = _kind(place)
    if kind is _OBJECT and place is not None:  # but not a community or an account beside what was posted
        tells = len(_told(place) & _BESIDE)
        tasks |= Field.PUBLISHED in _told(row) - _told(place)
        tasks |= any(
            isinstance(value, dict) and len(_told(value) & _BESIDE) > tells for value in around.values()
        )
    if not articles and (kind is _OTHER or tasks or (kind is _OBJECT and len(paths) > 1)):
        return [row]
    rows = _rows_at(row, paths)
    for depth in range(len(paths[0]) if kind is _OBJECT else 1, 1, -1):  # what stands beside an object within
        holder = reduce(getitem, paths[0][: depth - 1], row)
        siblings = {name: value for name, value in holder.items() if name != paths[0][depth - 1]}
        rows = [_beside(entry, siblings) for entry in rows]
    return [_beside(entry, around) for entry in rows]


def _are_articles(row: Row, name: str) -> bool:
    kind, other = _kind(row[name]), {key: value for key, value in row.items() if key != name}
    if kind is _OTHER and _holds_objects(row[name]):  # of messages, not all have a text
        texts = (nested.part(entry, Field.HEADLINE) for entry in row[name][:_LOOKED_AT])
        kind = _SENTENCES if any(len(text.split()) >= _WORDS for text in texts) else _OTHER
    return kind is _HEADLINES or (kind is _SENTENCES and not _has_headline(other))


def _beside(entry: Any, around: Row) -> Any:
    """A row with what stands around it; where both say the same kind of thing, its own comes first."""
    row = {"headline": entry} if isinstance(entry, str) else entry
    if not isinstance(row, dict):
        return entry
    known, result = {*map(_field, row)} - {None}, dict(row)
    for name, value in around.items():
        taken = name in row or _field(name) in known
        result.setdefault(f"{name} (around)" if taken else name, value)
    return result


@lru_cache(maxsize=4096)
def _field(name: str) -> Field | None:
    return column_names.field_of(name)


def _has_headline(row: Any, depth: int = 0) -> bool:
    """Whether a row has a headline, itself or in objects inside it down to a depth."""
    texts = (row[name] for name in row if _field(name) is Field.HEADLINE) if isinstance(row, dict) else ()
    if any(not isinstance(text, (int, float)) and nested.part(text, Field.HEADLINE) for text in texts):
        return True
    return (
        isinstance(row, dict)
        and depth > 0
        and any(
            _has_headline(inner, depth - 1) for name, inner in row.items() if not nested.shows_again(name)
        )
    )


def _holds_objects(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict)


def _kind(value: Any) -> int:
    """What a value is as a place of rows."""
    if isinstance(value, dict):
        whole = _has_headline(value) or _told(value) >= _POST
        return _HEADLINES if _table(value) else _OBJECT if whole else _OTHER
    if _holds_objects(value):
        return _HEADLINES if _has_headline(value[0], _WRAPPED) else _OTHER
    texts = value if isinstance(value, list) else []
    told = all(isinstance(text, str) for text in texts) and any(len(text.split()) >= _WORDS for text in texts)
    return _SENTENCES if told else _OTHER


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


def _beside_names(value: Row, *, named: bool = True) -> list[Any]:
    """Rows of cells that stand beside the names of their columns, or without names."""
    names = _names_of_columns(value)
    for rows in (_cells(value[name]) for name in _ROWS if name in value):
        if rows and (len(rows[0]) == len(names) or not (names or named)):
            turned = str(value.get("majorDimension", "")).upper() == "COLUMNS"
            return _of_cells([list(row) for row in zip(*rows, strict=False)] if turned else rows, names)
    return []


def _names_of_columns(value: Row, deepest: int = 2) -> list[str]:
    """Those that stand in the object or, where it has none, in one that it holds."""
    names = next((names for name in _NAMES if (names := _column_names(value.get(name)))), [])
    inside = [inner for inner in value.values() if isinstance(inner, dict)] if deepest and not names else []
    return names or next(filter(None, (_names_of_columns(inner, deepest - 1) for inner in inside)), [])


def _column_names(value: Any) -> list[str]:
    value = value.get("fields") if isinstance(value, dict) else value
    named: list[Any] = [
        v.get("name") or v.get("label") or v.get("id") if isinstance(v, dict) else v for v in value or ()
    ]
    return named if all(isinstance(name, str) for name in named) else []


def _cells(value: Any) -> list[list[Any]]:
    """Rows of cells, as lists or as the objects of Google's tables; none where these are no rows of cells."""
    rows = value if isinstance(value, list) else []
    rows = [row.get("c") or row.get("f") or row if isinstance(row, dict) else row for row in rows]
    if not all(isinstance(row, list) and row for row in rows):
        return []
    plain = [[cell.get("v", cell) if isinstance(cell, dict) else cell for cell in row] for row in rows]
    return [] if any(isinstance(row[0], dict) for row in plain) else plain


def _table(value: Any) -> list[Any]:
    """Rows of a whole table: cells beside names, columns as lists or objects, or headlines by address."""
    if not isinstance(value, dict) or not value:
        return []
    if rows := _beside_names(value, named=False):
        return rows
    columns, known = list(value.values()), any(map(column_names.is_known, value))
    if all(isinstance(column, list) and column for column in columns):
        told = [_kind(column) for column in columns]
        even = len({len(column) for column in columns}) == 1 and not any(map(_holds_objects, columns))
        return (
            _of_cells(list(zip(*columns, strict=True)), list(value))
            if even and (known or min(told) < 1)
            else []
        )
    named = Field.HEADLINE in map(_field, value) and all(isinstance(column, dict) for column in columns)
    if named and set.intersection(*map(set, columns)):
        keys = dict.fromkeys(key for column in columns for key in column)
        return _keyed(
            [{name: value[name].get(key) for name in value} for key in keys], [(key,) for key in keys], "key"
        )
    by_address = all(isinstance(text, str) and addresses.WEB_ADDRESS.match(at) for at, text in value.items())
    return [{"url": at, "headline": text} for at, text in value.items()] if by_address else []


def _paths(value: Row, path: Path = ()) -> Iterator[Path]:
    for name, inner in value.items():
        if nested.shows_again(name):
            continue
        if _holds_objects(inner) or _kind(inner) is not _OTHER:
            yield *path, name
        whole = isinstance(inner, dict) and Field.PUBLISHED in _told(inner)
        whole = whole and (_report(inner)[1] > 0 or _told(inner) >= _POST)
        if isinstance(inner, dict) and len(path) < _DEEPEST and not whole:
            yield from _paths(inner, (*path, name))


def _places(value: Row) -> list[Path]:
    """Where the rows are: the likeliest place, and its siblings where these hold the same."""
    found: dict[Path, Any] = {path: reduce(getitem, path, value) for path in _paths(value)}

    def suitability(path: Path) -> tuple[int, int, int, int, int]:
        place = found[path]
        usual = len(path) == 1 and path[0] in _LISTS and isinstance(place, list)
        known = {*map(_field, place[0])} if _holds_objects(place) else ()
        rank = -_LISTS.index(path[0]) if usual else -len(_LISTS)
        return rank, _kind(place), headlines.get(path, 0), len(known), len(place)

    if not found:
        return []
    lists = [path for path in found if isinstance(found[path], list)]
    headlines = {path: _count_headlines(found[path]) for path in lists} if len(lists) > 1 else {}
    best = max(found, key=suitability)
    kind = _kind(found[best])
    if _has_headline(value) and kind is not _HEADLINES and (len(best) > 1 or kind is not _OTHER):
        return []
    if kind is _OTHER or _table(found[best]):
        return [best]
    named = best[-1] in _LISTS and isinstance(found[best], list)
    alike = (path for path in found if len(path) == len(best) and _are_alike(found[path], found[best]))
    return [path for path in alike if not named or path[-1] == best[-1] or path[:-1] != best[:-1]]


def _count_headlines(values: list[Any]) -> int:
    """How many different texts of several words the first entries of a list have for headlines."""
    inside = (row for value in values[:_LOOKED_AT] for row in opened(value))
    rows = [row for row in inside if isinstance(row, dict)][:_LOOKED_AT]
    names = list(dict.fromkeys(str(name) for row in rows for name in row))
    cells = raw.texts_frame([[raw.cell_text(row.get(name)) for name in names] for row in rows], names)
    table = nested.with_plain_texts(raw.RawTable(cells=cells, lines=np.arange(len(rows))))
    found = propose(table).get(Field.HEADLINE, ())
    texts = {text for name in found for text in table.column(name) if text}
    return len({text for text in texts if (len(text.split()) >= _WORDS or is_unspaced(text))})


def _are_alike(place: Any, other: Any) -> bool:
    if _kind(place) != _kind(other):
        return False
    if not _holds_objects(place) or not _holds_objects(other):
        return type(place) is type(other)
    first, second = place[0], other[0]
    return len(first.keys() & second.keys()) >= _ALIKE * len(first.keys() | second.keys())


def _rows_at(value: Row, paths: Sequence[Path]) -> list[Any]:
    varying = [depth for depth in range(len(paths[0])) if len({path[depth] for path in paths}) > 1]
    rows: list[Any] = []
    keys: list[Path] = []
    for path in paths:
        place = reduce(getitem, path, value)
        inner = _listed(place) if isinstance(place, list) else _table(place) or opened(place)
        rows += inner
        keys += [tuple(path[depth] for depth in varying)] * len(inner)
    return _keyed(rows, keys, "key" if isinstance(place, dict) else "outlet") if varying else rows


def _keyed(rows: Sequence[Any], keys: Sequence[Path], otherwise: str) -> list[Any]:
    """Rows with the keys under which they stood as columns: days, addresses, pages, sections or others."""
    known = {*map(_field, rows[0])} - {None} if isinstance(rows[0], dict) else set()
    tests = (
        ("page", _PAGE.fullmatch),
        ("date", moments.is_date),
        ("url", addresses.WEB_ADDRESS.match),
        ("section", lambda key: key.casefold() in _SECTIONS),
    )
    names: list[str] = []
    for level in zip(*dict.fromkeys(keys), strict=True):
        name = next((name for name, test in tests if all(map(test, level))), otherwise)
        names.append("list" if _field(name) in known or name in names else name)
    return [_beside(row, dict(zip(names, key, strict=True))) for row, key in zip(rows, keys, strict=True)]
