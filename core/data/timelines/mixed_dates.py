"""Dates that stand in a cell or a line beside other words."""

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from core.data.timelines import moments
from core.data.timelines.column_names import field_of
from core.data.timelines.columns import propose
from core.data.timelines.date_choice import DateKind, kind_of, sampled
from core.data.timelines.date_columns import SEEMS_A_DATE
from core.data.timelines.nested import with_columns
from core.data.timelines.raw import RawTable
from core.data.timelines.timeline import Field

_BETWEEN: Final = re.compile(r"\s*[|·•]\s*|\s+[/–—-]\s+|\s*[()]\s*")
_WORD: Final = re.compile(r"\S+")
_LONGEST: Final = 120  # characters of a date with what stands beside it
_MOSTLY: Final = 0.8  # of the cells of a column


def with_dates_inside(table: RawTable) -> RawTable:
    """The table with a column of the dates that stand in another beside names, where no column has dates."""
    mapping = propose(table) if table.mapping is None else table.mapping
    if Field.PUBLISHED in mapping:
        return table
    taken = {name for field in (Field.HEADLINE, Field.URL, Field.BODY) for name in mapping.get(field, ())}
    for name in table.columns:
        outlet = field_of(name) is Field.PUBLISHER  # as "publication"
        mixed = name not in taken and (outlet or kind_of(name) is DateKind.UNNAMED)
        sample = sampled(table.column(name)) if mixed else []
        if sample and sum(bool(date_inside(text)) for text in sample) >= _MOSTLY * len(sample):
            column = f"date in {name}"
            days = [date_inside(text or "") or None for text in table.column(name)]
            mapped = None if table.mapping is None else {**table.mapping, Field.PUBLISHED: (column,)}
            return replace(with_columns(table, {column: days}), mapping=mapped)
    return table


@lru_cache(maxsize=65_536)
def date_inside(text: str) -> str:
    """The date at an end of one of the parts of a text, as "PTI / Updated: May 12, 2026"; "" for none."""
    if len(text) > _LONGEST or not SEEMS_A_DATE.search(text):
        return ""
    for part in _BETWEEN.split(moments.flat(text)):
        words = list(_WORD.finditer(part))
        ends = [*(part[word.start() :] for word in words), *(part[: word.end()] for word in words)]
        if date := next(filter(moments.is_date, ends), ""):
            return date
    return ""
