"""Which clause a number stands in, and which words are said of it."""

import re
from collections.abc import Iterator, Sequence
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
Scopes = tuple[frozenset[str], frozenset[str], frozenset[str]]


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
def _sentences(article: ReadArticle) -> tuple[tuple[tuple[Clause, ...], tuple[Numeral, ...]], ...]:
    numerals: list[list[Numeral]] = [[] for _ in article.sentences]
    for numeral, place in zip(article.numerals, article.places, strict=True):
        if _tells(numeral):
            numerals[place].append(numeral)
    clauses = (clauses_of(article.text, start, end, article.language) for start, end in article.sentences)
    return tuple(zip(clauses, map(tuple, numerals), strict=True))


def _tells(numeral: Numeral) -> bool:
    return numeral.kind in TELLING and not looks_like_year(numeral)


def clause_of(article: ReadArticle, row: int) -> Clause:
    return _at(_sentences(article)[article.places[row]][0], article.numerals[row].number_start)


def own_words(article: ReadArticle, row: int) -> tuple[Word, ...]:
    clause = clause_of(article, row)
    return tuple(word for word in sentence_words(article, row) if clause.holds(word.start))


def beside(article: ReadArticle, row: int) -> Iterator[tuple[tuple[Word, ...], tuple[Numeral, ...]]]:
    """The clauses of the sentence of one of an article's numerals: their words, and their numbers."""
    clauses, numbers = _sentences(article)[article.places[row]]
    for clause in clauses:
        words = tuple(word for word in sentence_words(article, row) if clause.holds(word.start))
        yield words, tuple(number for number in numbers if clause.holds(number.number_start))


def said_of(claim: Claim) -> tuple[tuple[int, Word], ...]:
    """The headline's words near its number without those of another number's clause; see `Claim.near`."""
    return _left(claim.near, clauses_of_others(claim))


def clauses_of_others(claim: Claim) -> tuple[Clause, ...]:
    rivals = [other.numeral for other in claim.others if _tells(other.numeral)]
    clauses = clauses_of(claim.headline, 0, len(claim.headline), claim.language) if rivals else ()
    return _others(clauses, claim.numeral, rivals)


def given_of(claim: Claim, row: int) -> tuple[tuple[int, Word], ...]:
    """The words of a numeral's sentence without other numbers' clauses, nearest first, with distances."""
    article, numeral = claim.article, claim.article.numerals[row]
    clauses, numbers = _sentences(article)[article.places[row]]
    near = around(sentence_words(article, row), numeral.number_start, _WHOLE)
    return _left(near, _others(clauses, numeral, numbers))


def _left(words: tuple[tuple[int, Word], ...], taken: Sequence[Clause]) -> tuple[tuple[int, Word], ...]:
    remaining = tuple(word for word in words if not any(clause.holds(word[1].start) for clause in taken))
    return remaining if any(word.predicates for _, word in remaining) else words


def _others(clauses: Sequence[Clause], numeral: Numeral, numbers: Sequence[Numeral]) -> tuple[Clause, ...]:
    theirs = {_at(clauses, number.number_start) for number in numbers}
    return tuple(clause for clause in clauses if clause in theirs - {_at(clauses, numeral.number_start)})


def _at(clauses: Sequence[Clause], place: int) -> Clause:
    return next((clause for clause in clauses if clause.holds(place)), clauses[-1])


def words_said(claim: Claim) -> list[Word]:
    """The content words of a headline without its number."""
    start, end = claim.numeral.start, claim.numeral.end
    return [word for word in claim.words if word.content and not start <= word.start < end]


def own_rows(claim: Claim) -> Sequence[int]:
    """Rows of the article's numerals that the headline's may be."""
    rows = claim.alike_rows or claim.equal or claim.rounded
    return rows or (() if claim.source is None else (claim.source,))


def rival_rows(claim: Claim) -> list[int]:
    """Rows of other numbers of the article that may tell of the same thing, and are not in the headline."""
    numeral, article = claim.numeral, claim.article
    shown = {numeral.value, *(other.numeral.value for other in claim.others)}
    rows = [row for row, other in enumerate(article.numerals) if may_support(article, other)]
    numerals = article.numerals
    return [row for row in rows if numerals[row].value not in shown and alike(numeral, numerals[row])]


@lru_cache(maxsize=AT_ONCE * 32)
def words_with(article: ReadArticle, row: int) -> Scopes:
    """Forms of the words of the clause of one of an article's numerals, its sentence, and the two beside."""
    sentences, at = article_words(article).sentences, article.places[row]
    near = chain.from_iterable(sentences[max(at - 1, 0) : at + 2])
    clause, sentence, around_it = (
        frozenset(word.form for word in words) for words in (own_words(article, row), sentences[at], near)
    )
    return clause, sentence, around_it
