"""JSON, JSON Lines and pasted text."""

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import getitem, itemgetter
from typing import Any

import numpy as np

from core import limits
from core.data.timelines import columns, dates, raw
from core.data.timelines.timeline import Field, RejectedRow
from core.errors import InputError

_LISTS = ("headlines", "rows", "data", "articles", "items", "news", "results", "pairs", "records")
_DEEPEST = 4  # objects inside each other in which the list of rows is looked for


def parse(text: str) -> Any:
    """JSON with repeated keys kept apart instead of the last one winning."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        ended = error.pos >= len(text.rstrip())
        what = "ends too early" if ended else "is not valid JSON"
        message = f"The file {what} at line {error.lineno:,}, column {error.colno:,}."
        hint = "Download or export it again; each list and object must be closed."
        raise InputError(message, hint=hint) from None
    except RecursionError:
        raise InputError("The JSON is nested too deeply.", hint="Give a flat list of objects.") from None
    except ValueError:  # a number with more digits than Python converts
        raise InputError("The JSON holds a number that is too long.", hint="Write it as text.") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    names, _ = raw.unique_names(name for name, _ in pairs)
    return dict(zip(names, (value for _, value in pairs), strict=True))


def entries(value: Any) -> tuple[Sequence[Any], list[str]]:
    """The list of rows in a JSON value, wherever it is, and the names of what stands around it."""
    if isinstance(value, list):
        return value, []
    if isinstance(value, dict):
        path = max(_lists_of_objects(value), key=partial(_suitability, value), default=())
        around: list[str] = []
        rows: Any = value
        for name in path:
            around += [other for other in rows if other != name]
            rows = rows[name]
        if len(path) == 1 or (path and (_has_headline(rows[0]) or not _has_headline(value))):
            return rows, around
        lists = [inner for inner in value.values() if isinstance(inner, list)]
        if lists and len(lists) == len(value) and len({len(inner) for inner in lists}) == 1:
            return [dict(zip(value, row, strict=True)) for row in zip(*lists, strict=True)], []
        for name in _LISTS:
            if isinstance(value.get(name), list):
                return list(value[name]), [other for other in value if other != name]
        if value and not lists:
            return [value], []
    message = "The JSON holds no list of rows."
    raise InputError(message, hint="Give a list of objects with named values, one a row.")


def _lists_of_objects(value: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, inner in value.items():
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            yield *path, name
        elif isinstance(inner, dict) and len(path) < _DEEPEST:
            yield from _lists_of_objects(inner, (*path, name))


def _suitability(value: Any, path: Sequence[str]) -> tuple[int, bool, int]:
    rows = reduce(getitem, path, value)
    usual = len(path) == 1 and path[0] in _LISTS
    return -_LISTS.index(path[0]) if usual else -len(_LISTS), _has_headline(rows[0]), len(rows)


def _has_headline(row: Mapping[str, Any]) -> bool:
    named = raw.find(row, {Field.HEADLINE: raw.NAMES[Field.HEADLINE]})
    return any(isinstance(row.get(name), str) for name in named.values())


def table_of_values(
    values: Sequence[Any], numbers: Sequence[int], *, encoding: str, notes: Sequence[str], unit: str = "entry"
) -> raw.RawTable:
    """A table from JSON values: objects become rows, plain texts become headlines."""
    raw.check_rows(len(values))
    rows: list[Mapping[str, Any]] = []
    lines: list[int] = []
    rejected: list[RejectedRow] = []
    seen: dict[str, None] = {}
    for value, number in zip(values, numbers, strict=True):
        entry = {"headline": value} if isinstance(value, str) else value
        if isinstance(entry, dict):
            seen.update(dict.fromkeys(entry))
            rows.append(entry)
            lines.append(number)
        else:
            shown = (raw.cell_text(value) or "null")[:200]
            reason = f"The {unit} is not an object with named values."
            rejected.append(RejectedRow(number, "", shown, reason, {unit: shown}))
        raw.check_columns(len(seen))
    if not seen:
        message = "The JSON list holds no rows."
        raise InputError(message, hint="Give a list of objects with named values, one a row.")
    keys = list(seen)
    names, renamed = raw.unique_names(keys)
    return raw.RawTable(
        cells=raw.texts_frame([[raw.cell_text(row.get(k)) for k in keys] for row in rows], names),
        lines=np.array(lines, dtype=np.int64),
        rejected=tuple(rejected),
        notes=(*notes, *renamed),
        encoding=encoding,
        ledger={"lines": len(values)},
    )


def read(source: raw.RawFile) -> raw.RawTable:
    decoded = source.decoded
    value = parse(decoded.text)
    rows, around = entries(value)
    said = f"Values around the list were left out: {raw.listing(around)}."
    notes = [*decoded.notes, said] if around else decoded.notes
    return table_of_values(rows, range(1, len(rows) + 1), encoding=decoded.encoding, notes=notes)


def _recognises_json(source: raw.RawFile) -> bool:
    begins = "[{", '{"', '["'
    return source.suffix == "json" or "".join(source.decoded.text[:200].split()).startswith(begins)


JSON = raw.TableContainer("json", "JSON", ("json",), 40, _recognises_json, read)


def read_lines(source: raw.RawFile) -> raw.RawTable:
    decoded = source.decoded
    values: list[Any] = []
    numbers: list[int] = []
    rejected: list[RejectedRow] = []
    empty = 0
    for number, line in enumerate(decoded.text.removesuffix("\n").split("\n"), 1):
        if not line.strip():
            empty += 1
            continue
        try:
            values.append(parse(line))
            numbers.append(number)
        except InputError:
            cut = line.rstrip("\r")
            rejected.append(RejectedRow(number, "", cut[:200], "The line is not valid JSON.", {"line": cut}))
        raw.check_rows(len(values) + len(rejected))
    if not values:
        first = f"line {rejected[0].line:,} is not JSON" if rejected else "the file is empty"
        raise InputError(f"No line could be read: {first}.", hint="Give one JSON object a line.")
    whole = table_of_values(values, numbers, encoding=decoded.encoding, notes=decoded.notes, unit="line")
    both = sorted((*rejected, *whole.rejected), key=lambda row: row.line)
    ledger = {"lines": len(values) + len(rejected) + empty, "empty": empty}
    return replace(whole, rejected=tuple(both), ledger=ledger)


def _recognises_lines(source: raw.RawFile) -> bool:
    if source.suffix in JSONL.suffixes:
        return True
    text = source.decoded.text.lstrip()
    if not text.startswith("{"):
        return False
    first, _, rest = text.partition("\n")
    try:
        json.loads(first)
    except (ValueError, RecursionError):
        return False
    return rest.lstrip().startswith("{")


JSONL = raw.TableContainer("jsonl", "JSON Lines", ("jsonl", "ndjson"), 30, _recognises_lines, read_lines)


_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?")
_LINE_END = re.compile(r"\r\n|\r|\n")
_BULLET = re.compile(r"^\s*[-*•–]\s+")
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)
_LINK = re.compile(r"\[(?P<title>[^\[\]]+)\]\((?P<url>https?://[^\s()]+)\)", re.IGNORECASE)
_BETWEEN = " -–—:|·"
Lines = list[tuple[int, str]]


def read_pasted(source: raw.RawFile) -> raw.RawTable:
    """Reads pasted or plain text: rows of a table between tabs or bars, else headlines with addresses."""
    every = _LINE_END.split(source.decoded.text)
    every = every if every[-1] else every[:-1]
    filled = [(number, line.strip(" ")) for number, line in enumerate(every, 1) if line.strip()]
    lines: Lines = [(number, line) for number, line in filled if not _RULE.fullmatch(line.strip())]
    if not lines:
        raise InputError("The text is empty.", hint="Paste one headline a line.")
    raw.check_rows(len(lines) - 1)
    delimiter = _delimiter([line for _, line in lines])
    rules = len(filled) - len(lines)
    named = not delimiter and columns.known_names([lines[0][1]]) > 0
    lines = lines[1:] if named else lines
    raw.check_rows(len(lines))
    table = _table(lines, delimiter, source)
    ledger = {"lines": len(every), "empty": len(every) - len(filled), "rules": rules}
    return replace(table, ledger={**ledger, "header": int(named), **table.ledger})


def _joined(lines: Lines) -> Lines:
    alone = [bool(_ADDRESS.fullmatch(line)) for _, line in lines]
    if len(lines) < 2 or len(lines) % 2 or any(a == b for a, b in itertools.pairwise(alone)):
        return lines
    return [(lines[at][0], f"{lines[at][1]} {lines[at + 1][1]}") for at in range(0, len(lines), 2)]


def _title_and_address(line: str) -> tuple[str, str]:
    line = _BULLET.sub("", line)
    link = _LINK.fullmatch(line)
    if link is not None:
        return link["title"], link["url"]
    if not line.strip():
        return "", ""
    first, *rest = line.split(maxsplit=1)
    if _ADDRESS.fullmatch(first):
        return "".join(rest).strip(_BETWEEN), first
    *before, last = line.rsplit(maxsplit=1)
    last = last.strip("<>()")
    return ("".join(before).rstrip(_BETWEEN), last) if _ADDRESS.fullmatch(last) else (line, "")


def _delimiter(lines: Sequence[str]) -> str:
    for delimiter in ("\t", "|"):
        counts = Counter(line.strip(delimiter).count(delimiter) for line in lines)
        width, rows = counts.most_common(1)[0]
        if width and rows >= 0.8 * len(lines):
            return delimiter
    tabbed = [line.split("\t") for line in lines if "\t" in line]
    width, rows = Counter(map(len, tabbed)).most_common(1)[0] if tabbed else (0, 0)
    # beside lines that have none, tabs stand between cells where one of these is plainly no headline
    even = [cells for cells in tabbed if len(cells) == width <= limits.COLUMNS.value]
    named = _names(even) if even else []
    return "\t" if rows >= 0.8 * len(tabbed) and not {"date", "url"}.isdisjoint(named) else ""


def _split(line: str, delimiter: str) -> list[str]:
    # between tabs an empty first cell is a cell; bars may stand around the row as well
    inner = line.strip().removeprefix("|").removesuffix("|") if delimiter == "|" else line
    return [cell.strip() for cell in inner.split(delimiter)]


def _table(lines: Lines, delimiter: str, source: raw.RawFile) -> raw.RawTable:
    notes = list(source.decoded.notes)
    tabular = [(number, _split(line, delimiter)) for number, line in lines if delimiter and delimiter in line]
    plain = [(number, line) for number, line in lines if not delimiter or delimiter not in line]
    rows: list[tuple[int, dict[str, str]]] = []
    bad: list[RejectedRow] = []

    def reject(number: int, cells: Sequence[str], reason: str) -> None:
        named = {f"cell_{place}": cell for place, cell in enumerate(cells, 1)}
        bad.append(RejectedRow(number, "", " | ".join(cells)[:200], reason, named))

    names, headed = ["headline"], False
    if tabular:
        width = Counter(len(cells) for _, cells in tabular).most_common(1)[0][0]
        raw.check_columns(width)
        first = tabular[0][1]
        headed = len(first) == width and columns.has_header([first]) and columns.known_names(first) > 0
        if headed:
            names, renamed = raw.unique_names(tabular.pop(0)[1])
            notes.extend(renamed)
            tabular += [(number, [line]) for number, line in plain]
        else:
            names = _names([cells for _, cells in tabular if len(cells) == width])
            notes.append(f"The text has no header; its columns were taken to be {', '.join(names)}.")
        for number, cells in tabular:
            if len(cells) == width:
                rows.append((number, dict(zip(names, cells, strict=True))))
            else:
                reject(number, cells, f"The line does not have {width} cells as the others do.")
    alone = [] if headed else _joined(plain)
    for number, line in alone:
        title, url = _title_and_address(line)
        if title:
            rows.append((number, {"headline": title, "url": url} if url else {"headline": title}))
        else:
            what = "an address" if url else "a bullet"
            reject(number, [url or line.strip()], f"The line is {what} without a headline.")
    names += ["url"] if "url" not in names and any("url" in cells for _, cells in rows) else []
    rows.sort(key=itemgetter(0))
    raw.check_rows(len(rows))
    return raw.RawTable(
        cells=raw.texts_frame([[cells.get(name) for name in names] for _, cells in rows], names),
        lines=np.array([number for number, _ in rows], dtype=np.int64),
        rejected=tuple(sorted(bad, key=lambda row: row.line)),
        notes=tuple(notes),
        encoding=source.decoded.encoding,
        delimiter={"\t": "tab", "|": "bar"}.get(delimiter, ""),
        ledger={"header": 1} if headed else {"in_cells": len(plain) - len(alone)},
    )


def _names(rows: Sequence[Sequence[str]]) -> list[str]:
    """Names for columns without a header: the longest but for addresses is the headline."""
    sample = rows[:100]
    width = len(sample[0])
    names = [f"column_{i + 1}" for i in range(width)]
    values = [[row[i] for row in sample if row[i]] for i in range(width)]
    words = [sum(len(cell) for cell in cells if not _ADDRESS.fullmatch(cell)) for cells in values]
    longest = max(range(width), key=words.__getitem__)
    names[longest] = "headline"
    tests = (
        ("date", dates.is_date),
        ("url", lambda v: v.startswith(("http://", "https://"))),
        ("group", lambda v: v.isdigit() and len(v) <= 4),
        ("publisher", lambda v: len(v) <= 40),
    )
    for i in range(width):
        for name, test in tests:
            if (
                names[i].startswith("column_")
                and name not in names
                and values[i]
                and all(map(test, values[i]))
            ):
                names[i] = name
    return names


FORMAT = raw.TableContainer(
    "pasted",
    "Pasted or plain text",
    ("txt", "text", "md"),
    60,
    lambda source: source.suffix in ("", "txt", "text", "md"),
    read_pasted,
)
