"""Where the slider starts."""

from __future__ import annotations

from dataclasses import dataclass

from core.groups.grouper import Hierarchy
from core.similarities import Similarities


@dataclass(frozen=True, slots=True)
class GranularityChoice:
    """A granularity and how it was chosen.

    Attributes:
        granularity: 0 to 1.
    """

    granularity: float


def choose_granularity(hierarchy: Hierarchy, similarities: Similarities) -> GranularityChoice:
    """The same fixed start for every timeline, until the choice from the timeline itself lands."""
    del hierarchy, similarities
    return GranularityChoice(0.55)
