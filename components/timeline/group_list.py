"""The list of groups: the table twin of the swimlane, and a way to select by keyboard."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date

import pandas as pd
import streamlit as st

from components.tables import height_for
from components.timeline import state
from components.timeline.workspace import View
from core.data.timelines.periods import Period, rows_within, written_day
from core.data.timelines.timeline import Field, Timeline
from core.events.cards import group_summaries, vague
from core.groups.card import GroupSummary
from core.results.text import safe_link
from core.text.vague import Vagueness


@dataclass(frozen=True, slots=True)
class Summary:
    """One group for people.

    Attributes:
        group: Its id.
        representative: Its most typical headline.
        size: Number of headlines in the period.
        publishers: In order of appearance.
        vague: It is one headline that is too vague to name an event.
        first, last: Days of the first and last report; None where no date is known.
    """

    group: int
    representative: str
    size: int
    publishers: tuple[str, ...]
    vague: bool
    first: date | None
    last: date | None


def summaries(view: View) -> list[Summary]:
    """The groups of the period that is looked at, counted in it, the largest first."""
    return _summaries(view.grouping.signature, view, state.now().period)


@st.cache_resource(show_spinner=False, max_entries=32)
def _summaries(signature: str, _view: View, period: Period | None) -> list[Summary]:
    lines: list[GroupSummary] = group_summaries(
        _view.prepared, _view.grouping, within=rows_within(_view.timeline, period)
    )
    texts, flags = _view.timeline.texts, vague_flags(_view)
    sizes = Counter(_view.grouping.ids.tolist())
    published = _view.timeline.table[Field.PUBLISHED].tolist()
    return [
        Summary(
            group=line.group,
            representative=texts[line.representative],
            size=line.size,
            publishers=line.publishers,
            vague=sizes[line.group] == 1 and flags[line.representative].is_vague,
            first=None if line.first is None else published[line.first].date(),
            last=None if line.last is None else published[line.last].date(),
        )
        for line in lines
    ]


def vague_flags(view: View) -> tuple[Vagueness, ...]:
    """For each headline whether it is too vague to name an event."""
    return vague(view.prepared)


def written_days(timeline: Timeline) -> list[str]:
    """The day of each headline for people; "" where it is not known. Rows in the timeline's order."""
    return _written_days(timeline.fingerprint, timeline)


@st.cache_resource(show_spinner=False, max_entries=16)
def _written_days(fingerprint: str, _timeline: Timeline) -> list[str]:
    published = _timeline.table[Field.PUBLISHED]
    return ["" if pd.isna(when) else written_day(when) for when in published]


def safe_links(timeline: Timeline) -> pd.Series:
    """The address of each headline where a browser may be sent there, else None; indexed by row."""
    return _safe_links(timeline.fingerprint, timeline)


@st.cache_resource(show_spinner=False, max_entries=16)
def _safe_links(fingerprint: str, _timeline: Timeline) -> pd.Series:
    return _timeline.table[Field.URL].map(safe_link)


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
            "Outlets": [len(s.publishers) for s in rows],
            "First": [s.first for s in rows],
            "Last": [s.last for s in rows],
        }
    )
    if not any(s.publishers for s in rows):
        table = table.drop(columns="Outlets")
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
            "Outlets": st.column_config.NumberColumn(width=80),
            "First": st.column_config.DateColumn(format="D MMM YYYY"),
            "Last": st.column_config.DateColumn(format="D MMM YYYY"),
        },
        alt="Events by size: number, representative headline, headlines, publishers, first and last report",
    )


def _picked(key: str, groups: list[int]) -> None:
    rows = st.session_state[key]["selection"]["rows"]
    state.select(group=groups[rows[0]] if rows else None, by=VIEW)
