"""Hedges and bounds: what "nearly", "more than" or "up to" lets a number be, and whether two agree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import Final

from core.text.numerals.numeral import Approximation, Numeral

_NEARLY: Final = re.compile(
    r"\b(?:nearly|almost|close to|approaching|just under|just shy of|shy of|quasi|fast|beinahe|knapp|"
    r"près de|presque|почти)\s*(?:an?\s*)?\W?$",
    re.IGNORECASE,
)
_OVER: Final = re.compile(r"\b(?:just over|well over|topp?(?:s|ed)|tops|past)\s*\W?$", re.IGNORECASE)
_OVER_WHAT: Final = re.compile(r"\bover\s*\W?$", re.IGNORECASE)
ABOUT: Final = Fraction(1, 10)
"""How far "about" and "nearly" reach, as a share of the number."""
FAR: Final = Fraction(3, 5)
"""A number of less than this share of the article's is no rounding of it behind "more than"."""


class BoundAgreement(IntEnum):
    """Whether the article's number lets the headline's statement be true."""

    CONTRADICTS = -1
    UNKNOWN = 0
    HOLDS = 1


@dataclass(frozen=True, slots=True)
class Stretch:
    """What a hedged number may be.

    Attributes:
        low: Least value; None for no least one.
        high: Greatest value; None for no greatest one.
        without_low: Whether `low` itself is excluded.
        without_high: Whether `high` itself is excluded.
    """

    low: Fraction | None
    high: Fraction | None
    without_low: bool = False
    without_high: bool = False

    def holds(self, other: Stretch) -> bool:
        """Whether everything that another stretch allows lies in this one."""
        if self.low is not None:
            if other.low is None or other.low < self.low:
                return False
            if other.low == self.low and self.without_low and not other.without_low:
                return False
        if self.high is not None:
            if other.high is None or other.high > self.high:
                return False
            if other.high == self.high and self.without_high and not other.without_high:
                return False
        return True


def is_nearly(numeral: Numeral, text: str) -> bool:
    """Whether a number is said to be a little too high: "nearly 20,000"."""
    return _NEARLY.search(text[max(0, numeral.start - 24) : numeral.start]) is not None


def stretch_of(numeral: Numeral, text: str, *, value: Fraction | None = None) -> Stretch:
    """What a numeral lets the number be."""
    at = numeral.value if value is None else value
    said = numeral.approximation
    if said is Approximation.MORE_THAN or _OVER.search(text[max(0, numeral.start - 24) : numeral.start]):
        return Stretch(at, None, without_low=True)
    if said is Approximation.AT_LEAST:
        return Stretch(at, None)
    if is_nearly(numeral, text):
        return Stretch(at * (1 - ABOUT), at, without_high=True)
    if said is Approximation.LESS_THAN:
        return Stretch(None, at, without_high=True)
    if said is Approximation.AT_MOST:
        return Stretch(None, at)
    if said is Approximation.ABOUT:
        return Stretch(at * (1 - ABOUT), at * (1 + ABOUT))
    return Stretch(at, at)


def agreement(numeral: Numeral, headline: str, other: Numeral, article: str) -> BoundAgreement:
    """Whether the article's number makes the headline's statement with its hedge true.

    An exact number need not repeat the article's hedge; whether it is another number is not asked here.
    """
    said, given = stretch_of(numeral, headline), stretch_of(other, article)
    if Approximation.VAGUE in {numeral.approximation, other.approximation}:
        return BoundAgreement.UNKNOWN
    if said.low is not None and said.low == said.high:
        near = abs(other.value - numeral.value) * 2 <= step_of(numeral)
        return BoundAgreement.HOLDS if near else BoundAgreement.UNKNOWN
    if said.low is not None and said.high is not None:
        given = _narrowed(given)
    same = numeral.value == other.value
    if same and _OVER_WHAT.search(headline[: numeral.start]):  # "sued over $2M"
        return BoundAgreement.UNKNOWN
    turned = (said.low is None and given.high is None) or (said.high is None and given.low is None)
    if said.holds(given) or (same and given.low != given.high and not turned):
        return BoundAgreement.HOLDS
    return BoundAgreement.CONTRADICTS


def _narrowed(given: Stretch) -> Stretch:
    if given.low is not None and given.high is None:
        return Stretch(given.low, given.low * (1 + ABOUT / 10), given.without_low)
    if given.high is not None and given.low is None:
        return Stretch(given.high * (1 - ABOUT / 10), given.high, without_high=given.without_high)
    if given.low is not None and given.high is not None and given.low != given.high:
        middle = given.high if given.without_high else (given.low + given.high) / 2
        return Stretch(middle * (1 - ABOUT / 10), middle, without_high=given.without_high)
    return given


def step_of(numeral: Numeral) -> Fraction:
    """What the last digit that is no trailing zero stands for: 10 of "1,230"."""
    digits = numeral.amount * 10**numeral.decimals
    step = Fraction(1, 10**numeral.decimals)
    while digits and digits % 10 == 0:
        digits /= 10
        step *= 10
    return step * numeral.factor


def is_rounded_from(numeral: Numeral, headline: str, other: Numeral, article: str) -> bool:
    """Whether a hedged number is a true rounding of the article's: "nearly 20,000" for 19,847.

    The hedge has to be true and the numbers near each other; see `ABOUT` and `FAR`.
    """
    if numeral.approximation in {Approximation.EXACT, Approximation.VAGUE} and not is_nearly(
        numeral, headline
    ):
        return False
    if not numeral.value or not other.value:
        return False
    near = min(numeral.value, other.value) / max(numeral.value, other.value) >= FAR
    return near and agreement(numeral, headline, other, article) is BoundAgreement.HOLDS
