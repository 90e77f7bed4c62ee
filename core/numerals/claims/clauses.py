"""Which clause a number stands in, and which words are therefore said of it and not of another number.

"150 rescued, 14 missing" says nothing of the 14 but that they are missing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.numerals.claims.claim import Claim, around
from core.numerals.claims.words import Word, article_words
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Numeral, NumeralKind

_JOINS: Final = r"\b(?:and|but|while|whereas|und|aber|während|et|mais|tandis|e|ma|mentre|и|но|а)\b"
_BREAK: Final = re.compile(rf"[,;–—]\s|\s[-–—]\s|{_JOINS}", re.IGNORECASE)
_WITHOUT_DASH: Final = re.compile(rf"[,;]\s|{_JOINS}", re.IGNORECASE)
TELLING: Final = frozenset({NumeralKind.COUNT, NumeralKind.MONEY, NumeralKind.PERCENT, NumeralKind.MEASURE})
"""Kinds of numbers that have words of their own beside them; a date or an age is told in passing."""
_WHOLE: Final = 1_000

Clause = tuple[int, int]  # start and end of a clause, in characters of its text


def breaks_in(language: str) -> re.Pattern[str]:
    """Where a clause may end; a Russian dash stands for a verb: "против — 11"."""
    return _WITHOUT_DASH if language == "ru" else _BREAK


def clauses_of(text: str, start: int, end: int, language: str) -> tuple[Clause, ...]:
    """The clauses of a sentence in order, which leave nothing out."""
    cuts = [start, *(found.end() for found in breaks_in(language).finditer(text, start, end)), end]
    return tuple((left, right) for left, right in pairwise(cuts) if left < right)


@lru_cache(maxsize=AT_ONCE)
def _sentences(article: ReadArticle) -> tuple[tuple[tuple[Clause, ...], tuple[Numeral, ...]], ...]:
    found: list[list[Numeral]] = [[] for _ in article.sentences]
    for one, place in zip(article.numerals, article.places, strict=True):
        if _tells(one):
            found[place].append(one)
    clauses = (clauses_of(article.text, start, end, article.language) for start, end in article.sentences)
    return tuple(zip(clauses, map(tuple, found), strict=True))


def _tells(numeral: Numeral) -> bool:
    return numeral.kind in TELLING and not looks_like_year(numeral)


def clause_of(article: ReadArticle, row: int) -> Clause:
    """The clause of one of an article's numerals."""
    clauses, _ = _sentences(article)[article.places[row]]
    return _at(clauses, article.numerals[row].number_start)


def own_words(article: ReadArticle, row: int) -> tuple[Word, ...]:
    """The words of the clause of one of an article's numerals."""
    start, end = clause_of(article, row)
    return tuple(word for word in _words(article, row) if start <= word.start < end)


def beside(article: ReadArticle, row: int) -> Iterator[tuple[tuple[Word, ...], tuple[Numeral, ...]]]:
    """The clauses of the sentence of one of an article's numerals: their words, and their numbers."""
    clauses, numbers = _sentences(article)[article.places[row]]
    for start, end in clauses:
        words = tuple(word for word in _words(article, row) if start <= word.start < end)
        yield words, tuple(one for one in numbers if start <= one.number_start < end)


def _words(article: ReadArticle, row: int) -> tuple[Word, ...]:
    return article_words(article).sentences[article.places[row]]


def own_in_headline(claim: Claim) -> tuple[Word, ...]:
    """The headline's words but for those of its number and of another number's clause."""
    numeral, taken = claim.place.numeral, _taken(claim)
    inside = (*taken, (numeral.start, numeral.end))
    return tuple(word for word in claim.words if not _is_inside(word, inside))


def said_of(claim: Claim) -> tuple[tuple[int, Word], ...]:
    """The headline's words near its number without those of another number's clause; see `Claim.near`."""
    return _left(claim.near, _taken(claim))


def _taken(claim: Claim) -> tuple[Clause, ...]:
    headline = claim.place.question.headline
    rivals = [one.numeral for one in claim.others if _tells(one.numeral)]
    if not rivals:
        return ()
    return _others(
        clauses_of(headline, 0, len(headline), claim.place.article.language), claim.place.numeral, rivals
    )


def given_of(claim: Claim, row: int) -> tuple[tuple[int, Word], ...]:
    """The words of the sentence of one of the article's numerals, nearest first, with how far away they are.

    Those of another number's clause are left out.
    """
    article = claim.place.article
    near = around(_words(article, row), article.numerals[row].number_start, _WHOLE)
    clauses, numbers = _sentences(article)[article.places[row]]
    return _left(near, _others(clauses, article.numerals[row], numbers))


def _left(words: tuple[tuple[int, Word], ...], taken: Sequence[Clause]) -> tuple[tuple[int, Word], ...]:
    found = tuple(one for one in words if not _is_inside(one[1], taken))
    return found if any(word.predicates for _, word in found) else words


def _is_inside(word: Word, clauses: Sequence[Clause]) -> bool:
    return any(start <= word.start < end for start, end in clauses)


def _others(clauses: Sequence[Clause], numeral: Numeral, numbers: Sequence[Numeral]) -> tuple[Clause, ...]:
    mine = _at(clauses, numeral.number_start)
    theirs = {_at(clauses, one.number_start) for one in numbers}
    return tuple(one for one in clauses if one in theirs and one != mine)


def _at(clauses: Sequence[Clause], place: int) -> Clause:
    return next((one for one in clauses if one[0] <= place < one[1]), clauses[-1])


_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)["periods"]


_ELIDED: Final = re.compile(r"^[^\W\d]{1,2}['’]")


class TimeWords(NamedTuple):
    """A word or two that say when."""

    name: str  # the entries of `words.toml` that they are
    text: str  # as they stand
    start: int  # where they begin, in characters of the text


def periods_of(words: Sequence[Word], language: str) -> Iterator[TimeWords]:
    """What some words in order say about when."""
    tables = _TABLES[language]
    for word in words:
        alone = tables["alone"].get_for(word)
        if alone:
            yield TimeWords(alone, word.text, word.start)
    for one, other in pairwise(words):
        for first, second in ((one, other), (other, one)):
            which, what = tables["which"].get_for(first), tables["what"].get_for(second)
            if which and what:
                yield TimeWords(f"{which} {what}", f"{one.text} {other.text}", one.start)


class _Entries(dict[str, str]):
    def get_for(self, word: Word) -> str:
        low = word.text.lower()
        low = low if low in self else _ELIDED.sub("", low)
        begun = (f"{low[:size]}*" for size in range(len(low), 1, -1))
        return self.get(low, "") or next((one for one in begun if one in self), "")


_TABLES: Final = {
    language: {key: _Entries((one, one) for one in words.split()) for key, words in table.items()}
    for language, table in _DATA.items()
}


def of_other_numbers(claim: Claim) -> TimeWords | None:
    """The headline's period where the article has it of other numbers alone, and another of this one."""
    article = claim.place.article
    mine = list(periods_of(own_in_headline(claim), article.language))
    if len(mine) != 1 or not claim.equal:
        return None
    (said,) = mine
    sentences = article_words(article).sentences
    told = [
        (at, one)
        for at, words in enumerate(sentences)
        for one in periods_of(words, article.language)
        if one.name == said.name
    ]
    if not told or not all(_is_of_others(claim, at, one) for at, one in told):
        return None
    timed = (list(periods_of(own_words(article, row), article.language)) for row in claim.equal)
    return said if all(timed) else None


def _is_of_others(claim: Claim, at: int, period: TimeWords) -> bool:
    article = claim.place.article
    rows = [row for row, place in enumerate(article.places) if place == at]
    if any(row in claim.equal and article.numerals[row].start > period.start for row in rows):
        return False
    start, end = article.sentences[at]
    near = [row for row in rows if _holds(clause_of(article, row), period)]
    near = near or [row for row in rows if article.numerals[row].start > period.start]
    return bool(near) and not set(near) & set(claim.equal) and start <= period.start < end


def _holds(clause: tuple[int, int], period: TimeWords) -> bool:
    return clause[0] <= period.start < clause[1]
