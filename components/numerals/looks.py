"""Colour, icon and words of the lights, the same wherever a number or a headline gets one."""

from __future__ import annotations

from typing import Final

from components.charts.theme import ink, meaning
from core.numerals.checks.check_report import LIGHT_HUES
from core.numerals.claims.verdict import Light

LIGHT_ICONS: Final = {
    Light.SUPPORTED: ":material/check_circle:",
    Light.CHECK: ":material/help:",
    Light.WRONG: ":material/cancel:",
}
LIGHT_COLOURS: Final = {Light.SUPPORTED: "green", Light.CHECK: "yellow", Light.WRONG: "red"}
"""Streamlit's names of the colours in sentences."""
KINDS: Final = {Light.SUPPORTED: "supported", Light.CHECK: "check", Light.WRONG: "wrong", None: "none"}
"""Names of the lights in style sheets."""


def light_colour(light: Light | None) -> str:
    """The colour of a light in the reader's theme, as `#rrggbb`; grey where there is nothing to check."""
    return ink().muted if light is None else meaning(LIGHT_HUES[light])


def light_icon(light: Light) -> str:
    """The icon of a light in its colour, as markdown."""
    return f":{LIGHT_COLOURS[light]}[{LIGHT_ICONS[light]}]"
