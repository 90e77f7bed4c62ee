"""What the lights mean, and what green and red were worth on written headlines."""

from __future__ import annotations

import streamlit as st

from components.markdown import plain
from components.numerals.looks import light_icon
from core.numerals.checks.check_report import LIGHTS_MEAN
from research.benchmark.claims import LightWorth, light_worth


def what_lights_mean() -> None:
    """Draws the four lights, each with its meaning."""
    st.markdown(
        "  \n".join(
            f"{light_icon(light)} **{light.value.capitalize()}**: {plain(meaning)}"
            for light, meaning in LIGHTS_MEAN.items()
        )
    )


def clearance() -> None:
    """Says what green and red are worth: of ten of each, how many were true or false."""
    found = light_worth()
    if found is None:
        st.caption("What a light is worth has not been measured here: read the line next to it.")
        return
    st.caption(
        f"{worth(found)} On {found.headlines:,} headlines that a language model wrote as editors and "
        "reporters would, half of them false (docs/numeral_benchmark.md)."
    )


def worth(found: LightWorth) -> str:
    """Of ten green ones so many true, of ten red ones so many false."""
    parts = [
        f"of ten {light}, {10 * right / count:.0f} were {truth} ({right} of {count})"
        for light, right, count, truth in (
            ("green", found.green_true, found.green, "true"),
            ("red", found.red_false, found.red, "false"),
        )
        if count
    ]
    told = "; ".join(parts) or "no headline was green or red"
    return f"{told[0].upper()}{told[1:]}."
