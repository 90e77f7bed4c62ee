"""More like this: the headlines of the whole timeline that mean most nearly the same as one of an event."""

from functools import partial

import streamlit as st

from components.frame.markdown import plain, quiet, shorten
from components.frame.widgets import button, distinct_names
from components.opened.resources import cached
from components.opened.views import timeline as state
from components.timeline.workspace import View
from core.events.report_times import moment_of
from core.events.similar_headlines import similar_headlines
from core.groups.card import GroupCard

_similar = cached(lambda view, row: similar_headlines(view.prepared, view.grouping, row), max_entries=64)


def more_like_this(view: View, card: GroupCard) -> None:
    timeline, rows = view.timeline, list(card.summary.rows)
    said = distinct_names(rows, lambda row: shorten(timeline.texts[row], 100))
    first = rows.index(card.summary.representative)
    row = st.selectbox("Headline", rows, first, format_func=said, key=f"like-{rows[0]}")
    found = _similar(view, row)
    if not found:
        st.caption("These headlines are not compared by meaning: choose another similarity under Settings.")
    for other, similarity, words in found:
        group = int(view.grouping.ids[other])
        here = group == card.summary.group
        outlet, day = timeline.publishers[other] or "", moment_of(timeline, other)
        with st.container(horizontal=True, vertical_alignment="center"):
            about = quiet(
                f"{words} ({similarity:.2f})", outlet, day, "in this event" if here else f"event {group}"
            )
            st.markdown(f"{plain(timeline.texts[other])}  \n{about}")
            if not here:
                button("Open", f"like-open-{other}", partial(state.select, group=group, by=""))
