"""The list of groups: the table twin of the swimlane, and a way to select by keyboard."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import streamlit as st

from components.resources import cached
from components.tables import height_for
from components.timeline import state
from components.timeline.workspace import View
from core.data.timelines.periods import Period, rows_within, written_day
from core.data.timelines.timeline import Field, Timeline
from core.events.cards import group_summaries, vague
from core.groups.card import GroupSummary
from core.results.text import safe_link


def summaries(view: View) -> list[GroupSummary]:
    """The groups of the period that is looked at, counted in it, the largest first."""
    return _summaries(view, state.now().period)


@cached(max_entries=32)
def _summaries(view: View, period: Period | None) -> list[GroupSummary]:
    return group_summaries(view.prepared, view.grouping, within=rows_within(view.timeline, period))


@cached(max_entries=16)
def written_days(timeline: Timeline) -> list[str]:
    """The day of each headline for people; "" where it is not known. Rows in the timeline's order."""
    return ["" if pd.isna(when) else written_day(when) for when in timeline.table[Field.PUBLISHED]]


@cached(max_entries=16)
def safe_links(timeline: Timeline) -> pd.Series:
    """The address of each headline where a browser may be sent there, else None; indexed by row."""
    return timeline.table[Field.URL].map(safe_link)


def marked_title(view: View, group: int, row: int) -> str:
    """The title of a group after ★ for a star and ✎ for a correction.

    Args:
        view: Its groups.
        group: Number of one.
        row: Its representative headline.
    """
    title = view.grouping.title(group, view.timeline.texts[row])
    return " ".join(filter(None, (view.grouping.marks.symbols(group), title)))


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
    flags = vague(view.prepared)
    sizes = Counter(view.grouping.ids.tolist())
    published = view.timeline.table[Field.PUBLISHED].tolist()
    table = pd.DataFrame(
        {
            "No.": [s.group for s in rows],
            "Size": [s.size for s in rows],
            "Event": [
                marked_title(view, s.group, s.representative)
                + ("  (too vague to place)" * (sizes[s.group] == 1 and flags[s.representative].is_vague))
                for s in rows
            ],
            "Outlets": [len(s.publishers) for s in rows],
            "First": [None if s.first is None else published[s.first].date() for s in rows],
            "Last": [None if s.last is None else published[s.last].date() for s in rows],
        }
    )
    if not any(s.publishers for s in rows):
        table = table.drop(columns="Outlets")
    if table["First"].isna().all():
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
                width="large" if wide else 280,
                help="Its most typical headline, or the title that people gave; ✎ corrected, ★ starred",
            ),
            "Outlets": st.column_config.NumberColumn(width=80),
            "First": st.column_config.DateColumn(format="D MMM YYYY"),
            "Last": st.column_config.DateColumn(format="D MMM YYYY"),
        },
        alt="Events by size: number, representative headline, headlines, publishers, first and last report",
    )


def _picked(key: str, groups: list[int]) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    state.select(group=groups[rows[0]] if rows else None, by=VIEW)
