"""The words that stand at marks, axes and legends of a Vega-Lite picture, and others in their place."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

_CHANNELS: Final = ("x", "y", "color", "shape", "row", "column", "text")
_WORDS: Final = ("title", "domain", "sort")  # keys of labels and lists of them


def labels_of(spec: Mapping[str, Any]) -> list[str]:
    tables = [*spec.get("datasets", {}).values(), *(part.get("values", ()) for part in _parts(spec))]
    rows = [row for table in tables for row in table if isinstance(row, dict)]
    words = [part.get("title") for part in _parts(spec)]
    words += [row.get(field) for field in _fields(spec) for row in rows]
    return [*dict.fromkeys(word for word in words if isinstance(word, str) and word.strip(" 0123456789"))]


def relabelled(spec: Mapping[str, Any], names: Mapping[str, str]) -> Any:
    """The picture with other words; texts that only formulas or the mouse see stay."""
    keys = {*_fields(spec), *_WORDS}

    def changed(part: Any, key: str = "") -> Any:
        if isinstance(part, Mapping):
            return {name: changed(child, name) for name, child in part.items()}
        if isinstance(part, list):
            return [changed(child, key) for child in part]
        return names.get(part, part) if isinstance(part, str) and key in keys else part

    return changed(spec)


def _parts(part: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(part, Mapping):
        yield part
    for child in part.values() if isinstance(part, Mapping) else part if isinstance(part, list) else ():
        yield from _parts(child)


def _fields(spec: Any) -> list[str]:
    encodings = [part["encoding"] for part in _parts(spec) if "encoding" in part]
    channels = [encoding.get(name, {}) for encoding in encodings for name in _CHANNELS]
    named = (each for each in channels if each.get("type") in ("nominal", "ordinal"))
    return [*dict.fromkeys(each["field"] for each in named if each.get("scale", True) is not None)]
