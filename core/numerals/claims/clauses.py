"""Which clause a number stands in, and which words are said of it."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final, NamedTuple

from core.numerals.claims.claim import Claim, alike, around, may_support
from core.numerals.claims.words import Word, article_words, sentence_words
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Numeral, NumeralKind

_JOINS: Final = r"\b(?:and|but|while|whereas|und|aber|während|et|mais|tandis|e|ma|mentre|и|но|а)\b"
_BREAK: Final = re.compile(rf"[,;–—]\s|\s[-–—]\s|{_JOINS}", re.IGNORECASE)
_WITHOUT_DASH: Final = re.compile(rf"[,;]\s|{_JOINS}", re.IGNORECASE)
TELLING: Final = frozenset({NumeralKind.COUNT, NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE})
"""Kinds of numbers that have words of their own beside them; a date or an age is told in passing."""
_WHOLE: Final = 1_000


class Clause(NamedTuple):
    start: int  # in characters of its text
    end: int

    def holds(self, place: int) -> bool:
        return self.start <= place < self.end


def breaks_in(language: str) -> re.Pattern[str]:
    """Where a clause may end; a Russian dash stands for a verb: "против — 11"."""
    return _WITHOUT_DASH if language == "ru" else _BREAK


def clauses_of(text: str, start: int, end: int, language: str) -> tuple[Clause, ...]:
    """The clauses of a sentence in order, which leave nothing out."""
    cuts = [start, *(match.end() for match in breaks_in(language).finditer(text, start, end)), end]
    return tuple(Clause(left, right) for left, right in pairwise(cuts) if left < right)


@lru_cache(maxsize=AT_ONCE)
def clauses_in(article: ReadArticle) -> tuple[Mapping[Clause, tuple[Word, ...]], ...]:
    """The clauses of each sentence of an article in order, with their words."""
    sentences = []
    for span, words in zip(article.sentences, article_words(article).sentences, strict=True):
        clauses = clauses_of(article.text, *span, article.language)
        sentences.append({each: tuple(word for word in words if each.holds(word.start)) for each in clauses})
    return tuple(sentences)


def clause_of(article: ReadArticle, row: int) -> Clause:
    return _at([*clauses_in(article)[article.places[row]]], article.numerals[row].number_start)


def own_words(article: ReadArticle, row: int) -> tuple[Word, ...]:
    return clauses_in(article)[article.places[row]][clause_of(article, row)]


def tells(numeral: Numeral) -> bool:
    return numeral.kind in TELLING and not looks_like_year(numeral)


def telling_beside(article: ReadArticle, row: int) -> list[Numeral]:
    """The numbers that tell something in the sentence of one of an article's numerals."""
    own = zip(article.numerals, article.places, strict=True)
    return [numeral for numeral, place in own if place == article.places[row] and tells(numeral)]


def said_of(claim: Claim) -> tuple[tuple[int, Word], ...]:
    """The headline's words near its number without those of another number's clause; see `Claim.near`."""
    return _left(claim.near, clauses_of_others(claim))


def clauses_of_others(claim: Claim) -> tuple[Clause, ...]:
    rivals = [other.numeral for other in claim.others if tells(other.numeral)]
    clauses = clauses_of(claim.headline, 0, len(claim.headline), claim.language) if rivals else ()
    return _others(clauses, claim.numeral, rivals)


def given_of(claim: Claim, row: int) -> tuple[tuple[int, Word], ...]:
    """The words of a numeral's sentence without other numbers' clauses, nearest first, with distances."""
    article, numeral = claim.article, claim.article.numerals[row]
    near = around(sentence_words(article, row), numeral.number_start, _WHOLE)
    clauses = [*clauses_in(article)[article.places[row]]]
    return _left(near, _others(clauses, numeral, telling_beside(article, row)))


def _left(words: tuple[tuple[int, Word], ...], taken: Sequence[Clause]) -> tuple[tuple[int, Word], ...]:
    remaining = tuple(word for word in words if not any(clause.holds(word[1].start) for clause in taken))
    return remaining if any(word.predicates for _, word in remaining) else words


def _others(clauses: Sequence[Clause], numeral: Numeral, numbers: Sequence[Numeral]) -> tuple[Clause, ...]:
    theirs = {_at(clauses, number.number_start) for number in numbers}
    return tuple(clause for clause in clauses if clause in theirs - {_at(clauses, numeral.number_start)})


def _at(clauses: Sequence[Clause], place: int) -> Clause:
    return next((clause for clause in clauses if clause.holds(place)), clauses[-1])


def words_said(claim: Claim) -> list[Word]:
    start, end = claim.numeral.start, claim.numeral.end
    return [word for word in claim.words if word.content and not start <= word.start < end]


def own_rows(claim: Claim) -> Sequence[int]:
    rows = claim.alike_rows or claim.equal or claim.rounded
    return rows or (() if claim.source is None else (claim.source,))


def rival_rows(claim: Claim) -> list[int]:
    """Rows of other numbers of the article that may tell of the same thing, and are not in the headline."""
    numeral, article = claim.numeral, claim.article
    others = ((row, other) for row, other in enumerate(article.numerals) if may_support(article, other))
    return [row for row, other in others if other.value not in claim.shown and alike(numeral, other)]


@lru_cache(maxsize=AT_ONCE * 32)
def words_with(article: ReadArticle, row: int) -> tuple[frozenset[str], ...]:
    """Forms of the words of the clause of one of an article's numerals, its sentence, and the two beside."""
    sentences, at = article_words(article).sentences, article.places[row]
    near = chain.from_iterable(sentences[max(at - 1, 0) : at + 2])
    scopes = (own_words(article, row), sentences[at], near)
    return tuple(frozenset(word.form for word in words) for words in scopes)
