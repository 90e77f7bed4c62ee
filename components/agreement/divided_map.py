"""The map of the headlines that divide people: how much, and on whose side the model is."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from components.agreement import state
from components.annotate.state import annotator
from components.charts.agreement import divided_chart
from components.charts.menu import show_chart
from components.page_state import controlled
from components.tables import choose_row
from core.arrays import FloatArray
from core.data.timelines.timeline import Timeline

_TABLE: Final = "agreement-divided"
_DIFFER: Final = "Differ %"
_SIDE: Final = "With model %"


def divided_map(timeline: Timeline, divided: FloatArray, sided: FloatArray) -> None:
    """Draws the headlines on which people differ; one that is chosen in the list is adjudicated.

    The map says what the model says, so it is drawn only where that may be shown.
    """
    rows = [row for row in np.argsort(-np.nan_to_num(divided), kind="stable").tolist() if divided[row] > 0]
    with st.container(horizontal=True, vertical_alignment="center", key="agreement-divided-head"):
        st.header("Headlines that divide people", anchor=False, width="content")
        st.toggle(
            "Show annotators and the model",
            **controlled(
                "agreement-open", state.shown(), lambda on: state.put(asked=annotator() if on else "")
            ),
            disabled=not annotator(),
            help="Type your name below first. Once you have seen them, your decisions are no longer blind.",
        )
    shown = state.shown()
    if not rows:
        st.success("Nobody differs on any pair of headlines.", icon=":material/check:")
        state.put(row=None)
        return
    said = pd.DataFrame(
        {
            _DIFFER: [round(100 * divided[row]) for row in rows],
            **({_SIDE: [round(100 * sided[row]) for row in rows]} if shown else {}),
            "Headline": [timeline.texts[row] for row in rows],
        }
    )
    picture, listed = st.columns([2, 3], gap="large") if shown else (st.empty(), st.container())
    if shown:
        with picture:
            show_chart(
                divided_chart(said, differ=_DIFFER, side=_SIDE),
                name="agreement-divided",
                title="Headlines that divide people, and how many answers are on the model's side",
                source=f"Source: Headline Lab, {len(said):,} headlines of {timeline.name}",
                key="agreement-map",
            )
    with listed:
        chosen = choose_row(
            said,
            key=_TABLE,
            alt="The headlines that divide people, the most divided first",
            most=420,
            columns={
                _DIFFER: (
                    90,
                    "Of the pairs with this headline that somebody put together, how many somebody "
                    "else did not, in percent.",
                ),
                _SIDE: (110, "Of the answers to these pairs, how many say what the model says, in percent."),
            },
        )
    state.put(row=None if chosen is None else rows[chosen])
