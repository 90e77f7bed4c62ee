"""How well the groups agree with the gold groups, where a timeline has them."""

from __future__ import annotations

import streamlit as st

from components import large_text
from components.timeline.workspace import View
from core.events.summary import LABELS


def quality_strip(view: View) -> None:
    """Agreement with the gold groups; nothing where there are none, or before a class."""
    quality = view.grouping.quality
    if quality is None or large_text.on():
        return
    box = st.expander("Match with human groups", expanded=True, icon=":material/rule:")
    with box.container(horizontal=True, key="quality"):
        for name, (label, help_text) in LABELS.items():
            score = quality[name]
            shown = "–" if score.value is None else f"{score.value:.3f}"
            st.metric(label[0].upper() + label[1:], shown, help=score.reason or help_text, width="content")
