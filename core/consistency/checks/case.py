"""The same headline in capitals or in Title Case."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks


@checks.register("case.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class LetterCase:
    """Writes all of a headline in capitals, or each of its words with one, as house styles differ."""

    summary: ClassVar[str] = "All capitals, or Title Case"
    kind: ClassVar[Kind] = Kind.INVARIANT

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """One of the two, drawn; None where neither changes anything."""
        words = told.text.split(" ")
        titled = " ".join(word[:1].upper() + word[1:] for word in words)
        choices = [text for text in (told.text.upper(), titled) if text != told.text]
        return replace(told, text=choices[int(random.integers(len(choices)))]) if choices else None
