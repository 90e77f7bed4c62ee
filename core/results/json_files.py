"""Results as JSON that is easy to compare, and read again with every field checked."""

import dataclasses
import json
from pathlib import Path
from typing import Any, TypeVar, get_origin

import msgspec

from core.errors import DataSourceError, InputError

Kind = TypeVar("Kind")


def to_json(value: Any, *, layout: int) -> str:
    """A dataclass as JSON that is easy to compare by eye: one line for each item of a list."""
    lines = []
    for name, part in {"layout": layout, **msgspec.to_builtins(value)}.items():
        written = json.dumps(part, ensure_ascii=False, allow_nan=False)
        if isinstance(part, list | tuple) and part:
            items = ",\n  ".join(json.dumps(item, ensure_ascii=False, allow_nan=False) for item in part)
            written = f"[\n  {items}\n ]"
        lines.append(f" {json.dumps(name)}: {written}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_json(
    kind: type[Kind], text: str | bytes, *, layout: int, what: str, hint: str, key: str = "layout"
) -> Kind:
    """Reads what `to_json` wrote, every field checked against the type that it declares."""
    try:
        plain = msgspec.json.decode(text)
        if not isinstance(plain, dict) or plain.pop(key, None) != layout:
            raise ValueError(layout)
        fields = dataclasses.fields(get_origin(kind) or kind)  # type: ignore[arg-type]
        if plain.keys() - {field.name for field in fields}:
            raise ValueError(kind)
        return msgspec.convert(plain, kind)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise InputError(f"This is not {what} as this version writes it.", hint=hint) from None


def load(kind: type[Kind], path: Path, *, layout: int, what: str, hint: str) -> Kind:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise DataSourceError(f"{path} cannot be read: {error.strerror}.", hint=hint) from None
    return from_json(kind, text, layout=layout, what=what, hint=hint)


def object_json(value: Any) -> str:
    """Results for other programs: dataclasses and plain values as one indented object."""
    return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
