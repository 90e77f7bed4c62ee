"""Layouts of research files that hold timelines."""

import re
from dataclasses import replace
from typing import Final

from core.data.timelines import column_names
from core.data.timelines.column_names import is_annotator
from core.data.timelines.raw import Layout, RawTable, texts_frame
from core.data.timelines.timeline import Field
from core.files import read_tables

_TABLES: Final = read_tables(__file__, "layouts")
_HLGD_FIELDS = {Field(field): (name,) for field, name in _TABLES["hlgd_timeline"].items()}
_NEEDED = (Field.HEADLINE, Field.GOLD)
_STAMP = re.compile(r"\s*\((?P<date>[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}[^)]{0,30})\)\s*")
_SPELLINGS = (("text", "summary"), ("news", "headline"))
_UCI_NAMES = ("ID", "TITLE", "URL", "PUBLISHER", "CATEGORY", "STORY", "HOSTNAME", "TIMESTAMP")
_ESCAPED = ("PUBLISHER", "URL")
_UNESCAPED = "{} without backslashes"
_UCI_MAPPING = {Field(field): (name,) for field, name in _TABLES["uci"].items()}


def _is_hlgd_timeline(table: RawTable) -> bool:
    mapping = column_names.find(table.columns, _HLGD_FIELDS)
    return all(field in mapping for field in _NEEDED) and any(map(is_annotator, table.columns))


def _arrange_hlgd_timeline(table: RawTable) -> RawTable:
    columns = {field: (name,) for field, name in column_names.find(table.columns, _HLGD_FIELDS).items()}
    annotators = filter(is_annotator, table.columns)
    numbered = tuple(sorted(annotators, key=lambda name: int(re.sub(r"\D", "", name))))
    mapping = {**{field: columns[field] for field in _NEEDED}, Field.ANNOTATOR: numbered, **columns}
    several = column_names.find(table.columns, {"timeline": ("timeline", "timeline_id")})
    return replace(table, mapping=mapping, timeline_column=several.get("timeline", ""))


HLGD_TIMELINE = Layout(
    "hlgd_timeline", "HLGD timeline", ("headline", "global_group"), _is_hlgd_timeline, _arrange_hlgd_timeline
)


def _columns(table: RawTable) -> tuple[str, str] | None:
    return next((pair for pair in _SPELLINGS if set(pair) <= set(table.columns)), None)


def _is_numhg(table: RawTable) -> bool:
    columns = _columns(table)
    if columns is None:
        return False
    first = [text for text in table.column(columns[0])[:20] if text]
    return bool(first) and sum(bool(_STAMP.match(text)) for text in first) >= 0.5 * len(first)


def _arrange_numhg(table: RawTable) -> RawTable:
    columns = _columns(table)
    assert columns is not None  # noqa: S101  recognised before
    text, headline = columns
    rows: list[list[str | None]] = []
    for value in table.column(text):
        stamp = _STAMP.match(value or "")
        rows.append([stamp["date"], (value or "")[stamp.end() :]] if stamp else [None, value])
    date, body = f"{text} (date)", f"{text} (body)"
    return replace(
        table,
        derived=texts_frame(rows, [date, body]),
        mapping={Field.HEADLINE: (headline,), Field.PUBLISHED: (date,), Field.BODY: (body,)},
        notes=(*table.notes, f"The date was taken from the beginning of {text!r}."),
    )


NUMHG = Layout("numhg", "NumHG", ("text", "summary"), _is_numhg, _arrange_numhg)


def _headerless(table: RawTable) -> bool:
    if table.columns != [f"column_{i}" for i in range(1, 9)] or not len(table):
        return False
    first = [value or "" for value in table.cells.iloc[0]]
    return first[0].isdigit() and len(first[4]) == 1 and len(first[7]) == 13 and first[7].isdigit()


def _is_uci(table: RawTable) -> bool:
    return {"TITLE", "STORY", "TIMESTAMP", "PUBLISHER", "URL"} <= set(table.columns) or _headerless(table)


def _arrange_uci(table: RawTable) -> RawTable:
    import pandas as pd

    if _headerless(table):
        table = replace(table, cells=table.cells.set_axis(list(_UCI_NAMES), axis="columns"))
    # Some rows escape punctuation: "Wall Street Journal \\(blog\\)", "story\\?track=rss".
    escaped = [name for name in _ESCAPED if any("\\" in (cell or "") for cell in table.column(name))]
    plain = {
        _UNESCAPED.format(name): [cell and re.sub(r"\\([^\w\s])", r"\1", cell) for cell in table.column(name)]
        for name in escaped
    }
    meaning = {
        field: tuple(_UNESCAPED.format(name) if name in escaped else name for name in names)
        for field, names in _UCI_MAPPING.items()
    }
    return replace(table, derived=pd.DataFrame(plain, index=table.cells.index), mapping=meaning)


UCI = Layout("uci_news_aggregator", "UCI News Aggregator", _UCI_NAMES, _is_uci, _arrange_uci)
