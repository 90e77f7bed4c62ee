"""The filters of the map, and the table next to it: over every headline, whatever is selected."""

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components.tables import height_for
from components.timeline import state
from components.timeline.group_list import safe_links
from components.timeline.workspace import View
from core.data.timelines.timeline import Field, rows_within

_FIELDS = {Field.PUBLISHER: "Outlets", Field.LANGUAGE: "Languages", "event": "Events"}


@dataclass(frozen=True, slots=True, eq=False)
class HeadlineMatches:
    table: pd.DataFrame
    keep: pd.Series
    active: bool

    @property
    def rows(self) -> list[int]:
        return [int(row) for row in self.table.index[self.keep]]


def filters(view: View) -> None:
    table = view.timeline.table.assign(event=view.grouping.ids)
    for field, label in _FIELDS.items():
        # The most frequent first in the list; none chosen keeps all.
        values = table[field].dropna().value_counts().index.tolist()
        if len(values) > 1:
            st.multiselect(label, values, key=f"filter-{field}", persist_state="session")


def found(view: View) -> HeadlineMatches:
    """The headlines of the period that match what was chosen, among all of them."""
    table = view.timeline.table.assign(event=view.grouping.ids)
    keep = pd.Series(True, index=table.index)
    words = state.LIST.now().find.casefold().split()
    for word in words:
        keep &= table[Field.HEADLINE].str.casefold().str.contains(word, regex=False)
    active = bool(words)
    for field in _FIELDS:
        chosen: list[Any] = st.session_state.get(f"filter-{field}") or []
        if chosen:
            keep &= table[field].isin(chosen)
            active = True
    if state.now().period is not None:
        keep &= rows_within(view.timeline, state.now().period)
        active = True
    return HeadlineMatches(table, keep, active)


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


def headline_table(view: View, found: HeadlineMatches) -> None:
    """What was searched for among all headlines; without a search the selection, or everything."""
    kept = found.table[found.keep] if found.active else _selected(found.table)
    ticked = state.now().rows if state.now().moved_by == VIEW else []
    _caption(len(kept), len(found.table), found, ticked=len(ticked))
    if kept.empty:
        st.info("No headline matches. Try fewer words, or remove a filter.", icon=":material/search_off:")
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
        on_select=lambda: _picked(key, kept.index.tolist(), found.table["event"].tolist()),
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


def _selected(table: pd.DataFrame) -> pd.DataFrame:
    if state.now().moved_by != VIEW:
        st.session_state[_SCOPE] = (state.now().rows, state.now().group)
    rows, group = st.session_state.get(_SCOPE, ([], None))
    if rows:
        return table[table.index.isin(rows)]
    return table if group is None else table[table["event"] == group]


def _caption(shown: int, total: int, found: HeadlineMatches, *, ticked: int) -> None:
    matches = f" match{'es' if shown == 1 else ''}" if found.active else ""
    selected = ", those selected" if not found.active and shown < total else ""
    st.markdown(
        f"**{shown:,}** of {total:,} headlines{matches}{selected}"
        + (f", {ticked:,} ticked" if ticked else "")
        + ". :gray[Tick rows to select them on every page, two to see why they are together or apart.]"
    )


def _picked(key: str, rows: list[int], groups: list[int]) -> None:
    ticked = {rows[place] for place in st.session_state[key]["selection"]["rows"]}
    if state.now().moved_by == VIEW:
        # Ticks that a filter hides at the moment.
        ticked |= set(state.now().rows) - set(rows)
    found = {groups[row] for row in ticked}
    state.select(group=found.pop() if len(found) == 1 else None, rows=ticked, by=VIEW)
