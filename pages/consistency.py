"""Consistency: where does a pair model contradict itself, and what fixes it?"""

import streamlit as st

from components.frame.links import came_by_link
from components.frame.subject import signature
from components.lab import consistency, contradictions, demonstration
from components.opened.views.consistency import CONSISTENCY, STUDIED
from components.page import page
from components.timeline.first_look import look
from components.timeline.workspace import open_view

with page(__file__, "Consistency", "Where does a model contradict itself?"):
    with (top := st.container(key="demonstration")), st.container(key="consistency-headlines"):
        view = open_view(CONSISTENCY.part(), look=look, regroups=False)
    # It stays as it was opened: what is chosen inside changes the address.
    opened = st.session_state.setdefault("researchers-opened", came_by_link("show"))
    with st.expander("For researchers", icon=":material/science:", expanded=opened):
        consistency.settings()
        lab = consistency.open_lab(view, top)
        shown = CONSISTENCY.show("shown", STUDIED, "lab-shown")
        contradictions.show_findings(lab)
        with top:
            demonstration.demonstration(lab)
        contradictions.SHOWN[shown](lab)
        signature(lab.findings.signature)
