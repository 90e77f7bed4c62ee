"""How the four verdicts look and what they are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.numerals.provenance import Status


@dataclass(frozen=True, slots=True)
class Look:
    """A verdict for the eye.

    Attributes:
        icon: Streamlit's icon of it.
        told: What it says, to follow the word.
    """

    icon: str
    told: str


LOOKS: Final = {
    Status.COPIED: Look(":material/check_circle:", "stands in the article as it is"),
    Status.DERIVED: Look(":material/function:", "made from the article's numbers by an operation"),
    Status.CONTRADICTED: Look(":material/cancel:", "the article gives another number for the same thing"),
    Status.UNSUPPORTED: Look(":material/help:", "nothing in the article speaks for it"),
}
