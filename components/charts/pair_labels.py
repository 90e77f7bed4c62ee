"""The colours of pairs: the same event, and different ones."""

from __future__ import annotations

from components.charts.theme import is_dark
from core.palette import group_colour

SAME, DIFFERENT = "same event", "different events"


def label_colour(same: bool) -> str:
    """Colour of pairs with a label."""
    return group_colour(0 if same else 1, dark=is_dark())
