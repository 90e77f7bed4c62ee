"""Colour, icon and words of the lights, the same wherever a number or a headline gets one."""

from __future__ import annotations

from typing import Final

from components.charts.theme import ink, meaning
from core.numerals.checks.check_report import LIGHT_HUES
from core.numerals.claims.verdict import Light

LIGHT_ICONS: Final = {
    Light.SUPPORTED: ":material/check_circle:",
    Light.FOUND: ":material/search_check:",
    Light.CHECK: ":material/help:",
    Light.WRONG: ":material/cancel:",
}
LIGHT_COLOURS: Final = {
    Light.SUPPORTED: "green",
    Light.FOUND: "gray",
    Light.CHECK: "yellow",
    Light.WRONG: "red",
}
"""Streamlit's names of the colours in sentences."""
KINDS: Final = {light: light.value.split()[0] for light in Light} | {None: "none"}
"""Names of the lights in style sheets."""


def light_colour(light: Light | None) -> str:
    """The colour of a light in the reader's theme, as `#rrggbb`; grey where nothing is to be looked at."""
    return meaning(LIGHT_HUES[light]) if light in LIGHT_HUES else ink().muted


def light_icon(light: Light) -> str:
    """The icon of a light in its colour, as markdown."""
    return f":{LIGHT_COLOURS[light]}[{LIGHT_ICONS[light]}]"
