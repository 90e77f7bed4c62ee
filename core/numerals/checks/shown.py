"""How verdicts and probabilities are written and painted for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.numerals.provenance import Status
from core.numerals.training import linking
from core.palette import ADDED, AGAINST, AGREES, UNSURE

HUES: Final = {
    Status.COPIED: AGREES,
    Status.DERIVED: ADDED,
    Status.CONTRADICTED: AGAINST,
    Status.UNSUPPORTED: UNSURE,
}
"""Place of each verdict's colour in the palette, here and on the page."""
SIGNS: Final = {
    Status.COPIED: "=",
    Status.DERIVED: "ƒ",
    Status.CONTRADICTED: linking.AGAINST,
    Status.UNSUPPORTED: "?",
}
"""What stands beside the colour, so that no verdict is told by colour alone."""


def said(statuses: Sequence[Status]) -> str:
    """How many numerals have which verdict: "2 numbers: 1 copied, 1 contradicted"."""
    if not statuses:
        return "No number"
    parts = [f"{statuses.count(one)} {one.value}" for one in Status if one in statuses]
    return f"{len(statuses)} number{'s' * (len(statuses) != 1)}: {', '.join(parts)}"


def percent(share: float) -> str:
    """A probability as people read it; what is nearly sure is not called sure."""
    if 0 < share < 0.01:
        return "under 1 %"
    if 0.99 < share < 1:
        return "over 99 %"
    return f"{100 * share:.0f} %"
