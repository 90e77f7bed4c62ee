"""Rules on amounts: the article has another unit, currency, magnitude, end, rate, month or score."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from core.numerals.checked_headline import Fault, Objection
from core.numerals.claims import bounds, words
from core.numerals.claims.claim import DATED, Claim, alike, are_pounds, is_unpriced, unanimous
from core.numerals.claims.differences import ways_worked, worked_out
from core.numerals.claims.rates import rate_in_article, rate_of, span_of
from core.text.numerals.language_tables import language_tables
from core.text.numerals.numeral import Approximation, Bound, Numeral, NumeralKind

_UNIT_WORD: Final = re.compile(
    r"[ \u00a0\u202f-]?((?:square |cubic |кв\.? ?)?[^\W\d_]+|[°²³%]\w*)"
    r"(?P<rate>(?:/| (?:per|an|a|pro|par|в) | all['’]| à l['’])[^\W\d_]+)?"
)
_TOLD: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE, NumeralKind.DURATION})
MEASURED: Final = frozenset({NumeralKind.MEASURE, NumeralKind.DURATION})
_OF_THEM: Final = words.sign("of_them")
_SMALL: Final = 12  # up to here a number is soon met again with something else
_MONTH: Final = 16  # characters beside a day in which its month stands
_LOW_ENDS: Final = frozenset({Approximation.AT_LEAST, Approximation.MORE_THAN})
_HIGH_ENDS: Final = frozenset({Approximation.AT_MOST, Approximation.LESS_THAN})
_ROUNDED: Final = 20  # a number that is meant by a round one is within this part of it
SCORE: Final = re.compile(r"(?<![\w.,])(\d{1,3})\s?[-–:]\s?(\d{1,3})(?![\w:]|[.,-]\d)")


def other_unit(claim: Claim) -> Iterator[Objection]:
    """A number that the article has in another unit alone: 14 months for 14 years."""
    numeral, article, others = claim.numeral, claim.article, list[Numeral]()
    rows, counted = [article.numerals[row] for row in claim.equal], bool(claim.alike_rows)
    if numeral.kind in MEASURED and rows and all(_OF_THEM.match(article.text, row.end) for row in rows):
        others += [other for other in article.numerals if other.unit == numeral.unit][:1]
    measured = numeral.kind in MEASURED and all(row.unit != numeral.unit for row in rows)
    if numeral.unit and numeral.kind in _TOLD and (measured or not counted):
        known = (row for row in rows if row.kind in _TOLD and row.unit not in ("", numeral.unit))
        far = numeral.value > _SMALL and not counted
        others += [row for row in known if (row.kind is numeral.kind or far) and not ways_worked(claim)]
    for other in others:
        said, given = with_unit(claim.headline, numeral), with_unit(article.text, other)
        yield Fault.UNIT, f"The article has “{given}”, not “{said}”."


def with_unit(text: str, numeral: Numeral) -> str:
    """A numeral with the word of its unit, where that stands behind it: "4,300 feet"."""
    if numeral.kind not in MEASURED or numeral.text[-1].isalpha():
        return numeral.text
    match = _UNIT_WORD.match(text, numeral.end)
    rate = "rate" if " per " in numeral.unit and match and match["rate"] else 1
    return text[numeral.start : match.end(rate) if match else numeral.end]


def other_currency(claim: Claim) -> Iterator[Objection]:
    numeral, equal = claim.numeral, (claim.article.numerals[row] for row in claim.equal)
    sums = [other for other in equal if other.kind is numeral.kind is NumeralKind.MONEY and numeral.unit]
    if sums and all(total.unit and total.unit != numeral.unit for total in sums):
        yield Fault.UNIT, f"The article has “{sums[0].text}”, not “{numeral.text}”."


def other_end(claim: Claim) -> Iterator[Objection]:
    """Up to 40 where the article has at least 40, and the other way round."""
    said = claim.numeral.approximation
    opposite = _HIGH_ENDS if said in _LOW_ENDS else _LOW_ENDS if said in _HIGH_ENDS else frozenset()
    part = claim.numeral.kind is NumeralKind.FRACTION  # what falls by more than half is less than half
    if not part and (given := _of_ends(claim, opposite)):
        yield Fault.BOUND, f"The article has “{_hedged(claim.article.text, given)}”, not “{said}”."


def bare_end(claim: Claim) -> Iterator[Objection]:
    """40 where the article has up to 40."""
    exact = claim.numeral.approximation is Approximation.EXACT and claim.numeral.bound is Bound.NONE
    exact = exact and not words.LEAVES_OPEN[claim.language].search(claim.headline)
    if exact and (given := _of_ends(claim, _HIGH_ENDS)):
        own = _hedged(claim.article.text, given)
        yield Fault.BOUND, f"The article has “{own}”, not plainly “{claim.numeral.text}”."


def _of_ends(claim: Claim, ends: frozenset[Approximation]) -> Numeral | None:
    """The article's number of the value, where each of the headline's unit, or any, has such a hedge."""
    alikes = [claim.article.numerals[row] for row in claim.alike_rows]
    given = [other for other in alikes if other.unit == claim.numeral.unit] or alikes
    every = all(other.approximation in ends and other.bound is Bound.NONE for other in given)
    return given[0] if given and every else None


def wrong_side(claim: Claim) -> Iterator[Objection]:
    """Nearly 310 where the article has 312, and over 76 where it has 75.9."""
    numeral, article = claim.numeral, claim.article
    said = bounds.stretch_of(numeral, claim.headline)
    if said.low == said.high or numeral.kind in DATED or claim.alike_rows:
        return
    after = (other for other in article.numerals if other.start >= article.dateline)
    alikes = (other for other in after if alike(numeral, other) and other.value)
    near = [other for other in alikes if abs(other.value - numeral.value) * _ROUNDED <= other.value]
    if near and not any(said.holds(bounds.Stretch(other.value, other.value)) for other in near):
        other = min(near, key=lambda other: abs(other.value - numeral.value))
        if other.approximation is Approximation.EXACT:
            hedged = _hedged(claim.headline, numeral)
            yield Fault.BOUND, f"The article has “{other.text}”, which is not “{hedged}”."


def _hedged(text: str, numeral: Numeral) -> str:
    """A numeral with the two words before it, which hedge it."""
    before = re.search(r"(?:[^\W\d]+\s){0,2}$", text[: numeral.start])
    return text[before.start() if before else numeral.start : numeral.end]


def other_magnitude(claim: Claim) -> Iterator[Objection]:
    """A thousand or ten times what the article has, or a part of it: $297 million for $297 billion."""
    numeral, article = claim.numeral, claim.article
    if claim.alike_rows or claim.rounded or not numeral.value or numeral.kind is NumeralKind.ORDINAL:
        return
    # What the article counts elsewhere is not this by chance: 22 votes are not 2,200 flats.
    nouns = {numeral.counted for numeral in article.numerals} & {numeral.counted} - {""}
    for other in article.numerals:
        counted = (alike(numeral, other) or is_unpriced(numeral, other)) and not nouns - {other.counted}
        if counted and is_scaled(numeral, other) and not ways_worked(claim):
            yield Fault.VALUE, f"The article has “{other.text}”, not “{numeral.text}”."


def is_scaled(numeral: Numeral, other: Numeral) -> bool:
    one_kind = (numeral.kind, numeral.unit) == (other.kind, other.unit)
    one_kind = one_kind or is_unpriced(numeral, other) or are_pounds(numeral, other)
    if not one_kind or not other.value or not numeral.value or numeral.value == other.value:
        return False
    ratio = max(numeral.value, other.value) / min(numeral.value, other.value)
    power = str(ratio.numerator)
    tens = len(power) - 1 if ratio.denominator == 1 and power.strip("0") == "1" else 0
    digits = len(str(Fraction(other.value).numerator).strip("0"))
    # One digit is soon met again, tenfold: 3 and 30.
    same = numeral.kind is NumeralKind.MONEY or (numeral.counted and numeral.counted == other.counted)
    written = numeral.factor > 1 and other.factor > 1
    return (tens >= 1 and digits >= 2) or (tens >= 3 and bool(same or written))


def rate(claim: Claim) -> Iterator[Objection]:
    """An amount a day of which the article has no such amount, but one an hour, or one in all."""
    said = rate_of(claim.headline, claim.numeral.end, claim.language)
    rows = claim.equal or worked_out(claim)
    if said is None or claim.numeral.kind is NumeralKind.DURATION or "yearly" in ways_worked(claim):
        return
    if over := next(filter(None, (span_of(claim.article, row, said[0]) for row in claim.equal)), ""):
        yield Fault.OTHER, f"The article has it “{over}”, not “{said[1]}”."
    rates = [rate_in_article(claim.article, row) for row in rows]
    given = [rate for rate in rates if rate is not None]
    # Of two numbers that give a third, one has the rate.
    if given and all(rate[0] != said[0] for rate in given) and (len(given) == len(rows) or not claim.equal):
        yield Fault.OTHER, f"The article has it “{given[0][1]}”, not “{said[1]}”."


def other_month(claim: Claim) -> Iterator[Objection]:
    """A day of another month than the article's: March 14 for May 14."""
    article, numeral = claim.article, claim.numeral
    said = _month(claim.headline, numeral, article.language)
    days = [article.numerals[row] for row in claim.equal if article.numerals[row].kind is NumeralKind.DATE]
    given = [_month(article.text, day, article.language) for day in days]
    other = said and unanimous(given) and _begin(said) not in map(_begin, given)
    if other and numeral.kind is NumeralKind.DATE:
        yield Fault.VALUE, f"The article has “{numeral.number}” of “{given[0]}”, not of “{said}”."


def _month(text: str, numeral: Numeral, language: str) -> str:
    months = language_tables(language).months
    behind = re.findall(r"[^\W\d_]+", text[numeral.number_end : numeral.number_end + _MONTH])[:2]
    before = re.findall(r"[^\W\d_]+", text[max(0, numeral.start - _MONTH) : numeral.number_start])[-1:]
    return next((word for word in (*before, *behind) if word.lower() in months), "")


def _begin(month: str) -> str:
    return month.lower()[: 4 if month.lower().startswith("jui") else 3]


def other_score(claim: Claim) -> Iterator[Objection]:
    """A score of which the article has one number alone beside another, or a win told as a defeat: 2-3."""
    if claim.numeral.kind in (NumeralKind.TIME, NumeralKind.DURATION):
        return
    given = [other.groups() for other in SCORE.finditer(claim.article.text, claim.article.dateline)]
    won = words.predicates_of(word for _, word in claim.near) & {"win", "lose"} == {"win"}
    for match in scores_of(claim):
        mine, scores = {*match.groups()}, [{*score} for score in given]
        if scores and mine not in scores and any(mine & score for score in scores):
            yield Fault.VALUE, f"The article has another score than {match[0]}."
        if won and mine in scores and int(match[1]) < int(match[2]) and match.groups() not in given:
            yield Fault.VALUE, f"The article has {match[2]}-{match[1]}, and who wins has the higher number."


def scores_of(claim: Claim) -> list[re.Match[str]]:
    at = claim.numeral.number_start
    return [match for match in SCORE.finditer(claim.headline) if match.start() <= at < match.end()]
