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


def clearance(*, legend: bool = True) -> None:
    measured = light_worth()
    rates = worth(measured)
    said = "How often a verdict is right was not measured here. Read the line next to it."
    if measured is not None:
        each = (f"{light_icon(light)} {light}: {rate}" for light, (rate, _) in rates.items())
        said = f"{' · '.join(each)}  \n" * (legend and bool(rates))
        written = f"{measured.headlines:,} headlines that a language model wrote"
        said += f"Measured on {written}, half of them false."
    counted = {light: f" ({count})" for light, (_, count) in rates.items()}
    meanings = verdict_words.LIGHTS_MEAN.items()
    help = (f"**{light}**: {meaning}{counted.get(light, '')}" for light, meaning in meanings)
    st.caption(said, help="  \n".join(help))


def worth(found: LightWorth | None) -> dict[Light, tuple[str, str]]:
    """How often each light was right where it was measured: of ten headlines, and as counted."""
    if found is None:
        return {}
    counts = {
        Light.SUPPORTED: (found.green_true, found.green, "true"),
        Light.FOUND: (found.found_true, found.found, "true"),
        Light.WRONG: (found.red_false, found.red, "false"),
    }
    return {
        light: (f"{10 * right / count:.0f} of 10 {truth}", f"{right:,} of {count:,} {truth}")
        for light, (right, count, truth) in counts.items()
        if count
    }
