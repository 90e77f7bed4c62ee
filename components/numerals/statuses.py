"""How the four verdicts look and what they are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core.numerals.provenance import Status


@dataclass(frozen=True, slots=True)
class Look:
    """A verdict for the eye.

    Attributes:
        sign: One character that stands beside the colour.
        icon: The same as Streamlit's icon.
        told: What it says, to follow the word.
    """

    sign: str
    icon: str
    told: str


LOOKS: Final = {
    Status.COPIED: Look("=", ":material/check_circle:", "stands in the article as it is"),
    Status.DERIVED: Look("ƒ", ":material/function:", "made from the article's numbers by an operation"),
    Status.CONTRADICTED: Look(
        "≠", ":material/cancel:", "the article gives another number for the same thing"
    ),
    Status.UNSUPPORTED: Look("?", ":material/help:", "nothing in the article speaks for it"),
}


def letter(place: int) -> str:
    """The badge that ties a numeral of the headline to those of the article: a, b, … z, then aa, ab, …."""
    before, last = divmod(place, 26)
    return (letter(before - 1) if before else "") + chr(ord("a") + last)


def counted(statuses: list[Status]) -> str:
    """How many numerals have which verdict: "2 numbers: 1 copied, 1 contradicted"."""
    if not statuses:
        return "No number"
    parts = [f"{statuses.count(one)} {one.value}" for one in Status if one in statuses]
    return f"{len(statuses)} number{'s' * (len(statuses) != 1)}: {', '.join(parts)}"
