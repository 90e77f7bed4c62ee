"""More like this: the headlines of the whole timeline that mean most nearly the same as one of an event."""

from functools import partial

import streamlit as st

from components.frame.controlled import controlled
from components.frame.markdown import plain, quiet, shorten
from components.frame.widgets import button, distinct_names
from components.opened.reader_zone import time_here
from components.opened.views import timeline as state
from components.timeline.workspace import View
from core.events.similar_headlines import similar_headlines
from core.groups.card import GroupCard


def more_like_this(view: View, card: GroupCard) -> None:
    timeline, rows = view.timeline, card.summary.rows
    said = distinct_names(rows, lambda row: shorten(timeline.texts[row], 100))
    here = state.now().like
    here = here if here in rows else card.summary.representative
    look = controlled(f"like-{rows[0]}", here, lambda row: state.put(like=row))
    row = st.selectbox("Headline", rows, format_func=said, **look)
    for other, similarity, words in similar_headlines(view.prepared, view.grouping, row):
        group = int(view.grouping.ids[other])
        place = "in this event" if group == card.summary.group else f"event {group}"
        details = f"{words} ({similarity:.2f})", timeline.publishers[other], time_here(timeline, other), place
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"{plain(timeline.texts[other])}  \n{quiet(*details)}")
            if group != card.summary.group:
                button("Open", f"like-open-{other}", partial(state.select, group=group, by=""))
