"""The map of the headlines that divide people: how much, and on whose side the model is."""

from __future__ import annotations

from typing import Final

import altair as alt
import numpy as np
import numpy.typing as npt
import pandas as pd
import streamlit as st

from components.agreement import state
from components.charts.theme import meaning, readable
from components.tables import choose_row
from core.data.timelines.timeline import Timeline
from core.palette import AGREES

FloatArray = npt.NDArray[np.float64]

_TABLE: Final = "agreement-divided"
_DIFFER: Final = "Differ %"
_SIDE: Final = "With model %"


def divided_map(timeline: Timeline, divided: FloatArray, sided: FloatArray) -> None:
    """Draws the headlines on which people differ; one that is chosen in the list is adjudicated.

    Args:
        timeline: The headlines.
        divided: Share of each headline's pairs on which people differ, 0–1, NaN where nobody joined it.
        sided: Share of the answers to these pairs on the model's side, 0–1; NaN where people do not differ.
    """
    rows = [row for row in np.argsort(-np.nan_to_num(divided), kind="stable").tolist() if divided[row] > 0]
    st.header("Headlines that divide people", anchor=False)
    if not rows:
        st.success("Nobody differs on any pair of headlines.", icon=":material/check:")
        state.put(row=None)
        return
    said = pd.DataFrame(
        {
            _DIFFER: [round(100 * divided[row]) for row in rows],
            _SIDE: [round(100 * sided[row]) for row in rows],
            "Headline": [timeline.texts[row] for row in rows],
        }
    )
    picture, listed = st.columns([2, 3], gap="large")
    with picture:
        st.altair_chart(_chart(said), key="agreement-map")
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


def _chart(said: pd.DataFrame) -> alt.Chart:
    across, up = "Pairs on which people differ, %", "Answers on the model's side, %"
    dots = said.rename(columns={_DIFFER: "differ", _SIDE: "side"})
    scale = alt.Scale(domain=[0, 100])
    return readable(
        alt.Chart(dots)
        .mark_circle(size=90, opacity=0.6)
        .encode(
            x=alt.X("differ:Q", scale=scale, title=across),
            y=alt.Y("side:Q", scale=scale, title=up),
            color=alt.value(meaning(AGREES)),
            tooltip=[
                alt.Tooltip("Headline:N"),
                alt.Tooltip("differ:Q", title=across),
                alt.Tooltip("side:Q", title=up),
            ],
        )
        .properties(height=360)
    )
