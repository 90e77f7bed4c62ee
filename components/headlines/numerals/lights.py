"""Lights of verdicts in the reader's theme, and how often each is right."""

from typing import Final

import streamlit as st

from components.frame.charts.theme import ink, meaning_colour
from core.numerals.checked_headline import Light
from core.numerals.checks import verdict_words
from core.numerals.worth import LightWorth, light_worth

_NAMES = {Light.SUPPORTED: "green", Light.FOUND: "gray", Light.CHECK: "yellow", Light.WRONG: "red"}
KINDS: Final = {light: light.value.split()[0] for light in Light} | {None: "none"}
"""Names of the lights in style sheets."""


def light_colour(light: Light | None) -> str:
    """The colour of a light in the reader's theme, as `#rrggbb`; grey where nothing is to be looked at."""
    hue = verdict_words.LIGHT_HUES.get(light)
    return ink().muted if hue is None else meaning_colour(hue)


def light_icon(light: Light) -> str:
    return f":{_NAMES[light]}-badge[**{verdict_words.LIGHT_SIGNS[light]}**]"


def clearance() -> None:
    said = "How often a verdict is right was not measured here. Read the line next to it."
    if (measured := light_worth()) is not None:
        written = f"{measured.headlines:,} headlines that a language model wrote"
        said = f"{worth(measured)} On {written}, half of them false."
    meanings = (f"**{light}**: {meaning}" for light, meaning in verdict_words.LIGHTS_MEAN.items())
    st.caption(said, help="  \n".join(meanings))


def worth(found: LightWorth) -> str:
    green = "green", found.green_true, found.green, "true"
    red = "red", found.red_false, found.red, "false"
    only = "only found", found.found_true, found.found, "true"
    parts = [
        f"of ten {light}, {10 * right / count:.0f} were {truth} ({right} of {count})"
        for light, right, count, truth in (green, red, only)
        if count
    ]
    shares = "; ".join(parts) or "no headline was green or red"
    return f"{shares[0].upper()}{shares[1:]}."
