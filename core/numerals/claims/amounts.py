"""Amounts that are plainly another than the article's: another rate, step, score, end, hour or currency."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from core.numerals.claims.changes import (
    amount_of,
    concerning,
    direction_of,
    goes,
)
from core.numerals.claims.claim import (
    Claim,
    alike,
    rate_in_article,
    rate_of,
    span_of,
    step_before,
    step_in_article,
)
from core.numerals.claims.verdict import Fault, Objection
from core.numerals.claims.workings.differences import change, difference
from core.numerals.claims.workings.times import (
    a_year,
    added,
    in_other_units,
    is_about,
    joined_counts,
    one_in,
    others_too,
    rest,
    share_of,
    short_year,
    this_year,
    times,
    years_since,
)
from core.text.numerals.numeral import Approximation, NumeralKind


def worked_out(claim: Claim) -> tuple[int, ...]:
    """Rows of the article's numerals from which a number follows by such arithmetic; () where none does."""
    return next((rows for way, rows in ways_worked(claim).items() if way not in UNSURE), ())


def ways_worked(claim: Claim) -> dict[str, tuple[int, ...]]:
    """By each of `WAYS` that gives the number the rows of the article's numerals that it uses."""
    numeral, article = claim.place.numeral, claim.place.article
    same = any(alike(numeral, article.numerals[row]) for row in claim.equal)
    if same or numeral.approximation is Approximation.VAGUE:
        return {}
    found = {name: next(iter(way(claim)), ()) for name, way in WAYS.items()}
    return {name: rows for name, rows in found.items() if rows}


WAYS: Final[Mapping[str, Callable[[Claim], Iterator[tuple[int, ...]]]]] = MappingProxyType(
    {
        "units": in_other_units,
        "share": share_of,
        "change": change,
        "times": times,
        "one_in": one_in,
        "difference": difference,
        "yearly": a_year,
        "joined": joined_counts,
        "rest": rest,
        "others": others_too,
        "since": years_since,
        "short": short_year,
        "added": added,
        "now": this_year,
    }
)
"""Kinds of arithmetic, the surest first."""
UNSURE: Final = frozenset({"others", "since", "added", "now"})
"""Kinds that give as many numbers by chance as they explain: the trees weigh them."""


SCORE: Final = re.compile(r"(?<![\w.,])(\d{1,3})\s?[-–:]\s?(\d{1,3})(?![\w:]|[.,-]\d)")
"""The score of a match."""
_HALF: Final = re.compile(r"(?::\d\d)?\s?([ap])\.?\s?m\b", re.IGNORECASE)


def other_rate(claim: Claim) -> Iterator[Objection]:
    """An amount a day of which the article has no such amount, but one an hour, or one in all."""
    place = claim.place
    said = rate_of(place.question.headline, place.numeral.end, place.article.language)
    rows = claim.equal or worked_out(claim)
    if said is None or not rows or place.numeral.kind is NumeralKind.DURATION:
        return
    if over := next(filter(None, (span_of(place.article, row, said[0]) for row in claim.equal)), ""):
        yield Fault.OTHER, f"The article has it “{over}”, not “{said[1]}”."
    rates = [rate_in_article(place.article, row) for row in rows]
    given = [one for one in rates if one is not None]
    # Of two numbers that give a third, one has the rate.
    if given and all(one[0] != said[0] for one in given) and (len(given) == len(rows) or not claim.equal):
        yield Fault.OTHER, f"The article has it “{given[0][1]}”, not “{said[1]}”."


def other_step(claim: Claim) -> Iterator[Objection]:
    """A change to a number where the article has one by it, and the other way round."""
    place = claim.place
    said = step_before(claim)
    given = {step_in_article(place.article, row) for row in claim.equal}
    if said and given == ({"to", "by"} - {said}):
        yield Fault.OTHER, f"The article has a change “{given.pop()}” this number, not “{said}” it."


def other_score(claim: Claim) -> Iterator[Objection]:
    """A score of which the article has one number alone beside another."""
    place = claim.place
    if place.numeral.kind is NumeralKind.TIME:
        return
    for found in SCORE.finditer(place.question.headline):
        if not found.start() <= place.question.start < found.end():
            continue
        scores = [{one[1], one[2]} for one in SCORE.finditer(place.article.text, place.article.dateline)]
        mine = {found[1], found[2]}
        if scores and mine not in scores and any(mine & one for one in scores):
            yield Fault.VALUE, f"The article has another score than {found[0]}."


def other_change(claim: Claim) -> Iterator[Objection]:
    """A change that goes the other way than the article's, or ends where that begins."""
    place, told = claim.place, concerning(claim)
    if not told:
        return
    numerals, way = place.article.numerals, direction_of(claim)
    to = step_before(claim) == "to"
    meant = []
    for one in told:
        amount = amount_of(claim, one)
        by = amount is not None and is_about(claim, abs(amount))
        if by or (to and one.after in claim.equal):
            meant.append(one)
    if meant:
        ways = {goes(numerals[one.after].value - numerals[one.before].value) for one in meant}
        wrong = meant if way and way not in ways else []
    else:
        begin = {one.before for one in told}
        wrong = [one for one in told if to and one.before in claim.equal and begin.issuperset(claim.equal)]
    for one in wrong:
        first, last = numerals[one.before], numerals[one.after]
        yield Fault.BOUND, f"The article has it from “{first.text}” to “{last.text}”."


def other_half(claim: Claim) -> Iterator[Objection]:
    """An hour after noon that the article has before noon alone, or the other way round."""
    place = claim.place
    said = _HALF.match(place.question.headline, place.numeral.number_end)
    numerals, text = place.article.numerals, place.article.text
    hours = [numerals[row] for row in claim.equal if numerals[row].kind is NumeralKind.TIME]
    given = [_HALF.match(text, one.number_end) for one in hours]
    if said and given and all(one and one[1].lower() != said[1].lower() for one in given):
        yield Fault.VALUE, f"The article has “{hours[0].text}”, in the other half of the day."


def other_currency(claim: Claim) -> Iterator[Objection]:
    """A sum that the article has in other currencies alone."""
    numeral = claim.place.numeral
    if numeral.kind is not NumeralKind.MONEY or not numeral.unit:
        return
    equal = [claim.place.article.numerals[row] for row in claim.equal]
    sums = [one for one in equal if one.kind is NumeralKind.MONEY]
    if sums and all(one.unit and one.unit != numeral.unit for one in sums):
        yield Fault.UNIT, f"The article has “{sums[0].text}”, not “{numeral.text}”."
