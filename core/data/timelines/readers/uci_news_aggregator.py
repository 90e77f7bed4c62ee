"""UCI News Aggregator: eight columns, without a header in the original file, times in milliseconds.

Source: Gasparetti 2016, https://archive.ics.uci.edu/dataset/359/news+aggregator
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.data.timelines.raw import Layout, RawTable
from core.data.timelines.timeline import Field

_NAMES = ("ID", "TITLE", "URL", "PUBLISHER", "CATEGORY", "STORY", "HOSTNAME", "TIMESTAMP")
_ESCAPED = ("PUBLISHER", "URL")
_UNESCAPED = "{} without backslashes"
_MAPPING = {
    Field.HEADLINE: ("TITLE",),
    Field.PUBLISHED: ("TIMESTAMP",),
    Field.PUBLISHER: ("PUBLISHER",),
    Field.URL: ("URL",),
    Field.GOLD: ("STORY",),
}


def _headerless(table: RawTable) -> bool:
    if table.columns != [f"column_{i}" for i in range(1, 9)] or not len(table):
        return False
    first = [value or "" for value in table.cells.iloc[0]]
    return first[0].isdigit() and len(first[4]) == 1 and len(first[7]) == 13 and first[7].isdigit()


def _recognises(table: RawTable) -> bool:
    return {"TITLE", "STORY", "TIMESTAMP", "PUBLISHER", "URL"} <= set(table.columns) or _headerless(table)


def _arrange(table: RawTable) -> RawTable:
    import pandas as pd

    if _headerless(table):
        table = replace(table, cells=table.cells.set_axis(list(_NAMES), axis="columns"))
    # Some rows escape punctuation: "Wall Street Journal \\(blog\\)", "story\\?track=rss".
    escaped = [name for name in _ESCAPED if any("\\" in (cell or "") for cell in table.column(name))]
    plain = {_UNESCAPED.format(name): [_unescape(cell) for cell in table.column(name)] for name in escaped}
    meaning = {
        field: tuple(_UNESCAPED.format(name) if name in escaped else name for name in names)
        for field, names in _MAPPING.items()
    }
    return replace(table, derived=pd.DataFrame(plain, index=table.cells.index), mapping=meaning)


def _unescape(cell: str | None) -> str | None:
    return None if cell is None else re.sub(r"\\([^\w\s])", r"\1", cell)


FORMAT = Layout("uci_news_aggregator", "UCI News Aggregator", _NAMES, _recognises, _arrange)
