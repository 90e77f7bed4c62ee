"""The verdict on what a headline claims with a number, as a journalist reads it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Light(StrEnum):
    """What the article says to a number of a headline: green, no colour, amber, red.

    `SUPPORTED`: one sentence has the number and what it counts, or it follows by the arithmetic shown.
    `FOUND`: the value is in the article or follows from it, and nothing speaks against it. `CHECK`: there is
    a reason to look. `WRONG`: the article says otherwise, or gives no such number by any arithmetic.
    """

    SUPPORTED = "supported"
    FOUND = "found"
    CHECK = "check this"
    WRONG = "wrong"


PASSING: Final = frozenset({Light.SUPPORTED, Light.FOUND})
"""Lights of numbers that nothing speaks against."""


class Fault(StrEnum):
    """Which part of a claim disagrees with the article, or could not be decided."""

    VALUE = "wrong value"
    OTHER = "right number of something else"
    UNIT = "unit or currency differs"
    BOUND = "direction or bound reversed"
    ABSENT = "not in the article"
    HUMAN = "needs a human"


Objection = tuple[Fault, str]
"""What disagrees, and one sentence on it with what both texts say."""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What is said of one number of a headline."""

    light: Light
    fault: Fault | None  # what disagrees; None exactly where nothing does (`PASSING`)
    probability: float  # that the article supports the claim, 0–1, calibrated on written headlines
    reason: str  # one sentence for a journalist: "Of “27” the article says “injuring”, not “kills”."
    sentence: tuple[int, int] | None  # start and end in `ReadArticle.text` of what decides; None for none
    rule: str = ""  # what raised amber or red, by its name in `core.numerals.claims.rules`; "" for nothing
    set_aside: Light | None = None  # the light that a person set aside, who found the number right


def worst_of(lights: Iterable[Light]) -> Light:
    """The worst of some lights; `SUPPORTED` of none."""
    order = tuple(Light)
    return max(lights, key=order.index, default=Light.SUPPORTED)
