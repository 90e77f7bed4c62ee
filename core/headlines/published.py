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
    key: str
    paper: str
    table: str
    data: str
    here: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    source: str  # key of the table
    system: str  # as the paper calls it
    row: str  # key of the row here; "" where the system has none
    figures: Mapping[str, float]  # by the measure's name, in percent
    note: str = ""  # what else the paper says of it


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
    return [one for one in PUBLISHED if one.row == row]
