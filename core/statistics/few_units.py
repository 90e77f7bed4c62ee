"""When what is resampled is too little for an interval, and how every table says so."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

FEWEST: Final = 2
"""Units below which there is no interval: nothing varies between resamples of one unit."""
ENOUGH: Final = 10
"""Units below which an interval carries a warning: percentile intervals over so few are far too narrow."""
MARK: Final = "†"
"""What stands behind an interval that carries a warning."""


def few_units(count: int, units: str) -> str:
    """What is wrong with an interval over some units, a sentence; "" where there are enough.

    Args:
        count: How many units are resampled.
        units: What they are, in the plural.
    """
    if count < FEWEST:
        return f"Too few {units} for an interval ({count}; it takes at least {FEWEST})."
    if count < ENOUGH:
        return f"Too few {units} for a reliable interval ({count}; it takes at least {ENOUGH})."
    return ""


def marked(shown: str, warning: str) -> str:
    """An interval as it is shown, with the mark where it carries a warning."""
    return f"{shown} {MARK}" if warning else shown


def latex_marked(shown: str, warning: str) -> str:
    """The same for LaTeX."""
    return rf"{shown}$^\dagger$" if warning else shown


def footnotes(warnings: Iterable[str]) -> list[str]:
    """The different warnings of a table, one line each, the mark before them."""
    return [f"{MARK} {one}" for one in dict.fromkeys(warnings) if one]
