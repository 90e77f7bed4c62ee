"""Outlets of a timeline: who was first, who alone, and which headlines they edited."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from components.frame.edit_history import edit_lines
from components.frame.figure_table import ALL_FIGURES, show_figures
from components.frame.markdown import plain
from components.frame.publish import publish_table, show_published
from components.frame.tables import say_notes
from components.opened.reader_zone import reader_zone
from components.opened.views import timeline as state
from components.timeline.coverage import blind_spots
from components.timeline.filters import filtered, kept
from components.timeline.workspace import View
from core.data.timelines.periods import whole
from core.events.edited_headlines import HeadlineEdit, edits_table, headline_edit, headline_edits
from core.events.first_reports import outlets_table, who_was_first
from core.groups.summary import GroupSummary
from core.results.render import count_words

DRAWN: Final = 0, 2, 3, 4, 5  # columns: how often an outlet was first, of its shared events
DRAWN_ROWS: Final = 15


def outlets(view: View, events: Sequence[GroupSummary]) -> None:
    """How often each outlet was first in the period, what one side alone reports, and edited headlines."""
    period = state.now().period or whole(view.timeline)
    days = f", {period.words}" if period is not None else ""
    rows = [row for event in events for row in event.rows]
    passing, counted = set(rows), ""
    if filtered():
        passing &= set(np.flatnonzero(kept(view)).tolist())
        counted = f"whole events are counted: {len(passing):,} of {len(rows):,} headlines pass the filter"
        st.caption(f"{counted.capitalize()}.")
    table = outlets_table(view.timeline, events)
    with st.container(key="outlets", gap="small"):
        title = who_was_first(table)
        st.header(plain(title), anchor=False)
        if table.rows:
            say_notes(table.notes[:1])
            drawn = table.only(*DRAWN)
            show_figures(replace(drawn, rows=drawn.rows[:DRAWN_ROWS]), alt=title)
            say_notes(table.notes[1:])
            # Stays whole and in sight on a phone.
            look = {"columns": {table.columns[0].title: {"pinned": True, "width": 140}}}
            said = count_words(len(events), "event and single report", "events and single reports")
            look["source"] = said + days + f"; {counted}" * bool(counted)
            with st.expander(ALL_FIGURES, icon=":material/table_rows:"):
                show_published(table, name="first", title=title, **look)
    blind_spots(view, events)
    edits = headline_edits(view.timeline, rows, reader_zone())
    edit_history(view, [edit for edit in edits if {edit.before, edit.after} & passing], outlets=True)


def edit_history(view: View, edits: Sequence[HeadlineEdit], *, outlets: bool = False) -> None:
    """The versions of edited headlines, what was taken out and put in, and a table of them."""
    if not edits:
        return
    edit_lines(edits)
    timeline, title = view.timeline, f"{view.timeline.name}: edited headlines"
    in_utc = [headline_edit(timeline, edit.before, edit.after, ordered=not edit.also) for edit in edits]
    publish_table(lambda: edits_table(timeline, in_utc), name="edits" + "-all" * outlets, title=title)
