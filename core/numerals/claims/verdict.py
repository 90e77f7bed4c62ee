"""The verdict on what a headline claims with a number, as a journalist reads it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

SURE: Final = 0.95  # probability from which a claim is shown as supported


class Light(StrEnum):
    """Whether a number may be printed: green, amber, red."""

    SUPPORTED = "supported"
    CHECK = "check this"
    WRONG = "wrong"


class Fault(StrEnum):
    """Which part of a claim disagrees with the article, or could not be decided."""

    VALUE = "wrong value"
    OTHER = "right number of something else"
    UNIT = "unit or currency differs"
    BOUND = "direction or bound reversed"
    ABSENT = "not in the article"
    HUMAN = "needs a human"


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What is said of one number of a headline."""

    light: Light  # `SUPPORTED` only where `probability` is at least `SURE`
    fault: Fault | None  # what disagrees; None exactly where `light` is `SUPPORTED`
    probability: float  # that the article supports the claim, 0–1, calibrated
    reason: str  # one sentence for a journalist: "27 were injured, not killed."
    sentence: tuple[int, int] | None  # start and end in `ReadArticle.text` of what decides; None for none


def worst_of(lights: Iterable[Light]) -> Light:
    """The worst of some lights; `SUPPORTED` of none."""
    order = tuple(Light)
    return max(lights, key=order.index, default=Light.SUPPORTED)
