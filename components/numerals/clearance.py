"""What the lights mean, and how often a green one is wrong."""

from __future__ import annotations

import streamlit as st

from components.markdown import plain
from components.numerals.looks import light_icon
from components.tables import show_table
from core.numerals.checks.check_report import LIGHTS_MEAN
from core.results.table import percent, spanned
from research.benchmark.numerals.sets import GREEN_OF_WRITERS, FalseClearance, false_clearance


def what_lights_mean() -> None:
    """Draws the three lights, each with its meaning."""
    st.markdown(
        "  \n".join(
            f"{light_icon(light)} **{light.value.capitalize()}**: {plain(meaning)}"
            for light, meaning in LIGHTS_MEAN.items()
        )
    )


def clearance() -> None:
    """Says what a green tick is worth: how many headlines got one that were made wrong on purpose."""
    found = false_clearance()
    if found is None:
        st.caption("How often a green tick is wrong has not been measured here: read the line next to it.")
        return
    false, green = GREEN_OF_WRITERS
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            f"A green tick can be wrong: of {found.count:,} headlines made wrong by rules "
            f"{100 * found.share:.1f} % still got one, and of {green} ticks on headlines that a language "
            f"model wrote as editors would {false} were wrong (docs/numerals.md)."
        )
        with st.popover("Measured how?", type="tertiary", key="numerals-clearance"):
            _table(found)


def _table(found: FalseClearance) -> None:
    st.markdown(
        "Right headlines of NumHG's test articles were made wrong on purpose, in one way at a time, and "
        "judged without the arithmetic that supports percentages, shares and differences. "
        "“Holder” is another name in the place of the right one. "
        f"In per cent, with 95 % intervals; measured on {plain(found.date)}."
    )
    show_table(
        {
            "Made wrong": [kind for kind, _ in found.kinds],
            "Headlines": [f"{figure.count:,}" for _, figure in found.kinds],
            "Still got a green tick": [spanned(figure, percent()) for _, figure in found.kinds],
        },
        alt="Share of wrong headlines that got a green tick, by the way in which they were made wrong",
    )
