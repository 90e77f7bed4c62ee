"""The scores of a headline: two numbers that are one thing to judge, and to look at."""

from collections.abc import Sequence
from dataclasses import replace

from core.numerals.checked_headline import PASSING, CheckedHeadline, CheckedNumeral, Light
from core.numerals.claims.amounts import SCORE
from core.text.numerals.numeral import Bound


def units_in(headline: str, numerals: Sequence[CheckedNumeral]) -> list[tuple[int, ...]]:
    """The places of numerals in order, those of one score ("108-97", "3 : 1") together."""
    units: list[tuple[int, ...]] = []
    scores = [match.span() for match in SCORE.finditer(headline)]
    last = None
    for place, checked in enumerate(numerals):
        start, end = checked.numeral.start, checked.numeral.end
        plain = checked.numeral.bound is Bound.NONE  # "16-19" may be a range
        score = next((span for span in scores if plain and span[0] <= start and end <= span[1]), None)
        if score is not None and score == last:
            units[-1] = (*units[-1], place)
        else:
            units.append((place,))
        last = score
    return units


def units_of(checked: CheckedHeadline) -> list[tuple[int, ...]]:
    return units_in(checked.headline, checked.numerals)


def with_scores(
    headline: str, article: str, numerals: Sequence[CheckedNumeral]
) -> tuple[CheckedNumeral, ...]:
    """The same numerals; each number of a score has the verdict of the worse one."""
    judged = list(numerals)
    for unit in units_in(headline, numerals):
        claim = numerals[worst_place(numerals, unit)].claim
        score = headline[numerals[unit[0]].numeral.start : numerals[unit[-1]].numeral.end]
        if len(unit) > 1 and claim.light in PASSING and score in article:
            claim = replace(claim, reason=f"The article has “{score}”.")
        for place in unit:
            own = replace(claim, probability=numerals[place].claim.probability)
            judged[place] = replace(judged[place], claim=own)
    return tuple(judged)


def worst_place(numerals: Sequence[CheckedNumeral], places: Sequence[int]) -> int:
    """Of some places of numerals the one to look at first: the worst light, then the least probable."""
    order = tuple(Light)
    claims = {place: numerals[place].claim for place in places}
    return max(claims, key=lambda place: (order.index(claims[place].light), -claims[place].probability))
