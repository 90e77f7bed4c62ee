"""The columns of the metrics that have always the same ones, as `columns.toml` lists them."""

import tomllib
from pathlib import Path
from typing import Final

from core.headlines.metrics import Column

_TABLES: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def columns_of(metric: str) -> tuple[Column, ...]:
    return tuple(Column(name, **column) for name, column in _TABLES[metric].items())
