"""What hedges let a number be, and whether the article's number makes the headline's true."""

from __future__ import annotations

import math
import re
from enum import IntEnum
from fractions import Fraction
from typing import Final, NamedTuple

from core.numerals.claims.words import sign
from core.text.numerals.numeral import Approximation, Numeral

_OVER: Final = re.compile(r"\b(?:just over|well over|topp?(?:s|ed)|tops|past)\s*\W?$", re.IGNORECASE)
_OVER_WHAT: Final = re.compile(r"\bover\s*\W?$", re.IGNORECASE)
ABOUT: Final = Fraction(1, 10)  # how far "about" and "nearly" reach, as a share of the number
FAR: Final = Fraction(3, 5)  # a number of less than this share of another is no rounding of it: "more than"
_NEARLY: Final = sign("nearly")


class BoundAgreement(IntEnum):
    CONTRADICTS = -1
    UNKNOWN = 0
    HOLDS = 1


class Stretch(NamedTuple):
    low: Fraction | float  # least value; -∞ for no least one
    high: Fraction | float  # greatest value; ∞ for no greatest one
    without_low: bool = False  # whether `low` itself is excluded
    without_high: bool = False  # whether `high` itself is excluded

    def holds(self, other: Stretch) -> bool:
        """Whether everything that another stretch allows lies in this one."""
        high, other_high = (self.high, not self.without_high), (other.high, not other.without_high)
        return (self.low, self.without_low) <= (other.low, other.without_low) and other_high <= high


def is_nearly(numeral: Numeral, text: str) -> bool:
    """Whether a number is said to be a little too high: "nearly 20,000"."""
    return _NEARLY.search(text[max(0, numeral.start - 24) : numeral.start]) is not None


def is_hedged(numeral: Numeral, text: str) -> bool:
    return numeral.approximation is not Approximation.EXACT or is_nearly(numeral, text)


def stretch_of(numeral: Numeral, text: str) -> Stretch:
    at, said = numeral.value, numeral.approximation
    if said is Approximation.MORE_THAN or _OVER.search(text[max(0, numeral.start - 24) : numeral.start]):
        return Stretch(at, math.inf, without_low=True)
    if said is Approximation.AT_LEAST:
        return Stretch(at, math.inf)
    if is_nearly(numeral, text):
        return Stretch(at * (1 - ABOUT), at, without_high=True)
    if said in {Approximation.LESS_THAN, Approximation.AT_MOST}:
        return Stretch(-math.inf, at, without_high=said is Approximation.LESS_THAN)
    about = ABOUT if said is Approximation.ABOUT else 0
    return Stretch(at * (1 - about), at * (1 + about))


def agreement(numeral: Numeral, headline: str, other: Numeral, article: str) -> BoundAgreement:
    """Whether the article's number makes the headline's statement with its hedge true."""
    said, given = stretch_of(numeral, headline), stretch_of(other, article)
    if Approximation.VAGUE in {numeral.approximation, other.approximation}:
        return BoundAgreement.UNKNOWN
    if said.low == said.high:
        near = abs(other.value - numeral.value) * 2 <= step_of(numeral)
        return BoundAgreement.HOLDS if near else BoundAgreement.UNKNOWN
    if said.low != -math.inf and said.high != math.inf:
        given = _narrowed(given)
    same = numeral.value == other.value
    if same and _OVER_WHAT.search(headline[: numeral.start]):  # "sued over $2M"
        return BoundAgreement.UNKNOWN
    falls, rises = said.low == -math.inf, said.high == math.inf
    turned = (falls and given.high == math.inf) or (rises and given.low == -math.inf)
    if said.holds(given) or (same and given.low != given.high and not turned):
        return BoundAgreement.HOLDS
    return BoundAgreement.CONTRADICTS


def _narrowed(given: Stretch) -> Stretch:
    if given.high == math.inf:
        return Stretch(given.low, given.low * (1 + ABOUT / 10), given.without_low)
    if given.low == given.high:
        return given
    one_sided = given.low == -math.inf or given.without_high
    high = given.high if one_sided else (given.low + given.high) / 2
    return Stretch(high * (1 - ABOUT / 10), high, without_high=given.without_high)


def step_of(numeral: Numeral) -> Fraction:
    """What the last digit that is no trailing zero stands for: 10 of "1,230"."""
    digits = numeral.amount * 10**numeral.decimals
    # Of "half a million" a tenth of a million is meant.
    step = Fraction(1, 10 ** max(numeral.decimals, numeral.amount.denominator > 10**numeral.decimals))
    while digits and digits % 10 == 0:
        digits /= 10
        step *= 10
    return step * numeral.factor


def is_rounded_from(numeral: Numeral, headline: str, other: Numeral, article: str) -> bool:
    """Whether a hedged number is near the article's and true of it: "nearly 20,000" for 19,847."""
    hedged = numeral.approximation not in {Approximation.EXACT, Approximation.VAGUE}
    if not (hedged or is_nearly(numeral, headline)) or not numeral.value or not other.value:
        return False
    near = min(numeral.value, other.value) / max(numeral.value, other.value) >= FAR
    return near and agreement(numeral, headline, other, article) is BoundAgreement.HOLDS
