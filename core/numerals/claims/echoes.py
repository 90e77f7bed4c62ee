"""Whether a clause of the article says of a number what the headline does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final

from core.numerals.claims.bounds import BoundAgreement, agreement
from core.numerals.claims.changes import names_of
from core.numerals.claims.claim import Claim, alike
from core.numerals.claims.clauses import (
    beside,
    own_in_headline,
    own_words,
    said_of,
    tells_parts,
    words_outside,
)
from core.numerals.claims.words import DOUBTS, Word, article_words, opposed_to
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
