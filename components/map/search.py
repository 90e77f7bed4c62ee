"""Search and filters above the map: over every headline, whatever is selected."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import pandas as pd
import streamlit as st

from components.timeline.workspace import View
from core.data.timelines.periods import whole
from core.data.timelines.timeline import Field
from core.results.text import count_words

WORDS = "filter-words"
_FIELDS = {Field.PUBLISHER: "Outlets", Field.LANGUAGE: "Languages", "event": "Events"}


@dataclass(frozen=True, slots=True, eq=False)
class HeadlineMatches:
    """What search and filters leave.

    Attributes:
        table: All headlines with their event, in the timeline's order.
        keep: Which of them match, by row.
        active: Whether anything is searched or filtered.
    """

    table: pd.DataFrame
    keep: pd.Series
    active: bool

    @property
    def rows(self) -> list[int]:
        """Rows that match."""
        return [int(row) for row in self.table.index[self.keep]]


def search_field(view: View) -> None:
    """Draws the field for words."""
    st.text_input(
        "Search",
        key=WORDS,
        placeholder=f"Search {count_words(len(view.timeline), 'headline', 'headlines')}",
        persist_state="session",
        icon=":material/search:",
        label_visibility="collapsed",
    )


def filters(view: View) -> None:
    """Draws the filters; only those that can do something."""
    table = _table(view)
    for field, label in _FIELDS.items():
        # The most frequent first in the list; none chosen keeps all.
        values = table[field].dropna().value_counts().index.tolist()
        if len(values) > 1:
            st.multiselect(label, values, key=f"filter-{field}", persist_state="session")
    limits = _limits(view)
    if limits is not None:
        low, high = limits
        st.date_input("Dates", value=limits, min_value=low, max_value=high, key=_days_key(limits))


def found(view: View) -> HeadlineMatches:
    """The headlines that match what was chosen, among all of them."""
    table = _table(view)
    keep = pd.Series(True, index=table.index)
    words = str(st.session_state.get(WORDS) or "").casefold().split()
    for word in words:
        keep &= table[Field.HEADLINE].str.casefold().str.contains(word, regex=False)
    active = bool(words)
    for field in _FIELDS:
        chosen: list[Any] = st.session_state.get(f"filter-{field}") or []
        if chosen:
            keep &= table[field].isin(chosen)
            active = True
    span = _span(view)
    if span is not None:
        day = table[Field.PUBLISHED].dt.date
        keep &= (day >= span[0]) & (day <= span[1])
        active = True
    return HeadlineMatches(table, keep, active)


def _table(view: View) -> pd.DataFrame:
    return view.timeline.table.assign(event=view.grouping.ids)


def _limits(view: View) -> tuple[date, date] | None:
    span = whole(view.timeline)
    return None if span is None or span.first == span.last else (span.first, span.last)


def _days_key(limits: tuple[date, date]) -> str:
    # Keyed by its limits: another timeline gets a filter of its own.
    return f"filter-days-{limits[0]}-{limits[1]}"


def _span(view: View) -> tuple[date, date] | None:
    limits = _limits(view)
    chosen = None if limits is None else st.session_state.get(_days_key(limits))
    if not isinstance(chosen, tuple) or len(chosen) != 2 or chosen == limits:
        return None
    return chosen
