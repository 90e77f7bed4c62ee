"""Rows that are no published articles: drafts, pages, attachments, films that are gone."""

from typing import Final

from core.data.timelines.column_names import key
from core.data.timelines.raw import RawTable, Texts
from core.files import read_tables

_TABLES: Final = read_tables(__file__)
_COLUMNS: Final = [{part: {*words.split()} for part, words in row.items()} for row in _TABLES["column"]]
_GONE: Final = frozenset(_TABLES["titles"]["gone"].strip().splitlines())


def unpublished_rows(table: RawTable, headlines: Texts) -> dict[int, str]:
    """Rows that are no published articles, with the words that say so."""
    found = {row: title for row, title in enumerate(headlines) if title and title.casefold() in _GONE}
    for name in map(str, table.cells.columns):
        kind = next((kind for kind in _COLUMNS if key(name) in kind["names"]), None)
        texts = table.column(name) if kind else []
        values = [key(text or "") for text in texts]
        if kind and not kind["others"].isdisjoint(values):
            found |= {
                row: f"{name}: {texts[row]}" for row, value in enumerate(values) if value in kind["none"]
            }
    return found
