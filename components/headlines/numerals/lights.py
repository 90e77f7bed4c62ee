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


def clearance(light: Light | None = None, reason: str = "") -> None:
    """How often the lights are right, or the one that is shown, or what is said of its reason."""
    found = light_worth()
    rates = worth(found)
    said = "How often a verdict is right was not measured here. Read the line next to it."
    counted = {light: f" ({count})" for light, (_, count) in rates.items()}
    help = [
        f"**{each}**: {meaning}{counted.get(each, '')}" for each, meaning in verdict_words.LIGHTS_MEAN.items()
    ]
    if found is not None:
        written = f"{found.headlines:,} headlines that a language model wrote"
        said = f"Measured on {written}, half of them false."
        if light in rates or reason:
            help.insert(0, said)
            said = (
                reason
                or f"{light.capitalize()}: right in {rates[light][0].rpartition(' ')[0]} such headlines."
            )
        elif light is None:
            all_of_them = (f"{light_icon(each)} {each}: {rate}" for each, (rate, _) in rates.items())
            said = f"{' · '.join(all_of_them)}  \n{said}"
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
