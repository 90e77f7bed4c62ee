"""Marks below the slider of how wide an event is."""

from typing import Final

import numpy as np
import streamlit as st

from components.frame.markdown import plain
from components.frame.widgets import mounted
from components.opened import resources
from components.opened.resources import cached
from components.opened.views import timeline as state
from core.events.corrections import Corrections
from core.events.grouping import Prepared, method_of
from core.events.level_changes import difference

MARKS = "level-marks"
_MARKS: Final = '<div class="marks" role="group" aria-label="Suggested levels"></div>'
_draw_marks = mounted(__file__, "marks", _MARKS)
_difference = cached(difference, max_entries=16)


def level_marks(prepared: Prepared, corrections: Corrections) -> str:
    """Draws the marks below the slider; "" where both rules give the same groups, else what changes."""
    start, shown = prepared.start, state.now().granularity
    if corrections.level(method_of(prepared)) is not None or start.granularity == start.shapeliest:
        return ""
    levels = sorted((start.granularity, start.shapeliest))
    narrow, broad = (resources.grouping(prepared, level, corrections=corrections or None) for level in levels)
    if np.array_equal(narrow.ids, broad.ids):
        return ""
    shown = start.granularity if shown is None else shown
    names = {"narrow": narrow, "broad": broad}
    labels = [f"{name}: {len(np.unique(at.ids)):,} groups" for name, at in names.items()]
    known = zip(levels, labels, strict=True)
    marks = [{"at": at, "label": label, "chosen": abs(at - shown) < 0.005} for at, label in known]

    def choose() -> None:
        level = round(float(st.session_state[MARKS].chosen), 2)
        state.put(granularity=None if level == round(start.granularity, 2) else level)

    _draw_marks(key=MARKS, data={"marks": marks}, on_chosen_change=choose)
    return f"Narrow to broad: {plain(_difference(prepared, narrow, broad))}"
