"""The list of groups: the table twin of the swimlane, and a way to select by keyboard."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.tables import height_for
from components.timeline import state
from components.timeline.summaries import summaries
from components.timeline.workspace import View

VIEW = "group-list"


def group_list(view: View) -> None:
    """Groups by size; selecting a row selects the group everywhere."""
    period = state.now().period
    st.header("Events" if period is None else f"Events of {period.words}", anchor=False)
    rows = summaries(view)
    if not rows:
        st.info(
            "No headline was published in these days. Choose another period, or the whole timeline.",
            icon=":material/event_busy:",
        )
        return
    table = pd.DataFrame(
        {
            "No.": [s.group for s in rows],
            "Size": [s.size for s in rows],
            "Event": [s.representative + ("  (too vague to place)" if s.vague else "") for s in rows],
            "Publishers": [len(s.publishers) for s in rows],
            "First": [s.first for s in rows],
            "Last": [s.last for s in rows],
        }
    )
    if not any(s.publishers for s in rows):
        table = table.drop(columns="Publishers")
    if not any(s.first for s in rows):
        table = table.drop(columns=["First", "Last"])
    groups = table["No."].tolist()
    chosen = [groups.index(state.now().group)] if state.now().group in groups else []
    key = state.view_key(VIEW)
    wide = state.now().group is None
    st.dataframe(
        table,
        key=key,
        hide_index=True,
        height=height_for(len(table), 430),
        on_select=lambda: _picked(key, groups),
        selection_mode="single-row",
        selection_default={"selection": {"rows": chosen}},
        column_config={
            "No.": st.column_config.NumberColumn(width=45),
            "Size": st.column_config.NumberColumn(
                width=45, help="Number of headlines, the biggest event first"
            ),
            "Event": st.column_config.TextColumn(
                width="large" if wide else 280, help="Its most typical headline"
            ),
            "Publishers": st.column_config.NumberColumn(width=80),
            "First": st.column_config.DateColumn(format="D MMM YYYY"),
            "Last": st.column_config.DateColumn(format="D MMM YYYY"),
        },
        alt="Events by size: number, representative headline, headlines, publishers, first and last report",
    )


def _picked(key: str, groups: list[int]) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    state.select(group=groups[rows[0]] if rows else None, by=VIEW)
