"""Timeline: which headlines tell the same event?"""

import streamlit as st

from components.page import page
from components.page_state import show
from components.timeline import state
from components.timeline.ask import offer_questions, width_questions
from components.timeline.card import group_card
from components.timeline.group_list import events, group_list, list_controls
from components.timeline.history import corrections_bar, exports
from components.timeline.workspace import facts, open_view, period_choice

with page(__file__, "Timeline", "Which headlines report the same event?"):
    view = open_view(state.LIST.part(), offer=offer_questions)
    facts(view)
    width_questions(view)
    with st.container(horizontal=True, vertical_alignment="center", key="list-controls"):
        list_controls()
        period_choice(view)
        shown = show(
            {"list": "List", "lanes": "Lanes"},
            state.LIST.now().show,
            lambda chosen: state.LIST.put(show=chosen),
            key="pick-show",
        )
        exports(view)
    corrections_bar(view)
    found = events(view)
    # Nothing chosen: the card of the first event shows what there is to read.
    group = state.now().group if state.now().group is not None or not found else found[0].group
    if shown == "lanes":
        from components.timeline.history import swimlane

        swimlane(view, found)
        card = st.container(key="event-card")
    else:
        left, right = st.columns([2, 3], gap="medium")
        with left:
            group_list(view, found, group)
        card = right.container(key="event-card")
    if group is not None:
        with card:
            group_card(view, group)
