"""Consistency: where does a pair model contradict itself, and what fixes it?"""

import streamlit as st

from components import views
from components.consistency.repairs import compare_repairs, demonstration, triangles
from components.consistency.subject import facts, flips, open_lab, settings, suite
from components.page import page, signature
from components.page_state import came_by_link
from components.timeline.workspace import open_view

with page(__file__, "Consistency", "Where does a model contradict itself?"):
    top = st.container()
    with st.container(key="consistency-headlines"):
        view = open_view(views.CONSISTENCY.part(), regroups=False)
    # It stays as it was opened: what is chosen inside changes the address.
    opened = st.session_state.setdefault("researchers-opened", came_by_link("show"))
    with st.expander("For researchers", icon=":material/science:", expanded=opened):
        settings()
        details = st.container()
        with details:
            lab = open_lab(view)
        shown = views.CONSISTENCY.show("shown", views.STUDIED, "lab-shown")
        facts(lab)
        with top:
            demonstration(lab)
        if shown == views.SWAPS:
            flips(lab)
        elif shown == views.REPAIRS:
            compare_repairs(view, lab)
        elif shown == views.CHANGES:
            suite(lab)
        else:
            triangles(lab)
        signature(lab.findings.signature)
