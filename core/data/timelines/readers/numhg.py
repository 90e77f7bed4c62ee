"""NumHG: articles with headlines, the date at the beginning of each article."""

import re
from dataclasses import replace

from core.data.timelines.raw import Layout, RawTable, texts_frame
from core.data.timelines.timeline import Field

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
        stamp = _STAMP.match(value or "")
        rows.append([stamp["date"], (value or "")[stamp.end() :]] if stamp else [None, value])
    date, body = f"{text} (date)", f"{text} (body)"
    return replace(
        table,
        derived=texts_frame(rows, [date, body]),
        mapping={Field.HEADLINE: (headline,), Field.PUBLISHED: (date,), Field.BODY: (body,)},
        titles_final=True,
        notes=(*table.notes, f"The date was taken from the beginning of {text!r}."),
    )


NUMHG = Layout("numhg", "NumHG", ("text", "summary"), _is_numhg, _arrange_numhg)
