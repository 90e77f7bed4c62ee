"""Research files with one headline a row.

- HLGD's annotated timelines: five annotators' groups and the merged one (Laban et al. 2021, "News Headline
  Grouping as a Challenging NLU Task", section 3).
- NumHG: articles that begin with their time, "(Sep 25, 2016  1:28 PM CDT) …", and their headlines (Huang et
  al. 2023); the SemEval-2024 task 7 files of the same articles name the columns news and headline.
- UCI News Aggregator: eight columns, without a header in the original file, times in milliseconds
  (Gasparetti 2016, https://archive.ics.uci.edu/dataset/359/news+aggregator).
"""

from __future__ import annotations

import re
from dataclasses import replace

from core.data.timelines import column_names
from core.data.timelines.raw import Layout, RawTable, texts_frame
from core.data.timelines.timeline import Field

_OPTIONAL = {
    "date": Field.PUBLISHED,
    "url": Field.URL,
    "source": Field.PUBLISHER,
    "authors": Field.AUTHORS,
}
_TIMELINE = ("timeline", "timeline_id")


def _is_hlgd(table: RawTable) -> bool:
    return set(HLGD_TIMELINE.columns) <= set(column_names.by_key(table.columns)) and any(
        map(column_names.is_annotator, table.columns)
    )


def _arrange_hlgd(table: RawTable) -> RawTable:
    keys = column_names.by_key(table.columns)
    annotators = sorted(
        filter(column_names.is_annotator, table.columns),
        key=lambda name: int("".join(filter(str.isdigit, name))),
    )
    mapping = {
        Field.HEADLINE: (keys["headline"],),
        Field.GOLD: (keys["global_group"],),
        Field.ANNOTATOR: tuple(annotators),
        **{field: (keys[key],) for key, field in _OPTIONAL.items() if key in keys},
    }
    several = next((keys[key] for key in _TIMELINE if key in keys), "")
    return replace(table, mapping=mapping, timeline_column=several)


HLGD_TIMELINE = Layout(
    "hlgd_timeline", "HLGD timeline", ("headline", "global_group"), _is_hlgd, _arrange_hlgd
)


_STAMP = re.compile(r"\s*\((?P<date>[A-Z][a-z]{2,8}\.? \d{1,2}, \d{4}[^)]{0,30})\)\s*")
_SPELLINGS = (("text", "summary"), ("news", "headline"))


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
        found = _STAMP.match(value or "")
        rows.append([found["date"], (value or "")[found.end() :]] if found else [None, value])
    date, body = f"{text} (date)", f"{text} (body)"
    return replace(
        table,
        derived=texts_frame(rows, [date, body]),
        mapping={Field.HEADLINE: (headline,), Field.PUBLISHED: (date,), Field.BODY: (body,)},
        notes=(*table.notes, f"The date was taken from the beginning of {text!r}."),
    )


NUMHG = Layout("numhg", "NumHG", ("text", "summary"), _is_numhg, _arrange_numhg)


_UCI_NAMES = ("ID", "TITLE", "URL", "PUBLISHER", "CATEGORY", "STORY", "HOSTNAME", "TIMESTAMP")
_ESCAPED = ("PUBLISHER", "URL")
_UNESCAPED = "{} without backslashes"
_UCI_MAPPING = {
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
