"""Timeline: which headlines tell the same event?"""

import streamlit as st

from components.page import page, signature
from components.timeline import state
from components.timeline.card import group_card, invitation
from components.timeline.export import exports
from components.timeline.facts import facts, quality_strip
from components.timeline.group_list import group_list
from components.timeline.history import corrections_bar
from components.timeline.period import period_choice
from components.timeline.swimlane import swimlane
from components.timeline.workspace import open_view

with page(__file__, "Timeline", "Which headlines report the same event?"):
    view = open_view()
    facts(view)
    quality_strip(view)
    period_choice(view)
    swimlane(view)
    corrections_bar(view)
    chosen = state.now().group
    hint = st.empty()
    # The list keeps its place on the page, so that opening an event takes no focus from it.
    left, *right = st.columns(1 if chosen is None else 2, gap="large")
    with left:
        group_list(view)
    if chosen is None:
        with hint:
            invitation()
    else:
        with right[0], st.container(key="event-card"):
            group_card(view, chosen)
    exports(view)
    signature(view.grouping.signature)
