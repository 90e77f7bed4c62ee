"""Words that house styles write differently."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks

STYLES = (
    ("says", "said"),
    ("US", "U.S."),
    ("UK", "U.K."),
    ("UN", "U.N."),
    ("EU", "European Union"),
    ("vs", "vs."),
    ("percent", "per cent"),
    ("and", "&"),
    ("government", "govt"),
    ("president", "Pres."),
    ("prime minister", "PM"),
    ("Mr", "Mr."),
    ("St.", "Saint"),
    ("kills", "leaves dead"),
    ("to buy", "to acquire"),
    ("probe", "investigation"),
    ("blaze", "fire"),
    ("bid", "attempt"),
    ("quake", "earthquake"),
    ("hike", "increase"),
    ("slams", "criticises"),
    ("vows", "promises"),
    ("set to", "expected to"),
    ("amid", "during"),
)
"""Pairs that mean the same in a headline; from newspaper style guides' abbreviations and headline words."""

_EITHER = {one.casefold(): other for pair in STYLES for one, other in (pair, pair[::-1])}
_WRITTEN = re.compile(
    r"(?<![\w.&])(?:" + "|".join(re.escape(word) for word in sorted(_EITHER, key=len, reverse=True)) + r")"
    r"(?![\w.&])",
    re.IGNORECASE,
)
_CAPITALS = frozenset(word for pair in STYLES for word in pair if word.isupper() and word.isalpha())


@checks.register("publisher_style.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PublisherStyle:
    """Puts a word in the form of another house style: US and U.S., says and said, probe and investigation."""

    summary: ClassVar[str] = "A word of another house style (US, U.S.; probe, investigation)"
    kind: ClassVar[Kind] = Kind.INVARIANT

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """One word that has another form, drawn; None where there is none."""
        found = [match for match in _WRITTEN.finditer(told.text) if _meant(match[0])]
        if not found:
            return None
        match = found[int(random.integers(len(found)))]
        other = _EITHER[match[0].casefold()]
        if match[0][0].isupper() and other[0].islower():
            other = other[0].upper() + other[1:]
        return replace(told, text=told.text[: match.start()] + other + told.text[match.end() :])


def _meant(word: str) -> bool:
    """Whether a word is the one meant: "us" is not "US"."""
    return word.isupper() or word.upper() not in _CAPITALS
