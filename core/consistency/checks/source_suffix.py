"""The name of a publisher behind the headline."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from core.consistency.checks.check import Kind, Material, Told, checks

SUFFIXES = (
    " - CNN",
    " | Reuters",
    " – BBC News",
    " - The New York Times",
    " | The Guardian",
    " - Fox News",
    " (AP)",
    " - Yahoo News",
)
"""As news sites and aggregators add them to the titles of pages."""

_WRITTEN = re.compile(r"(?:" + "|".join(re.escape(suffix) for suffix in SUFFIXES) + r")$")


@checks.register("source_suffix.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class SourceSuffix:
    """Adds the name of a publisher at the end, or takes it away."""

    summary: ClassVar[str] = "A publisher's name at the end (“ - CNN”)"
    kind: ClassVar[Kind] = Kind.INVARIANT

    def change(self, told: Told, material: Material, random: np.random.Generator) -> Told | None:
        """Without the suffix where there is one, else with one that is drawn."""
        bare = _WRITTEN.sub("", told.text)
        if bare != told.text:
            return replace(told, text=bare) if bare.strip() else None
        return replace(told, text=told.text + SUFFIXES[int(random.integers(len(SUFFIXES)))])
