"""Numbers of which the article plainly says otherwise: another unit, month, rate, score, or nobody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from core.numerals.claims.claim import (
    Claim,
    alike,
    around,
    rate_in_article,
    rate_of,
    span_of,
    step_before,
    step_in_article,
)
from core.numerals.claims.clauses import (
    amount_of,
    clauses_of,
    concerning,
    direction_of,
    goes,
    own_words,
    said_of,
    ways_of,
)
from core.numerals.claims.differences import ways_worked, worked_out
from core.numerals.claims.times import is_about
from core.numerals.claims.words import article_words, word_sets
from core.numerals.verdict import Fault, Objection
from core.text.numerals.languages import tables_of
from core.text.numerals.numeral import Numeral, NumeralKind

_UNIT_WORD: Final = re.compile(r"[ \u00a0\u202f-]?([^\W\d_]+|[°²³%]\w*)")
_TOLD: Final = frozenset({NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE, NumeralKind.DURATION})
_NOBODY: Final = word_sets("nobody")
_REACH: Final = 5  # words around "nobody" that say what nobody is
_SMALL: Final = 12  # up to here a number is soon met again with something else
_MONTH: Final = 16  # characters beside a day in which its month stands
_OPPOSITE: Final = {"rise": "fall", "fall": "rise"}


def other_unit(claim: Claim) -> Iterator[Objection]:
    """A number that the article has in another unit alone: 14 months for 14 years."""
    numeral, article = claim.place.numeral, claim.place.article
    rows = [article.numerals[row] for row in claim.equal]
    if not numeral.unit or numeral.kind is NumeralKind.AGE or any(alike(numeral, row) for row in rows):
        return
    others = [
        row
        for row in rows
        if row.kind in _TOLD
        and row.unit not in ("", numeral.unit)
        and (row.kind is numeral.kind or numeral.value > _SMALL)
    ]
    if others and numeral.kind in _TOLD and not ways_worked(claim):
        said = with_unit(claim.place.question.headline, numeral)
        yield Fault.UNIT, f"The article has “{with_unit(article.text, others[0])}”, not “{said}”."


def other_magnitude(claim: Claim) -> Iterator[Objection]:
    """A thousand or ten times what the article has, or a part of it: $297 million for $297 billion."""
    numeral, article = claim.place.numeral, claim.place.article
    same = any(alike(numeral, article.numerals[row]) for row in claim.equal)
    if same or claim.rounded or not numeral.value or numeral.kind is NumeralKind.ORDINAL:
        return
    # What the article counts elsewhere is not this by chance: 22 votes are not 2,200 flats.
    nouns = {numeral.counted for numeral in article.numerals} & {numeral.counted} - {""}
    found = [
        one
        for one in article.numerals
        if alike(numeral, one) and not nouns - {one.counted} and is_scaled(numeral, one)
    ]
    if found and not ways_worked(claim):
        yield Fault.VALUE, f"The article has “{found[0].text}”, not “{numeral.text}”."


def is_scaled(numeral: Numeral, other: Numeral) -> bool:
    if (
        not (other.value and numeral.value)
        or numeral.value == other.value
        or (numeral.kind, numeral.unit) != (other.kind, other.unit)
    ):
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
    found = _UNIT_WORD.match(text, numeral.end)
    return text[numeral.start : found.end() if found else numeral.end]


def nobody(claim: Claim) -> Iterator[Objection]:
    """So many killed where the article says that nobody was."""
    article, numeral = claim.place.article, claim.place.numeral
    listed = _NOBODY[article.language]
    if not numeral.value or numeral.kind is not NumeralKind.COUNT:
        return
    near = (word for distance, word in claim.near if distance <= _REACH and word.predicates)
    said = next(near, None)
    if said is None:
        return
    words = article_words(article)
    for (start, end), sentence in zip(article.sentences, words.sentences, strict=True):
        for first, last in clauses_of(article.text, start, end, article.language):
            clause = [word for word in sentence if first <= word.start < last]
            at = next((k for k, word in enumerate(clause) if word.text.lower() in listed), None)
            if at is None or any(
                first <= numeral.start < last and numeral.value for numeral in article.numerals
            ):
                continue
            around = clause[max(0, at - _REACH) : at + _REACH + 1]
            told = next((word for word in around if word.predicates & said.predicates), None)
            if told is not None and not _is_counted(claim, said.predicates, (first, last)):
                quoted = " ".join(article.text[first:last].split()).strip(" .,;–—")
                yield Fault.VALUE, f"The article says “{quoted}”, not “{said.text}” of “{numeral.text}”."
                return


def _is_counted(claim: Claim, said: frozenset[str], but: tuple[int, int]) -> bool:
    article = claim.place.article
    return any(
        any(word.predicates & said for word in own_words(article, row))
        for row, numeral in enumerate(article.numerals)
        if numeral.value and not but[0] <= numeral.start < but[1]
    )


def other_month(claim: Claim) -> Iterator[Objection]:
    """A day of another month than the article's: March 14 for May 14."""
    article, numeral = claim.place.article, claim.place.numeral
    said = _month(claim.place.question.headline, numeral, article.language)
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
    article, numeral = claim.place.article, claim.place.numeral
    reach = _REACH if numeral.kind is NumeralKind.PERCENT else _NEAR
    near = [(word, ways_of(claim, word)) for distance, word in claim.near if distance <= reach]
    said = next(((word.text, way) for word, ways in near for way in ways), None)
    if numeral.kind in _FIXED or said is None:
        return
    rows = [row for row in claim.equal if alike(numeral, article.numerals[row])]
    given = [_turned(claim, row, said[1]) for row in rows]
    if given and all(given):
        told = article.numerals[rows[0]].text
        yield Fault.BOUND, f"The article says “{given[0]}” of “{told}”, not “{said[0]}”."


def _turned(claim: Claim, row: int, way: str) -> str:
    own = own_words(claim.place.article, row)
    told = around(own, claim.place.article.numerals[row].number_start, _BESIDE)
    ways = {one for word in own for one in ways_of(claim, word)}
    turned = {_OPPOSITE[way]}
    return next((word.text for _, word in told if ways == turned == ways_of(claim, word)), "")


_FIXED: Final = frozenset({NumeralKind.DATE, NumeralKind.YEAR, NumeralKind.AGE, NumeralKind.ORDINAL})
"""Kinds of numbers by which nothing rises or falls."""
_NEAR: Final = 3  # words between a number that is no percentage and the way it goes, at most
_FATES: Final = frozenset({"killed", "injured", "rescued"})


def other_fate(claim: Claim) -> Iterator[Objection]:
    """The dead of a number that the article has of the hurt or the saved, and the other way round."""
    article = claim.place.article
    said = {fate: word.text for _, word in said_of(claim) for fate in word.predicates & _FATES}
    if len(said) != 1 or not claim.equal or claim.place.numeral.kind is not NumeralKind.COUNT:
        return
    ((fate, text),) = said.items()
    given = []
    for row in claim.equal:
        sentence = article_words(article).sentences[article.places[row]]
        if any(fate in word.predicates for word in sentence):
            return
        others = (word.text for word in own_words(article, row) if word.predicates & _FATES)
        given.append(next(others, ""))
    if all(given):
        number = article.numerals[claim.equal[0]].text
        yield Fault.OTHER, f"Of “{number}” the article says “{given[0]}”, not “{text}”."


_BESIDE: Final = 8  # words beside a number of the article that say which way it goes


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
    given = [rate for rate in rates if rate is not None]
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
        scores = [
            {match[1], match[2]} for match in SCORE.finditer(place.article.text, place.article.dateline)
        ]
        mine = {found[1], found[2]}
        if scores and mine not in scores and any(mine & score for score in scores):
            yield Fault.VALUE, f"The article has another score than {found[0]}."


def other_change(claim: Claim) -> Iterator[Objection]:
    """A change that goes the other way than the article's, or ends where that begins."""
    place, told = claim.place, concerning(claim)
    if not told:
        return
    numerals, way = place.article.numerals, direction_of(claim)
    to = step_before(claim) == "to"
    meant = []
    for change in told:
        amount = amount_of(claim, change)
        by = amount is not None and is_about(claim, abs(amount))
        if by or (to and change.after in claim.equal):
            meant.append(change)
    if meant:
        ways = {goes(numerals[change.after].value - numerals[change.before].value) for change in meant}
        wrong = meant if way and way not in ways else []
    else:
        begin = {change.before for change in told}
        wrong = [
            change for change in told if to and change.before in claim.equal and begin.issuperset(claim.equal)
        ]
    for change in wrong:
        first, last = numerals[change.before], numerals[change.after]
        yield Fault.BOUND, f"The article has it from “{first.text}” to “{last.text}”."


def other_half(claim: Claim) -> Iterator[Objection]:
    """An hour after noon that the article has before noon alone, or the other way round."""
    place = claim.place
    said = _HALF.match(place.question.headline, place.numeral.number_end)
    numerals, text = place.article.numerals, place.article.text
    hours = [numerals[row] for row in claim.equal if numerals[row].kind is NumeralKind.TIME]
    given = [_HALF.match(text, hour.number_end) for hour in hours]
    if said and given and all(one and one[1].lower() != said[1].lower() for one in given):
        yield Fault.VALUE, f"The article has “{hours[0].text}”, in the other half of the day."


def other_currency(claim: Claim) -> Iterator[Objection]:
    """A sum that the article has in other currencies alone."""
    numeral = claim.place.numeral
    if numeral.kind is not NumeralKind.MONEY or not numeral.unit:
        return
    equal = [claim.place.article.numerals[row] for row in claim.equal]
    sums = [numeral for numeral in equal if numeral.kind is NumeralKind.MONEY]
    if sums and all(total.unit and total.unit != numeral.unit for total in sums):
        yield Fault.UNIT, f"The article has “{sums[0].text}”, not “{numeral.text}”."
