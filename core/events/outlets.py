"""What tells the outlets of an event apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

NAMED: Final = 8
"""Outlets that are named behind "also in"; more are counted."""


def also_in(publishers: Sequence[str | None], report: Sequence[int], *, most: int = NAMED) -> str:
    """Where else a report stands word for word: "also in: Alpha, Beta and 3 more"; "" for nowhere.

    Args:
        publishers: Outlet of each headline of the timeline, None where it is not known.
        report: Rows of the original and its copies, the original first.
        most: How many outlets are named.
    """
    original, *copies = report
    if not copies:
        return ""
    others = dict.fromkeys(
        name for row in copies if (name := publishers[row]) and name != publishers[original]
    )
    if not others:
        return "repeated once" if len(copies) == 1 else f"repeated {len(copies)} times"
    named, more = list(others)[:most], len(others) - most
    return f"also in: {', '.join(named)}" + (f" and {more} more" if more > 0 else "")
