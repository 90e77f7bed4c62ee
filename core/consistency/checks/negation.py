"""The opposite said."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks

OPPOSITES = (
    ("wins", "loses"),
    ("win", "lose"),
    ("won", "lost"),
    ("rise", "fall"),
    ("rises", "falls"),
    ("rose", "fell"),
    ("up", "down"),
    ("gains", "losses"),
    ("approves", "rejects"),
    ("approved", "rejected"),
    ("accepts", "refuses"),
    ("agrees", "refuses"),
    ("confirms", "denies"),
    ("confirmed", "denied"),
    ("guilty", "not guilty"),
    ("passes", "fails"),
    ("starts", "stops"),
    ("begins", "ends"),
    ("opens", "closes"),
    ("arrives", "departs"),
    ("survives", "dies"),
    ("alive", "dead"),
    ("success", "failure"),
    ("successful", "failed"),
    ("increase", "decrease"),
    ("increases", "decreases"),
    ("higher", "lower"),
    ("supports", "opposes"),
    ("joins", "leaves"),
    ("arrested", "released"),
)
"""Words of headlines whose exchange turns the news around; either may stand for the other."""

_SWAPS = {one: other for pair in OPPOSITES for one, other in (pair, pair[::-1])}
_WORD = re.compile(
    r"(?<![\w-])(?:" + "|".join(re.escape(word) for word in sorted(_SWAPS, key=len, reverse=True)) + r")\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"\b(?:will|would|can|could|should|must|may|is|are|was|were|has|have|had|did|does|do)\b(?! not\b|n['’]t)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(will|would|could|should|must|is|are|was|were|has|have|had|did|does|do) not\b", re.I
)


@checks.register("negation.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Negation:
    """Denies what the headline says: "not" put in or taken out, or a word made its opposite; English."""

    summary: ClassVar[str] = "“not” put in or taken out, or a word turned into its opposite"
    kind: ClassVar[Kind] = Kind.DIRECTIONAL

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """The first that applies: "not" out, "not" in, an opposite; None where none does."""
        text = told.text
        for pattern, other in ((_NEGATED, _without), (_AUXILIARY, _with), (_WORD, _opposite)):
            match = pattern.search(text)
            if match is not None:
                return replace(told, text=text[: match.start()] + other(match) + text[match.end() :])
        return None


def _without(match: re.Match[str]) -> str:
    return match[1]


def _with(match: re.Match[str]) -> str:
    negation = "Not" if match[0][0].isupper() and not match[0].isupper() else "not"
    return f"{match[0]} {negation}"


def _opposite(match: re.Match[str]) -> str:
    other = _SWAPS[match[0].casefold()]
    return other[0].upper() + other[1:] if match[0][0].isupper() else other
