"""Pairs whose answer depends on which headline comes first."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components.consistency.subject import Lab
from components.tables import show_table


def flips(lab: Lab) -> None:
    """The worst flips, both scores side by side."""
    worst = lab.findings.commutative.worst
    if not len(worst):
        st.success(
            "No answer changes when two headlines are swapped. A scorer that reads both orders as one "
            "(symmetric) never flips."
        )
        return
    texts = lab.timeline.texts
    table = pd.DataFrame(
        {
            "First headline": [texts[row] for row in worst.left.tolist()],
            "Second headline": [texts[row] for row in worst.right.tolist()],
            "As shown": worst.forward,
            "Swapped": worst.backward,
            "Change": abs(worst.forward - worst.backward),
        }
    )
    st.markdown(
        f"The **{len(worst)}** largest of {lab.findings.commutative.flips:,} flips; two headlines are linked "
        f"from **{lab.scored.scores.threshold:.2f}** on."
    )
    number = st.column_config.NumberColumn(format="%.2f", width=80)
    show_table(
        table,
        alt="Pairs whose decision changes when the two headlines are swapped",
        columns={
            "First headline": st.column_config.TextColumn(width="large"),
            "Second headline": st.column_config.TextColumn(width="large"),
            "As shown": number,
            "Swapped": number,
            "Change": number,
        },
    )
