"""Consistency: where does a pair model contradict itself, and what mends it?"""

import streamlit as st

from components.consistency.flips import flips
from components.consistency.mending import mending
from components.consistency.overview import overview
from components.consistency.shown import CHANGES, REPAIRS, SWAPS, TRIANGLES, VIEW, VIEWS
from components.consistency.subject import open_lab
from components.consistency.suite import suite
from components.consistency.triangles import breakers, triangles
from components.page import page, signature
from components.timeline.workspace import open_view

with page(__file__, "Consistency", "Where does a pair model contradict itself, and what mends it?"):
    view = open_view()
    lab = open_lab(view)
    overview(lab)
    st.session_state.setdefault(VIEW, TRIANGLES)
    shown = st.segmented_control(
        "Show",
        VIEWS,
        required=True,
        key=VIEW,
        label_visibility="collapsed",
        persist_state="session",
    )
    if shown == SWAPS:
        flips(lab)
    elif shown == REPAIRS:
        mending(view, lab)
    elif shown == CHANGES:
        suite(lab)
    else:
        triangles(view, lab)
        breakers(lab)
    signature(lab.findings.signature)
