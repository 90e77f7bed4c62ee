"""Consistency: where does a pair model contradict itself, and what fixes it?"""

import streamlit as st

from components.consistency import state
from components.consistency.repairs import breakers, compare_repairs, triangles
from components.consistency.subject import facts, flips, open_lab, sentence, suite
from components.page import page, signature
from components.page_state import show
from components.timeline.workspace import open_view

with page(__file__, "Consistency", "Where does a model contradict itself?"):
    view = open_view(state.part())
    picture, details = st.container(), st.container()
    with details:
        lab = open_lab(view)
    with picture:
        sentence(lab)
        shown = show(state.SHOWN, state.now().shown, lambda word: state.put(shown=word), key="lab-shown")
        if shown == state.SWAPS:
            flips(lab)
        elif shown == state.REPAIRS:
            compare_repairs(view, lab)
        elif shown == state.CHANGES:
            suite(lab)
        else:
            triangles(view, lab)
        facts(lab)
    if shown == state.TRIANGLES:
        breakers(lab)
    signature(lab.findings.signature)
