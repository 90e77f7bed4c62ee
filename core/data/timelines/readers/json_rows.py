"""JSON and JSON Lines."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

import numpy as np

from core.data.timelines import nested, raw
from core.data.timelines.readers import json_places
from core.data.timelines.timeline import RejectedRow
from core.errors import InputError

_PYTHON: Final = re.compile(r"[\[{\s]*'")  # begins as Python prints a list, with its marks
_BETWEEN: Final = re.compile(r"[^\s,]")  # signs with which another value begins
_ASSIGNED: Final = re.compile(
    r"\A\s*(?:window\.[\w.]{1,60}|(?:var|let|const)\s\w{1,60})\s*=\s*"
)  # X's archive


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
        raise _too_deep() from None
    except ValueError:  # a number with more digits than Python converts
        raise InputError("The JSON holds a number that is too long.", hint="Write it as text.") from None


def _skipped(text: str, place: int) -> int:
    """Where the next value begins."""
    begun = _BETWEEN.search(text, place)
    return begun.start() if begun else len(text)


def _documents(text: str) -> Any:
    """The value of a JSON text; of several one after the other, as jq prints them, a list."""
    text = _ASSIGNED.sub("", text, count=1).rstrip().removesuffix(";")
    try:
        return parse(text)
    except InputError:
        values: list[Any] = []
        place = 0
        while place < len(text):
            try:
                value, place = _DECODER.raw_decode(text, _skipped(text, place))
            except (ValueError, RecursionError):
                values = []
                break
            values.append(value)
            place = _skipped(text, place)
        if _PYTHON.match(text) and not isinstance(written := nested.parsed(text.strip()), str):
            return written
        if len(values) < 2 or not all(isinstance(value, (dict, list)) for value in values):
            raise
        return values


def _too_deep() -> InputError:
    return InputError("The JSON is nested too deeply.", hint="Give a flat list of objects.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) == len(pairs):
        return result
    names, _ = raw.unique_names(name for name, _ in pairs)
    return dict(zip(names, (value for _, value in pairs), strict=True))


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object)


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
    value = _documents(decoded.text)
    try:
        rows, around = json_places.entries(value)
    except RecursionError:
        raise _too_deep() from None
    said = f"Values around the list were left out: {raw.listing(around)}."
    notes = [*decoded.notes, said] if around else decoded.notes
    return table_of_values(rows, range(1, len(rows) + 1), encoding=decoded.encoding, notes=notes)


def _recognises_json(source: raw.RawFile) -> bool:
    begins = "[{", '{"', '["', '[["'
    return source.suffix in JSON.suffixes or "".join(source.decoded.text[:200].split()).startswith(begins)


JSON = raw.TableContainer("json", "JSON", ("json", "js"), 40, _recognises_json, read)


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
            rows = json_places.opened(parse(line))
            values += rows
            numbers += [number] * len(rows)
        except (InputError, RecursionError):
            cut = line.rstrip("\r")
            rejected.append(RejectedRow(number, "", cut[:200], "The line is not valid JSON.", {"line": cut}))
        raw.check_rows(len(values) + len(rejected))
    if not values and len(rejected) > 1:  # objects over several lines
        with suppress(InputError):
            return read(source)
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


JSONL = raw.TableContainer(
    "jsonl", "JSON Lines", ("jsonl", "ndjson", "jl"), 30, _recognises_lines, read_lines
)
