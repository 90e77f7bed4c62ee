"""The data inside a Vega-Lite picture."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

ASIDE: Final = "aside-"
"""Begins the name of data in a picture that is drawn and is not what it shows: notes, lines behind marks."""


def data_rows(spec: Mapping[str, Any]) -> list[list[object]]:
    """The data inside a Vega-Lite picture as rows, the header first."""
    lines = [line for values in _values(spec, spec.get("datasets", {})) for line in values]
    names = list(dict.fromkeys(name for line in lines for name in line))
    return [[*names], *([line.get(name) for name in names] for line in lines)]


def _values(part: Any, named: Mapping[str, Any]) -> list[Sequence[Mapping[str, Any]]]:
    tables: list[Sequence[Mapping[str, Any]]] = []
    if isinstance(part, Mapping):
        data = part.get("data", {})
        aside = str(data.get("name", "")).startswith(ASIDE)
        values = None if aside else data.get("values") or named.get(data.get("name", ""))
        tables = [values] if values else []
        for kind in ("layer", "vconcat", "hconcat"):
            for child in part.get(kind, ()):
                values = _values(child, named)
                tables += [value for value in values if not any(value is held for held in tables)]
    return tables
