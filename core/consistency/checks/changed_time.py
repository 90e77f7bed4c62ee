"""Another day, month or year in the words of the headline."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks
from core.text.tokens import word_list

DAYS = word_list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")
MONTHS = tuple(word_list("January February March April June July August September October November December"))
"""Without May, which is a verb as often."""

_WRITTEN = re.compile(r"\b(?:" + "|".join((*DAYS, *MONTHS)) + r"|(?:19|20)\d\d)\b")


@checks.register("changed_time.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChangedTime:
    """Names another weekday, month or year; English."""

    summary: ClassVar[str] = "Another weekday, month or year in the headline"
    kind: ClassVar[Kind] = Kind.DIRECTIONAL

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """The first time that is named, exchanged; None where none is."""
        match = _WRITTEN.search(told.text)
        if match is None:
            return None
        word = match[0]
        if word.isdigit():
            other = str(int(word) + int(random.choice([-2, -1, 1, 2])))
        else:
            kind = DAYS if word in DAYS else MONTHS
            others = [name for name in kind if name != word]
            other = others[int(random.integers(len(others)))]
        return replace(told, text=told.text[: match.start()] + other + told.text[match.end() :])
