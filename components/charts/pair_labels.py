"""The colours of pairs: the same event, and different ones."""

from __future__ import annotations

from components.charts.theme import meaning
from core.palette import AGREES, APART

SAME, DIFFERENT = "same event", "different events"


def label_colour(same: bool) -> str:
    """Colour of pairs with a label."""
    return meaning(AGREES if same else APART)
