"""TOML files that people write, cleaned and checked against a type."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from core.errors import InputError
from core.text.normalise import clean_block, clean_line

T = TypeVar("T")


def read_toml(data: bytes, name: str, what: str, *, most: int, known: Sequence[str]) -> dict[str, Any]:
    """A TOML file of so many bytes, which has no entries but the known, with its texts cleaned."""
    if len(data) > most:
        raise InputError(f"{name} is too large for a {what}.", hint=f"A {what} is a short TOML file.")
    try:
        table: dict[str, Any] = _clean(tomllib.loads(data.decode("utf-8-sig")))
    except UnicodeDecodeError:
        raise InputError(f"{name} is not text in UTF-8.", hint="Save it as a plain text file.") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = f"{name} is no TOML: {str(error)[:120]}."
        raise InputError(message, hint='Put texts in quotes, as in title = "My form".') from None
    refuse_strange(table, known, name, what)
    return table


def _clean(value: Any, key: str = "") -> Any:
    if isinstance(value, str):
        return clean_block(value) if key in {"text", "thanks"} else clean_line(value)
    if isinstance(value, list):
        return [_clean(cell, key) for cell in value]
    if isinstance(value, dict):
        return {name: _clean(cell, name) for name, cell in value.items()}
    return value.isoformat() if isinstance(value, date) else value


def refuse_strange(table: Mapping[str, Any], known: Sequence[str], where: str, what: str) -> None:
    strange = next((key for key in table if key not in known), None)
    if strange is not None:
        message = f"{_capital(where)} has an entry {strange[:40]!r} that no {what} knows."
        raise InputError(message, hint=f"The entries are: {', '.join(known)}.")


def converted(table: Mapping[str, Any], kind: type[T], name: str) -> T:
    """What a file holds, or the sentence about its first entry that is not as it must be."""
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        raise _not_valid(str(error), table, name, kind) from None


def _not_valid(said: str, value: Any, where: str, kind: type) -> InputError:
    why, _, path = said.partition(" - at ")
    steps = re.findall(r"\w+", path)
    for step in steps:
        value = value[int(step) if step.isdigit() else step]
        where = f"entry {int(step) + 1} of {where}" if step.isdigit() else f"{step} of {where}"
    field = re.search(r"field `(.*)`", why)
    if field and "missing" in why:
        return InputError(f"{_capital(where)} has no {field[1]}.", hint=f"Write {field[1]} = …")
    if field:
        return InputError(f"{_capital(where)} has an entry {field[1][:40]!r}.", hint="Take it out.")
    if why.startswith(("Expected `array`", "Expected `object`")):
        most = re.search(r"<= (\d+)", why)
        listed = f"list of 1 to {int(most[1]):,} entries" if most else "list of entries"
        what = listed if "array" in why[:17] else "entry with lines of its own"
        return InputError(f"{_capital(where)} is no {what}.", hint="Write each below its own line.")
    return wrong(value, where, _hint(kind, steps))


def _hint(kind: type, steps: Sequence[str]) -> str:
    """What may stand at a place of a type: its description, or its bounds in words."""
    info, said = _inner(inspect.type_info(kind))
    for step in steps:
        fields = {} if step.isdigit() else {field.encode_name: field.type for field in info.fields}
        info, said = _inner(fields.get(step) or info.item_type)
    if said:
        return said
    if isinstance(info, inspect.EnumType):
        return f"Give one of: {', '.join(info.cls)}."
    if isinstance(info, inspect.BoolType):
        return "Write true or false."
    if isinstance(info, inspect.IntType | inspect.FloatType):
        what = "whole number" if isinstance(info, inspect.IntType) else "number"
        return f"Give a {what} from {info.ge:,} to {info.le:,}."
    if info.max_length is None:
        return f"Give a text that matches {info.pattern}." if info.pattern else 'Give a text: "…".'
    least = f"{info.min_length} to" if info.min_length else "at most"
    return f'Give a text of {least} {info.max_length:,} characters: "…".'


def _inner(info: Any) -> tuple[Any, str]:
    """A type without None and its description, and that description."""
    if isinstance(info, inspect.UnionType):
        info = next(part for part in info.types if not isinstance(part, inspect.NoneType))
    if isinstance(info, inspect.Metadata):
        return info.type, str((info.extra_json_schema or {}).get("description", ""))
    return info, ""


def toml_cell(value: Any) -> str:
    """A text, number, truth or list of them as TOML writes it, a text of several lines in several."""
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(toml_cell, value))}]"
    if not isinstance(value, str):
        # JSON's Infinity and NaN are none of TOML's.
        return float.__repr__(value) if isinstance(value, float) else json.dumps(value)
    quoted = (json.dumps(line, ensure_ascii=False) for line in value.split("\n"))
    lines = [line[1:-1].replace("\x7f", "\\u007f") for line in quoted]
    return f'"{lines[0]}"' if len(lines) == 1 else '"""\n' + "\n".join(lines) + '"""'


def wrong(value: Any, where: str, hint: str) -> InputError:
    return InputError(f"{_capital(where)} is {str(value)[:40]!r}.", hint=hint)


def _capital(where: str) -> str:
    return where[0].upper() + where[1:] if " of " in where else where
