"""The columns of the metrics that have always the same ones, as `columns.toml` lists them."""

from typing import Final

from core.files import read_tables
from core.headlines.metrics import Column

_TABLES: Final = read_tables(__file__)


def columns_of(metric: str) -> tuple[Column, ...]:
    return tuple(Column(name, **column) for name, column in _TABLES[metric].items())
