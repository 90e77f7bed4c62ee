"""Numbers of which the article plainly says otherwise: another unit, month, rate, score, or nobody."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from core.numerals.claims import clauses
from core.numerals.claims.claim import (
    Claim,
    alike,
    are_pounds,
    around,
    is_unpriced,
    rate_in_article,
    rate_of,
    span_of,
    step_before,
    step_in_article,
)
from core.numerals.claims.differences import likely, says_less, ways_worked, worked_out
from core.numerals.claims.evidence import clauses_of_nobody, fates_given, plain_text
from core.numerals.claims.times import is_about
from core.numerals.claims.words import LEAVES_OPEN, TABLES, Stretch, expressions, sign, stretch_of
from core.numerals.verdict import Fault, Objection
from core.text.numerals.languages import tables_of
from core.text.numerals.numeral import Approximation, Bound, Numeral, NumeralKind

_UNIT_WORD: Final = re.compile(
    r"[ \u00a0\u202f-]?((?:square |cubic |кв\.? ?)?[^\W\d_]+|[°²³%]\w*)"
    r"(?P<rate>(?:/| (?:per|an|a|pro|par|в) | all['’]| à l['’])[^\W\d_]+)?"
)
_TOLD: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE, NumeralKind.DURATION})
_MEASURED: Final = frozenset({NumeralKind.MEASURE, NumeralKind.DURATION})
_OF_THEM: Final = sign("of_them")
OF_PEOPLE: Final = frozenset(
    {"killed", "injured", "missing", "rescued", "arrested", "released", "convicted", "evacuated", "infected"}
)
_REACH: Final = 5  # words around a number of people that say what became of them
_SMALL: Final = 12  # up to here a number is soon met again with something else
_MONTH: Final = 16  # characters beside a day in which its month stands
_OPPOSITE: Final = {"rise": "fall", "fall": "rise"}
_RESULTS: Final = {"profit": "loss", "loss": "profit"}
_LOW_ENDS: Final = frozenset({Approximation.AT_LEAST, Approximation.MORE_THAN})
_HIGH_ENDS: Final = frozenset({Approximation.AT_MOST, Approximation.LESS_THAN})
_ROUNDED: Final = 20  # a number that is meant by a round one is within this part of it
_BEHIND: Final = {
    way: expressions(table, before=r"[\s,(]*(?:\w+[ ,]+)?") for way, table in TABLES["behind"].items()
}
_BEHIND_BY: Final = {  # "46 on the railways, four fewer than", "46 000, rund 2000 weniger als"
    way: expressions(table, before=r"[^.;,\d]{0,40},\s(?:[^\W\d]+ )?[\w.,\u202f\xa0]+(?: [^\W\d]+)?\s")
    for way, table in TABLES["behind_by"].items()
}
_AFTER: Final = 40  # characters behind a number that say how it differs from another
_FIXED: Final = frozenset({NumeralKind.DATE, NumeralKind.YEAR, NumeralKind.AGE, NumeralKind.ORDINAL})
"""Kinds of numbers by which nothing rises or falls."""
DATED: Final = _FIXED | {NumeralKind.TIME}
_NEAR: Final = 3  # words between a number that is no percentage and the way it goes, at most
_FATES: Final = frozenset({"killed", "injured", "rescued"})
_BESIDE: Final = 8  # words beside a number of the article that say which way it goes
SCORE: Final = re.compile(r"(?<![\w.,])(\d{1,3})\s?[-–:]\s?(\d{1,3})(?![\w:]|[.,-]\d)")
"""The score of a match."""


def other_unit(claim: Claim) -> Iterator[Objection]:
    """A number that the article has in another unit alone: 14 months for 14 years."""
    numeral, article = claim.numeral, claim.article
    rows = [article.numerals[row] for row in claim.equal]
    if numeral.kind in _MEASURED and rows and all(_OF_THEM.match(article.text, row.end) for row in rows):
        same = (other for other in article.numerals if other.unit == numeral.unit)
        if other := next(same, None):
            said, given = with_unit(claim.headline, numeral), with_unit(article.text, other)
            yield Fault.UNIT, f"The article has “{given}”, not “{said}”."
    counted = bool(claim.alike_rows)
    measured = numeral.kind in _MEASURED and all(row.unit != numeral.unit for row in rows)
    if not numeral.unit or numeral.kind not in _TOLD or (counted and not measured):
        return
    for row in rows:
        known = row.kind in _TOLD and row.unit not in ("", numeral.unit)
        near = row.kind is numeral.kind or (numeral.value > _SMALL and not counted)
        if known and near and not ways_worked(claim):
            said, given = with_unit(claim.headline, numeral), with_unit(article.text, row)
            yield Fault.UNIT, f"The article has “{given}”, not “{said}”."


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
    exact = exact and not LEAVES_OPEN[claim.language].search(claim.headline)
    if exact and (given := _of_ends(claim, _HIGH_ENDS)):
        own = _hedged(claim.article.text, given)
        yield Fault.BOUND, f"The article has “{own}”, not plainly “{claim.numeral.text}”."


def other_side(claim: Claim) -> Iterator[Objection]:
    """Nearly 310 where the article has 312, and over 76 where it has 75.9."""
    numeral, article = claim.numeral, claim.article
    said = stretch_of(numeral, claim.headline)
    if said.low == said.high or numeral.kind in DATED or claim.alike_rows:
        return
    after = (other for other in article.numerals if other.start >= article.dateline)
    alikes = (other for other in after if alike(numeral, other) and other.value)
    near = [other for other in alikes if abs(other.value - numeral.value) * _ROUNDED <= other.value]
    if near and not any(said.holds(Stretch(other.value, other.value)) for other in near):
        other = min(near, key=lambda other: abs(other.value - numeral.value))
        if other.approximation is Approximation.EXACT:
            hedged = _hedged(claim.headline, numeral)
            yield Fault.BOUND, f"The article has “{other.text}”, which is not “{hedged}”."


def _hedged(text: str, numeral: Numeral) -> str:
    """A numeral with the two words before it, which hedge it."""
    before = re.search(r"(?:[^\W\d]+\s){0,2}$", text[: numeral.start])
    return text[before.start() if before else numeral.start : numeral.end]


def _of_ends(claim: Claim, ends: frozenset[Approximation]) -> Numeral | None:
    """The article's number of the value, where each of the headline's unit, or any, has such a hedge."""
    alikes = [claim.article.numerals[row] for row in claim.alike_rows]
    given = [other for other in alikes if other.unit == claim.numeral.unit] or alikes
    every = all(other.approximation in ends and other.bound is Bound.NONE for other in given)
    return given[0] if given and every else None


def other_magnitude(claim: Claim) -> Iterator[Objection]:
    """A thousand or ten times what the article has, or a part of it: $297 million for $297 billion."""
    numeral, article = claim.numeral, claim.article
    if claim.alike_rows or claim.rounded or not numeral.value or numeral.kind is NumeralKind.ORDINAL:
        return
    # What the article counts elsewhere is not this by chance: 22 votes are not 2,200 flats.
    nouns = {numeral.counted for numeral in article.numerals} & {numeral.counted} - {""}
    for other in article.numerals:
        counted = (alike(numeral, other) or is_unpriced(numeral, other)) and not nouns - {other.counted}
        worked = ways_worked(claim) or (says_less(claim) and any(likely(claim)))
        if counted and is_scaled(numeral, other) and not worked:
            yield Fault.VALUE, f"The article has “{other.text}”, not “{numeral.text}”."


def is_scaled(numeral: Numeral, other: Numeral) -> bool:
    one_kind = (numeral.kind, numeral.unit) == (other.kind, other.unit)
    if not (one_kind or is_unpriced(numeral, other) or are_pounds(numeral, other)):
        return False
    if not other.value or not numeral.value or numeral.value == other.value:
        return False
    ratio = max(numeral.value, other.value) / min(numeral.value, other.value)
    power = str(ratio.numerator)
    tens = len(power) - 1 if ratio.denominator == 1 and power.strip("0") == "1" else 0
    digits = len(str(Fraction(other.value).numerator).strip("0"))
    # One digit is soon met again, tenfold: 3 and 30.
    same = numeral.kind is NumeralKind.MONEY or (numeral.counted and numeral.counted == other.counted)
    written = numeral.factor > 1 and other.factor > 1
    return (tens >= 1 and digits >= 2) or (tens >= 3 and bool(same or written))


def with_unit(text: str, numeral: Numeral) -> str:
    """A numeral with the word of its unit, where that stands behind it: "4,300 feet"."""
    if numeral.kind not in (NumeralKind.MEASURE, NumeralKind.DURATION):
        return numeral.text
    match = _UNIT_WORD.match(text, numeral.end)
    rate = "rate" if " per " in numeral.unit and match and match["rate"] else 1
    return text[numeral.start : match.end(rate) if match else numeral.end]


def nobody(claim: Claim) -> Iterator[Objection]:
    """So many killed where the article says that nobody was, or nobody where it counts some."""
    article, numeral = claim.article, claim.numeral
    near = (word for far, word in clauses.said_of(claim) if far <= _REACH and word.predicates & OF_PEOPLE)
    said = next((word for word in near if numeral.value or word.start > numeral.start), None)
    if numeral.kind is not NumeralKind.COUNT or said is None:
        return
    if not numeral.value:
        told = zip(article.numerals, fates_given(article), strict=True)
        counts = (n for n, fates in told if fates & said.predicates and n.kind is NumeralKind.COUNT)
        some = next((n for n in counts if n.value > 1), None)
        if some is not None and not any(clauses_of_nobody(article, said.predicates, denied=True)):
            yield Fault.VALUE, f"For this the article has “{some.text}”, not “{numeral.text}”."
        return
    for clause in clauses_of_nobody(article, said.predicates):
        counted = any(
            word.predicates & said.predicates
            for row, other in enumerate(article.numerals)
            if other.value and not clause.holds(other.start)
            for word in clauses.own_words(article, row)
        )
        if not counted:
            quoted = plain_text(article.text, clause)
            yield Fault.VALUE, f"The article says “{quoted}”, not “{said.text}” of “{numeral.text}”."
            return


def other_month(claim: Claim) -> Iterator[Objection]:
    """A day of another month than the article's: March 14 for May 14."""
    article, numeral = claim.article, claim.numeral
    said = _month(claim.headline, numeral, article.language)
    days = [article.numerals[row] for row in claim.equal if article.numerals[row].kind is NumeralKind.DATE]
    given = [_month(article.text, day, article.language) for day in days]
    if numeral.kind is not NumeralKind.DATE or not said or not all(given):
        return
    if given and _begin(said) not in map(_begin, given):
        yield Fault.VALUE, f"The article has “{numeral.number}” of “{given[0]}”, not of “{said}”."


def _month(text: str, numeral: Numeral, language: str) -> str:
    months = tables_of(language).months
    behind = re.findall(r"[^\W\d_]+", text[numeral.number_end : numeral.number_end + _MONTH])[:2]
    before = re.findall(r"[^\W\d_]+", text[max(0, numeral.start - _MONTH) : numeral.number_start])[-1:]
    return next((word for word in (*before, *behind) if word.lower() in months), "")


def _begin(month: str) -> str:
    low = month.lower()
    return low[: 4 if low.startswith("jui") else 3]


def other_way(claim: Claim) -> Iterator[Objection]:
    """A rise by a number that the article has of a fall alone, and the other way round."""
    article, numeral = claim.article, claim.numeral
    reach = _REACH if numeral.kind is NumeralKind.PERCENT else _NEAR
    near = [(word, clauses.ways_of(claim, word)) for distance, word in claim.near if distance <= reach]
    said = next(((word.text, way) for word, ways in near for way in ways), None)
    if numeral.kind in _FIXED or said is None:
        return
    given, turned = [], {_OPPOSITE[said[1]]}
    rows = claim.alike_rows
    for row in rows:
        own = clauses.own_words(article, row)
        ways = {way for word in own for way in clauses.ways_of(claim, word)}
        beside = around(own, article.numerals[row].number_start, _BESIDE)
        given.append(
            next((word.text for _, word in beside if ways == turned == clauses.ways_of(claim, word)), "")
        )
    if given and all(given):
        source = article.numerals[rows[0]].text
        yield Fault.BOUND, f"The article says “{given[0]}” of “{source}”, not “{said[0]}”."


def turned_behind(claim: Claim) -> Iterator[Objection]:
    """A rise to 441 or by 8 %, where the article has "441, down from 446", "8 % less"."""
    article, numeral = claim.article, claim.numeral
    rows = claim.alike_rows
    beside = [(word, clauses.ways_of(claim, word)) for near, word in claim.near if near <= _NEAR + 1]
    said = next(((word.text, way) for word, ways in beside for way in ways), None)
    to = step_before(claim) == "to"
    if said is None or numeral.kind in DATED:
        return
    given = []
    for row in rows:
        end = article.numerals[row].end
        after = re.split(r"[.;]\s|\d", article.text[end:][:_AFTER], maxsplit=1)[0]
        by = {way: signs[article.language].match(article.text[end:]) for way, signs in _BEHIND_BY.items()}
        ways = {way: signs[article.language].match(after) or by[way] for way, signs in _BEHIND.items()}
        own = ways[_OPPOSITE[said[1]]]
        clear = own is not None and not ways[said[1]]
        if own is not None and own is by[_OPPOSITE[said[1]]]:  # by so much
            clear &= any(end < numeral.start < end + own.end() for numeral in article.numerals)
        else:
            clear &= not to or " from" in after
        given.append("" if own is None or not clear else f"{article.numerals[row].text}{own[0]}")
    if given and all(given):
        yield Fault.BOUND, f"The article has “{given[0]}”, not “{said[0]}”."


def other_result(claim: Claim) -> Iterator[Objection]:
    """A profit of a sum that the article has of a loss alone, and the other way round."""
    article, results = claim.article, _RESULTS.keys()
    words = [word for near, word in claim.near if near <= _REACH and word.predicates & results]
    result, *more = {result for word in words for result in word.predicates & results} or {""}
    rows = [row for row in claim.equal if article.numerals[row].kind is NumeralKind.MONEY]
    if not result or more or not rows or claim.numeral.kind is not NumeralKind.MONEY:
        return
    given = [[word for word in clauses.own_words(article, row) if word.predicates & results] for row in rows]
    if all(own and all(word.predicates & results == {_RESULTS[result]} for word in own) for own in given):
        number = article.numerals[rows[0]].text
        yield Fault.BOUND, f"The article says “{given[0][0].text}” of “{number}”, not “{words[0].text}”."


def other_fate(claim: Claim) -> Iterator[Objection]:
    """The dead of a number that the article has of the hurt or the saved, and the other way round."""
    article = claim.article
    said = {fate: word.text for _, word in clauses.said_of(claim) for fate in word.predicates & _FATES}
    if len(said) != 1 or not claim.equal or claim.numeral.kind is not NumeralKind.COUNT:
        return
    ((fate, text),) = said.items()
    given = []
    for row in claim.equal:
        own = clauses.own_words(article, row)
        if any(fate in word.predicates for word in own):
            return
        others = (word.text for word in own if word.predicates & _FATES)
        given.append(next(others, ""))
    if all(given):
        number = article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"Of “{number}” the article says “{given[0]}”, not “{text}”."


def other_rate(claim: Claim) -> Iterator[Objection]:
    """An amount a day of which the article has no such amount, but one an hour, or one in all."""
    said = rate_of(claim.headline, claim.numeral.end, claim.language)
    rows = claim.equal or worked_out(claim)
    if said is None or not rows or claim.numeral.kind is NumeralKind.DURATION:
        return
    if over := next(filter(None, (span_of(claim.article, row, said[0]) for row in claim.equal)), ""):
        yield Fault.OTHER, f"The article has it “{over}”, not “{said[1]}”."
    rates = [rate_in_article(claim.article, row) for row in rows]
    given = [rate for rate in rates if rate is not None]
    # Of two numbers that give a third, one has the rate.
    if given and all(rate[0] != said[0] for rate in given) and (len(given) == len(rows) or not claim.equal):
        yield Fault.OTHER, f"The article has it “{given[0][1]}”, not “{said[1]}”."


def other_step(claim: Claim) -> Iterator[Objection]:
    """A change to a number where the article has one by it, and the other way round."""
    said = step_before(claim)
    given = {step_in_article(claim.article, row) for row in claim.equal}
    if said and given == ({"to", "by"} - {said}):
        yield Fault.OTHER, f"The article has a change “{given.pop()}” this number, not “{said}” it."


def scores_of(claim: Claim) -> list[re.Match[str]]:
    """The scores of the headline that its number is part of."""
    at = claim.numeral.number_start
    return [match for match in SCORE.finditer(claim.headline) if match.start() <= at < match.end()]


def other_score(claim: Claim) -> Iterator[Objection]:
    """A score of which the article has one number alone beside another, or a win told as a defeat: 2-3."""
    if claim.numeral.kind is NumeralKind.TIME:
        return
    for match in scores_of(claim):
        given = [other.groups() for other in SCORE.finditer(claim.article.text, claim.article.dateline)]
        mine, scores = {*match.groups()}, [{*score} for score in given]
        if scores and mine not in scores and any(mine & score for score in scores):
            yield Fault.VALUE, f"The article has another score than {match[0]}."
        won = {predicate for _, word in claim.near for predicate in word.predicates} & {"win", "lose"} == {
            "win"
        }
        if won and mine in scores and int(match[1]) < int(match[2]) and match.groups() not in given:
            yield Fault.VALUE, f"The article has {match[2]}-{match[1]}, and who wins has the higher number."


def other_change(claim: Claim) -> Iterator[Objection]:
    """A change that goes the other way than the article's, or ends where that begins."""
    changes = clauses.concerning(claim)
    if not changes:
        return
    numerals, way = claim.article.numerals, clauses.direction_of(claim)
    to = step_before(claim) == "to"
    meant = []
    for change in changes:
        amount = clauses.amount_of(claim, change)
        by = amount is not None and is_about(claim, abs(amount))
        if by or (to and change.after in claim.equal):
            meant.append(change)
    if meant:
        ways = {
            clauses.goes(numerals[change.after].value - numerals[change.before].value) for change in meant
        }
        wrong = meant if way and way not in ways else []
    else:
        begin = {change.before for change in changes}
        from_there = to and begin.issuperset(claim.equal)
        wrong = [change for change in changes if from_there and change.before in claim.equal]
    for change in wrong:
        first, last = numerals[change.before], numerals[change.after]
        yield Fault.BOUND, f"The article has it from “{first.text}” to “{last.text}”."


def other_currency(claim: Claim) -> Iterator[Objection]:
    """A sum that the article has in other currencies alone."""
    numeral = claim.numeral
    if numeral.kind is not NumeralKind.MONEY or not numeral.unit:
        return
    equal = [claim.article.numerals[row] for row in claim.equal]
    sums = [numeral for numeral in equal if numeral.kind is NumeralKind.MONEY]
    if sums and all(total.unit and total.unit != numeral.unit for total in sums):
        yield Fault.UNIT, f"The article has “{sums[0].text}”, not “{numeral.text}”."
