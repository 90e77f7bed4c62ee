"""Changes of which an article has both ends, "from 120 to 90", and what a headline says of one.

Which way such a change goes and how large it is follows from its ends, whatever words stand beside them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from core.numerals.claims.claim import Claim
from core.numerals.claims.clauses import breaks_in
from core.numerals.claims.words import CHANGES, Word, article_words
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

OPERANDS: Final = frozenset({NumeralKind.COUNT, NumeralKind.MONEY, NumeralKind.MEASURE, NumeralKind.PERCENT})
"""Kinds of numbers that may be counted against each other."""
APART: Final = 80  # characters between the ends of a change at most
_OF: Final = ("'s", "’s", "s'", "s’")
CAPITALS: Final = "de"  # the language in which a capital inside of a sentence does not tell a name
_UP: Final = "rise"
_DOWN: Final = "fall"


@dataclass(frozen=True, slots=True)
class Change:
    """A change with both ends."""

    before: int  # row of the article's numeral that it begins with
    after: int  # row of the one that it ends with


@lru_cache(maxsize=AT_ONCE)
def changes_of(article: ReadArticle) -> tuple[Change, ...]:
    """The changes of which an article has both ends in one sentence, in order."""
    signs = CHANGES.get(article.language)
    return () if signs is None else tuple(_told(article, signs))


def _told(article: ReadArticle, signs: dict[str, re.Pattern[str]]) -> Iterator[Change]:
    rows = [row for row, one in enumerate(article.numerals) if is_operand(article, one)]
    for at, right in enumerate(rows):
        second = article.numerals[right]
        near = (row for row in reversed(rows[:at]) if _alike(article.numerals[row], second))
        left = next(near, None)
        if left is None or article.places[left] != article.places[right]:
            continue
        first = article.numerals[left]
        between = article.text[first.end : second.start]
        if len(between) > APART or first.value == second.value:
            continue
        before = article.text[article.sentences[article.places[left]][0] : first.start]
        if signs["from"].search(before) and signs["to"].search(between):
            yield Change(left, right)
        elif signs["against"].search(between) or (
            signs["to"].search(before) and signs["from"].search(between)
        ):
            yield Change(right, left)


def is_operand(article: ReadArticle, numeral: Numeral) -> bool:
    """Whether a number of an article may be counted against another one."""
    return (
        numeral.start >= article.dateline
        and numeral.kind in OPERANDS
        and numeral.value > 0
        and not looks_like_year(numeral)
        and numeral.approximation is not Approximation.VAGUE
    )


def _alike(first: Numeral, second: Numeral) -> bool:
    same = (first.kind, first.unit) == (second.kind, second.unit)
    return same or any(one.kind is NumeralKind.COUNT and not one.counted for one in (first, second))


def amount_of(claim: Claim, change: Change) -> Fraction | None:
    """By how much something rises, below 0 where it falls, as the headline's number counts it.

    In per cent of the first end where that is one, or in the ends' own unit; None in any other. From 25 to
    40 % are 15 points, and not 15 %.
    """
    numeral, article = claim.place.numeral, claim.place.article
    first, last = article.numerals[change.before], article.numerals[change.after]
    unit = last.unit or first.unit
    size = last.value - first.value
    if in_points(claim):
        return size if unit == "%" else None
    if numeral.kind is NumeralKind.PERCENT:
        return size / first.value * 100
    return size if {numeral.unit, unit} in ({unit}, {"", "%"}) else None


def in_points(claim: Claim) -> bool:
    """Whether the headline's number counts points between percentages: "15 percentage points"."""
    numeral, signs = claim.place.numeral, CHANGES.get(claim.place.article.language)
    if numeral.kind is not NumeralKind.PERCENT or signs is None:
        return False
    return signs["points"].search(numeral.text.lower()) is not None


def direction_of(claim: Claim) -> str:
    """Which way the headline says that something goes: "rise", "fall", or "" where it says neither."""
    said = [word for _, word in claim.near if ways_of(claim, word)]
    return next(iter(ways_of(claim, said[0]))) if said else ""


def ways_of(claim: Claim, word: Word) -> frozenset[str]:
    """The one direction that a word says; none where it says both or neither."""
    found = word.predicates & {_UP, _DOWN}
    signs = CHANGES.get(claim.place.article.language)
    if not found and signs is not None and signs["less"].fullmatch(word.text.lower()):
        return frozenset({_DOWN})
    return found if len(found) == 1 else frozenset()


def goes(size: Fraction) -> str:
    """The direction of a change by its size."""
    return _UP if size > 0 else _DOWN


def concerns(claim: Claim, rows: Collection[int]) -> bool:
    """Whether the sentences of some numerals, with the one before each, tell of what the headline does.

    They have every word of the headline that the article has, but for words of direction, for the points
    that its number counts, and for names that its first sentence has.
    """
    article = claim.place.article
    words = article_words(article)
    places = {article.places[row] - step for row in rows for step in (0, 1)}
    told = {word.form for at in places if at >= 0 for word in words.sentences[at]}
    lead = {word.form for sentence in words.sentences[:1] for word in sentence} & names_of(article)
    said = _said(claim)
    return bool(said & told) and said <= told | lead


def _said(claim: Claim) -> set[str]:
    known = article_words(claim.place.article).forms
    return {word.form for word in _around(claim) if word.form in known and not word.predicates & {_UP, _DOWN}}


def _around(claim: Claim) -> Iterator[Word]:
    numeral = claim.place.numeral
    signs = CHANGES.get(claim.place.article.language)
    behind = next((word for word in claim.words if word.start >= numeral.end), None)
    for word in claim.words:
        # The article has the ends in per cent.
        points = word is behind and signs is not None and signs["points"].fullmatch(word.text.lower())
        if word.content and not points and not numeral.start <= word.start < numeral.end:
            yield word


def concerning(claim: Claim) -> list[Change]:
    """The article's changes that are of what the headline is about."""
    return [one for one in changes_of(claim.place.article) if concerns(claim, (one.before, one.after))]


def in_one_clause(claim: Claim, change: Change) -> bool:
    """Whether the clause of a change has every word of the headline that the article has.

    Words of direction and whom the article begins with may stand elsewhere, and so may names of its first
    sentence, but for those of another change: "the deficit widened to 48 from 31
    million, while receipts fell".
    """
    article, words = claim.place.article, article_words(claim.place.article)
    told = _clause(article, change)
    elsewhere = {form for one in changes_of(article) if one != change for form in _clause(article, one)}
    lead = {word.form for sentence in words.sentences[:1] for word in sentence} & names_of(article)
    said = _said(claim)
    return bool(said & told) and said <= told | (lead - elsewhere) | _actor(article)


def _clause(article: ReadArticle, change: Change) -> set[str]:
    left, right = sorted((change.before, change.after))
    start, end = article.sentences[article.places[left]]
    first, last = article.numerals[left], article.numerals[right]
    breaks = breaks_in(article.language)
    start = max((found.end() for found in breaks.finditer(article.text, start, first.start)), default=start)
    behind = breaks.search(article.text, last.end, end)
    end = behind.start() if behind else end
    sentence = article_words(article).sentences[article.places[left]]
    return {word.form for word in sentence if start <= word.start < end}


def names_of(article: ReadArticle) -> frozenset[str]:
    """Forms of an article's names, none in a language that writes other words with a capital, too."""
    return frozenset() if article.language == CAPITALS else article_words(article).names


def _actor(article: ReadArticle) -> set[str]:
    names = names_of(article)
    found: set[str] = set()
    lead = (word for words in article_words(article).sentences[:1] for word in words if word.content)
    for at, word in enumerate(lead):
        owner = word.text.endswith(_OF)
        if word.form in names or (at == 0 and owner):
            found.add(word.form)
        if found and (owner or word.form not in names):
            break
    return found
