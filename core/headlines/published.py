"""Figures of the papers, from `published.toml`; each with its table and the data it is on."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

PREDICTIONS: Final = Path("numeval2024") / "dev_headlines_two_systems.csv.gz"
"""Headlines of two participants of SemEval-2024 task 7, in the folder of data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedTable:
    """A table of a paper."""

    key: str
    paper: str
    table: str
    data: str
    here: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One system in one table.

    Attributes:
        source: Key of the table.
        system: As the paper calls it.
        row: Key of the row here; "" where the system has none.
        figures: By the measure's name, in percent.
        note: What else the paper says of it.
    """

    source: str
    system: str
    row: str
    figures: Mapping[str, float]
    note: str = ""


_TABLES: Final[list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)["tables"]
SOURCES: Final = tuple(
    PublishedTable(**{name: one[name] for name in ("key", "paper", "table", "data", "here") if name in one})
    for one in _TABLES
)
PUBLISHED: Final = tuple(
    Published(
        source=table["key"],
        system=one["system"],
        row=one["row"],
        figures=dict(zip(table["measures"], one["values"], strict=True)),
        note=one.get("note", ""),
    )
    for table in _TABLES
    for one in table["systems"]
)


def published_for(row: str) -> list[Published]:
    """What the papers say of a row; [] where they say nothing."""
    return [one for one in PUBLISHED if one.row == row]
