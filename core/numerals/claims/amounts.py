"""Amounts that are plainly another than the article's: another rate, step, score, end, hour or currency."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType
from typing import Final

from core.numerals.claims.changes import (
    amount_of,
    concerning,
    direction_of,
    ends_of,
    goes,
    names_of,
    says_nothing_new,
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
from core.numerals.claims.clauses import (
    beside,
    own_in_headline,
    own_words,
    said_of,
    tells_parts,
    words_outside,
)
from core.numerals.claims.verdict import Fault, Objection
from core.numerals.claims.words import DOUBTS, BoundAgreement, Word, agreement, article_words, opposed_to
from core.numerals.claims.workings.differences import change, difference, likely, told
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
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

_VOTES: Final = frozenset({"approve", "reject"})
_LEAST: Final = 2
"""Words that a clause and the headline have in common, where none of them says something of a number."""


class Echo(IntEnum):
    """What a clause of the article has of the headline's claim.

    WORDS: some of its words, and all that say something of the number. ALL: the whole, of no other number.
    """

    NONE = 0
    WORDS = 1
    ALL = 2


def echo_of(claim: Claim) -> Echo:
    """The most that the clause of one of the article's equal numbers says."""
    return max((_echo(claim, row) for row in claim.equal), default=Echo.NONE)


def _echo(claim: Claim, row: int) -> Echo:
    place = claim.place
    article, numeral = place.article, place.numeral
    other = article.numerals[row]
    agrees = agreement(numeral, place.question.headline, other, article.text)
    if not alike(numeral, other) or agrees is BoundAgreement.CONTRADICTS:
        return Echo.NONE
    own = own_words(article, row)
    said = [word for _, word in said_of(claim)]
    if not all(_is_in(word, own) for word in said if word.predicates):
        return Echo.NONE
    here = [word for word in said if (word.content or word.predicates) and _is_in(word, own)]
    enough = len(here) >= _LEAST or any(word.predicates for word in here)
    if not enough or not _counts_the_same(numeral, other, here):
        return Echo.NONE
    return Echo.ALL if _is_restated(claim, row, own) else Echo.WORDS


def _is_in(word: Word, own: Iterable[Word]) -> bool:
    return any(word.form == one.form or word.predicates & one.predicates for one in own)


def _is_restated(claim: Claim, row: int, own: Sequence[Word]) -> bool:
    """Whether a clause that has no other number tells exactly what the headline does."""
    article, numeral = claim.place.article, claim.place.numeral
    other = article.numerals[row]
    exact = numeral.approximation is other.approximation is Approximation.EXACT
    plain = other.start >= article.dateline and (numeral.kind, numeral.unit) == (other.kind, other.unit)
    if not exact or not plain or not _is_only_one(claim, row):
        return False
    headline = own_in_headline(claim)
    doubts = DOUBTS[article.language]
    if any(word.text.lower() in doubts for word in (*own, *headline)) or tells_parts(article, row):
        return False
    mine = [word for word in headline if word.content]
    words = article_words(article)
    names = names_of(article)
    lead = {word.form for sentence in words.sentences[:1] for word in sentence} & names
    known = {word.form for word in words_outside(article, row)} | lead
    told = frozenset(one for word in own for one in word.predicates)
    said = frozenset(one for word in claim.words for one in word.predicates)
    here = [word for word in mine if _is_in(word, own)]
    clause = [word for word in own if word.content and not other.start <= word.start < other.end]
    return (
        {word.form for word in own} & names <= {word.form for word in claim.words}
        and told & _VOTES == said & _VOTES
        and not any(opposed_to(one) & told for one in said - told)
        and _counts_the_same(numeral, other, here)
        and 2 * len(here) >= len(mine)
        and 2 * sum(_is_in(word, mine) for word in clause) >= len(clause)
        and all(word in here or word.form in known for word in mine)
    )


def _is_only_one(claim: Claim, row: int) -> bool:
    article = claim.place.article
    one = article.numerals[row]
    if one.counted and any(
        other.counted == one.counted and other.value != one.value for other in article.numerals
    ):
        return False
    for clause, numbers in beside(article, row):
        if one in numbers and len(numbers) > 1:
            return False
        same = one not in numbers and any(other.kind is one.kind for other in numbers)
        if same and not any(word.predicates for word in clause):
            return False
    return True


def _counts_the_same(numeral: Numeral, other: Numeral, here: Sequence[Word]) -> bool:
    said = any(word.predicates for word in here)
    if numeral.kind is NumeralKind.COUNT and other.counted:
        return numeral.counted == other.counted
    return said or (numeral.kind is not NumeralKind.COUNT and len(here) >= _LEAST)


_SLASH: Final = "/"


class Settled(IntEnum):
    """What arithmetic leaves no doubt about: nothing, the number, or what is said of it, too.

    ABSENT: that the article has no such number. LIKELY: that a human has to look before it is called wrong.
    """

    ABSENT = -1
    NOTHING = 0
    LIKELY = 1
    NUMBER = 2
    WORDS = 3


def worked_out(claim: Claim) -> tuple[int, ...]:
    """Rows of the article's numerals from which a number follows by such arithmetic; () where none does."""
    return next((rows for way, rows in ways_worked(claim).items() if way not in UNSURE), ())


def surely(claim: Claim, worked: Sequence[int]) -> Settled:
    """What arithmetic settles of a claim."""
    ends = next(ends_of(claim), None)
    if not worked and ends is None:
        echo = echo_of(claim)
        if echo is Echo.ALL:
            return Settled.NUMBER
        if echo or ways_worked(claim) or any(likely(claim)):
            return Settled.LIKELY
        return Settled.ABSENT if _is_absent(claim) else Settled.NOTHING
    goes_so = ends is not None or (direction_of(claim) and next(told(claim), None))
    return Settled.WORDS if goes_so and says_nothing_new(claim) else Settled.NUMBER


def _is_absent(claim: Claim) -> bool:
    """Whether a fraction in digits ("9/14", also a day) is not in the article and follows from nothing."""
    fraction = claim.place.numeral.kind is NumeralKind.FRACTION and _SLASH in claim.place.numeral.number
    return fraction and not claim.equal and not claim.place.derivations


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
