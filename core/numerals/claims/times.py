"""Spans and measures in other units, amounts a year, and years that the article has in another form."""

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Final

from core.numerals.claims import rates, shares, words
from core.numerals.claims.claim import Claim
from core.numerals.claims.pairs import PLAIN, is_about, is_operand, plainness
from core.numerals.derivations.operands import looks_like_year
from core.text.numerals.numeral import Numeral, NumeralKind

TOTAL: Final = words.sign("total")
_YEARLY: Final = words.sign("yearly")
_MANY: Final = {tuple(units.split()): Fraction(many) for units, many in words.TABLES["exact"].items()}
_EXACT: Final = _MANY | {units[::-1]: 1 / many for units, many in _MANY.items()}
_MEASURES: Final[Mapping[str, Mapping[str, float]]] = words.TABLES["measures"]
_SECONDS: Final = {"week": 604_800, "day": 86_400, "hour": 3600, "minute": 60, "second": 1}
_MONTHS: Final = {"year": 12, "month": 1}
_MINUTES: Final = {"hour": 60, "day": 24 * 60}
_A_YEAR: Final = {"year": 1, "quarter": 4, "month": 12, "week": 52, "day": 365}
_NEAR: Final = 8  # 18 months are no two years: more than this part of them is left out
_JOINT: Final = 16  # characters between the parts of a span that are told together
_OTHERS: Final = re.compile(r"\s+(?:other|others|more|weitere|autres|altri|altre|други)", re.IGNORECASE)
_CELSIUS: Final = "degree Celsius"
_SCALES: Final = {_CELSIUS, "degree Fahrenheit"}
_SURE: Final = PLAIN + 3  # how plain the same number in another form is


def in_other_units(claim: Claim) -> Iterator[shares.Worked]:
    """The same span of time or measure in another unit: half a year for six months, 2:19:42 in words."""
    numeral, article = claim.numeral, claim.article
    units = next((units for units in _MEASURES.values() if numeral.unit in units), {})
    for row, measure in enumerate(article.numerals):
        spans = (measure.unit, numeral.unit)
        factor = _EXACT.get(spans, Fraction(0))
        if measure.unit != numeral.unit and measure.unit in units:
            factor = Fraction(units[measure.unit] / units[numeral.unit])
        warm = set(spans) == _SCALES and abs(_celsius(numeral) - _celsius(measure)) <= 1
        near = claim.hedged or abs(measure.value * factor - numeral.value) * _NEAR <= numeral.value
        if warm or (factor and near and is_about(claim, measure.value * factor)):
            yield _SURE, (row,)
    said = _seconds([numeral])
    for first in range(len(article.numerals)) if said else ():
        for last in range(first + 1, min(first + 3, len(article.numerals)) + 1):
            rows = tuple(range(first, last))
            parts = [article.numerals[row] for row in rows]
            apart = any(after.start - before.end > _JOINT for before, after in pairwise(parts))
            timed = numeral.kind is NumeralKind.TIME and parts[0].kind is NumeralKind.TIME
            if not timed and not apart and said & _seconds(parts):
                yield _SURE, rows
                break


def _seconds(parts: list[Numeral]) -> set[Fraction]:
    """How many seconds, or months, a time or the parts of a span come to; one colon may be of minutes."""
    if len(parts) == 1 and parts[0].kind is NumeralKind.TIME:
        return {parts[0].value * 3600} | ({parts[0].value * 60} if parts[0].text.count(":") == 1 else set())
    table = _MONTHS if parts[0].unit in _MONTHS else _SECONDS
    sizes = [table.get(part.unit, 0) for part in parts]
    falls = all(first > second for first, second in pairwise(sizes)) and all(sizes)
    if not falls or not all(part.kind is NumeralKind.DURATION for part in parts):
        return set()
    total = sum((part.value * size for part, size in zip(parts, sizes, strict=True)), Fraction(0))
    return {total if table is _SECONDS else -total}  # months are no seconds


def _celsius(numeral: Numeral) -> Fraction:
    degrees = -numeral.value if numeral.sign == "-" else numeral.value
    return degrees if numeral.unit == _CELSIUS else (degrees - 32) * Fraction(5, 9)


def a_year(claim: Claim) -> Iterator[shares.Worked]:
    """An amount for one span of time of the amount for another: 696 a year of 58 a month."""
    numeral, article = claim.numeral, claim.article
    rate = rates.rate_of(claim.headline, numeral.end, claim.language)
    said = rate[0] if rate else "year" if _YEARLY.search(claim.headline) else ""
    for row, amount in enumerate(article.numerals) if said in _A_YEAR else ():
        if (amount.kind, amount.unit) != (numeral.kind, numeral.unit) or not is_operand(article, amount):
            continue
        given = rates.rate_in_article(article, row)
        other = given and given[0] in _A_YEAR and given[0] != said
        if given and other and is_about(claim, amount.value * _A_YEAR[given[0]] / _A_YEAR[said]):
            yield plainness(claim, (row,), said=True, linked=True), (row,)
        for at, span in enumerate(article.numerals):
            over = span.unit == said and span.value > 1 and row != at
            together = over and article.places[row] == article.places[at]
            if together and is_about(claim, amount.value / span.value):
                yield plainness(claim, (row, at), said=True, linked=True), (row, at)
    for row, times in enumerate(article.numerals) if numeral.unit == "minute" else ():
        given = rates.rate_in_article(article, row) if is_operand(article, times) else None
        if given and _MINUTES.get(given[0], 0) == numeral.value * times.value:
            yield _SURE, (row,)


def years_since(claim: Claim) -> Iterator[shares.Worked]:
    """The years from one that the article has to the one of its dateline, or to another of its sentence."""
    numeral, article = claim.numeral, claim.article
    years = [(row, year) for row, year in enumerate(article.numerals) if looks_like_year(year)]
    now = next((year.value for _, year in years if year.start < article.dateline), None)
    for row, year in years if numeral.unit == "year" and numeral.kind is NumeralKind.DURATION else ():
        if now is not None and year.start >= article.dateline and now - year.value == numeral.value:
            yield _SURE, (row,)
        for at, other in years:
            if article.places[at] == article.places[row] and other.value - year.value == numeral.value:
                yield plainness(claim, (row, at), said=False, linked=True), (row, at)


def this_year(claim: Claim) -> Iterator[shares.Worked]:
    """The year of the dateline."""
    for row, year in enumerate(claim.article.numerals) if looks_like_year(claim.numeral) else ():
        dated = year.start < claim.article.dateline and looks_like_year(year)
        if dated and year.value == claim.numeral.value:
            yield _SURE, (row,)


def short_year(claim: Claim) -> Iterator[shares.Worked]:
    """A year by its last two digits: '12."""
    short = claim.headline[: claim.numeral.number_start].endswith(("'", "’"))
    for row, year in enumerate(claim.article.numerals) if short else ():
        if looks_like_year(year) and year.value % 100 == claim.numeral.value % 100:
            yield _SURE, (row,)


def others_too(claim: Claim) -> Iterator[shares.Worked]:
    """One more than so many others: 24 states of "23 other states"."""
    numeral, article = claim.numeral, claim.article
    for row, other in enumerate(article.numerals) if numeral.kind is NumeralKind.COUNT else ():
        behind = article.text[other.end : other.end + 12]
        if other.kind is NumeralKind.COUNT and numeral.value == other.value + 1 and _OTHERS.match(behind):
            yield plainness(claim, (row,), said=True, linked=True), (row,)
