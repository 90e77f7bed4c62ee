"""The table of headlines: search, filters, and a selection shared with every view."""

from __future__ import annotations

import zlib
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components.tables import height_for
from components.timeline import state
from components.timeline.group_list import safe_links
from components.timeline.workspace import View
from core.data.timelines.timeline import Field

VIEW = "headline-table"
_SCOPE = "headline-table-scope"
COLUMNS = {
    "Event": "event",
    "Headline": Field.HEADLINE,
    "Published": Field.PUBLISHED,
    "Outlet": Field.PUBLISHER,
    "Language": Field.LANGUAGE,
    "Link": Field.URL,
}


def headline_table(view: View) -> None:
    """Headlines of the selection, or all; selecting rows selects them everywhere."""
    table = view.timeline.table.assign(event=view.grouping.ids)
    kept = _filtered(table)
    narrowed = _narrowed(kept)
    ticked = state.now().rows if state.now().moved_by == VIEW else []
    _caption(len(narrowed), len(table), narrowed=len(narrowed) < len(kept), ticked=len(ticked))
    kept = narrowed
    if kept.empty:
        st.info("No matches. Loosen the filters or clear the selection.", icon=":material/search_off:")
        return
    columns = {label: name for label, name in COLUMNS.items() if kept[name].notna().any()}
    shown = pd.DataFrame({label: kept[name] for label, name in columns.items()})
    if "Link" in shown:
        # Whatever else a file calls a link (javascript:, file:) must not be opened by a click.
        shown["Link"] = safe_links(view.timeline)[kept.index]
    # Ticks are places in the table, so a table of other rows is another widget.
    key = f"{state.view_key(VIEW)}-{zlib.crc32(kept.index.to_numpy().tobytes())}"
    st.dataframe(
        shown,
        key=key,
        hide_index=True,
        height=height_for(len(shown), 380),
        on_select=lambda: _picked(key, kept.index.tolist(), table["event"].tolist()),
        selection_mode="multi-row",
        selection_default={"selection": {"rows": np.flatnonzero(kept.index.isin(ticked)).tolist()}},
        column_config={
            "Event": st.column_config.NumberColumn(width=60),
            "Headline": st.column_config.TextColumn(width="large"),
            "Published": st.column_config.DatetimeColumn(
                format="D MMM YYYY" if view.timeline.table["day_only"].all() else "D MMM YYYY HH:mm"
            ),
            "Link": st.column_config.LinkColumn(display_text="open", width=60),
        },
        alt="Headlines with their event, date, outlet and link",
    )


def _narrowed(kept: pd.DataFrame) -> pd.DataFrame:
    """What another view selected; ticks in this table do not shrink it under the reader's hand."""
    if state.now().moved_by != VIEW:
        st.session_state[_SCOPE] = (state.now().rows, state.now().group)
    rows, group = st.session_state.get(_SCOPE, ([], None))
    if rows:
        return kept[kept.index.isin(rows)]
    return kept if group is None else kept[kept["event"] == group]


def _caption(shown: int, total: int, *, narrowed: bool, ticked: int) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{shown:,}** of {total:,} headlines"
            + (", those selected" if narrowed else "")
            + (f", {ticked:,} ticked" if ticked else ""),
            help="Tick rows to select them everywhere; tick two to see why they are together or apart. "
            "What is ticked stays ticked while you search for more.",
        )
        if state.now().rows or state.now().group is not None:
            st.button(
                "Clear the selection",
                key="clear-selection",
                type="tertiary",
                icon=":material/close:",
                on_click=state.select,
                kwargs={"group": None, "by": ""},
            )


def _filtered(table: pd.DataFrame) -> pd.DataFrame:
    """What is left after search and filters; only filters that can do something are drawn."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="filters"):
        words = st.text_input(
            "Search",
            key="filter-words",
            placeholder="words in the headline",
            persist_state="session",
            icon=":material/search:",
        )
        publishers = _choice(table, Field.PUBLISHER, "Outlets")
        languages = _choice(table, Field.LANGUAGE, "Languages")
        events = _choice(table, "event", "Events")
        span = _days(table)
    keep = pd.Series(True, index=table.index)
    for word in words.casefold().split():
        keep &= table[Field.HEADLINE].str.casefold().str.contains(word, regex=False)
    if publishers:
        keep &= table[Field.PUBLISHER].isin(publishers)
    if languages:
        keep &= table[Field.LANGUAGE].isin(languages)
    if events:
        keep &= table["event"].isin(events)
    if span:
        day = table[Field.PUBLISHED].dt.date
        keep &= (day >= span[0]) & (day <= span[1])
    return table[keep]


def _choice(table: pd.DataFrame, field: str, label: str) -> list[Any]:
    """Values to keep, the most frequent first in the list; none chosen keeps all."""
    values = table[field].dropna().value_counts()
    if len(values) < 2:
        return []
    return st.multiselect(label, values.index.tolist(), key=f"filter-{field}", persist_state="session")


def _days(table: pd.DataFrame) -> tuple[date, date] | None:
    known = table[Field.PUBLISHED].dropna()
    if known.empty or known.min().date() == known.max().date():
        return None
    low, high = known.min().date(), known.max().date()
    # Keyed by its limits: another timeline gets a filter of its own.
    chosen = st.date_input(
        "Dates", value=(low, high), min_value=low, max_value=high, key=f"filter-days-{low}-{high}"
    )
    if not isinstance(chosen, tuple) or len(chosen) != 2 or chosen == (low, high):
        return None
    return chosen


def _picked(key: str, rows: list[int], groups: list[int]) -> None:
    ticked = {rows[place] for place in st.session_state[key]["selection"]["rows"]}
    if state.now().moved_by == VIEW:
        # Ticks that a filter hides at the moment.
        ticked |= set(state.now().rows) - set(rows)
    found = {groups[row] for row in ticked}
    state.select(group=found.pop() if len(found) == 1 else None, rows=ticked, by=VIEW)
