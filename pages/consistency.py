"""Consistency: where does a pair model contradict itself, and what fixes it?"""

from components.consistency import state
from components.consistency.overview import flips, overview
from components.consistency.repairs import compare_repairs
from components.consistency.subject import open_lab
from components.consistency.suite import suite
from components.consistency.triangles import breakers, triangles
from components.page import page, signature
from components.page_state import show
from components.timeline.workspace import open_view

with page(__file__, "Consistency", "Where does a pair model contradict itself, and what fixes it?"):
    view = open_view(state.part())
    lab = open_lab(view)
    overview(lab)
    shown = show(state.SHOWN, state.now().shown, lambda word: state.put(shown=word), key="lab-shown")
    if shown == state.SWAPS:
        flips(lab)
    elif shown == state.REPAIRS:
        compare_repairs(view, lab)
    elif shown == state.CHANGES:
        suite(lab)
    else:
        triangles(view, lab)
        breakers(lab)
    signature(lab.findings.signature)
