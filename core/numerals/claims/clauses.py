"""Which clause a number stands in, which words are said of it, and changes of which an article has both ends.

"150 rescued, 14 missing" says nothing of the 14 but that they are missing. Which way a change goes and how
large it is follows from its ends, "from 120 to 90", whatever words stand beside them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from core.numerals.claims.claim import Claim, around
from core.numerals.claims.words import CHANGES, TABLES, Word, article_words
from core.numerals.derivations.operands import looks_like_year
from core.numerals.question import AT_ONCE, ReadArticle
from core.text.numerals.numeral import Approximation, Numeral, NumeralKind

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
    clauses, _ = _sentences(article)[article.places[row]]
    return _at(clauses, article.numerals[row].number_start)


def own_words(article: ReadArticle, row: int) -> tuple[Word, ...]:
    start, end = clause_of(article, row)
    return tuple(word for word in _words(article, row) if start <= word.start < end)


def beside(article: ReadArticle, row: int) -> Iterator[tuple[tuple[Word, ...], tuple[Numeral, ...]]]:
    """The clauses of the sentence of one of an article's numerals: their words, and their numbers."""
    clauses, numbers = _sentences(article)[article.places[row]]
    for start, end in clauses:
        words = tuple(word for word in _words(article, row) if start <= word.start < end)
        yield words, tuple(number for number in numbers if start <= number.number_start < end)


def _words(article: ReadArticle, row: int) -> tuple[Word, ...]:
    return article_words(article).sentences[article.places[row]]


def said_of(claim: Claim) -> tuple[tuple[int, Word], ...]:
    """The headline's words near its number without those of another number's clause; see `Claim.near`."""
    return _left(claim.near, _taken(claim))


def _taken(claim: Claim) -> tuple[Clause, ...]:
    headline = claim.place.question.headline
    rivals = [other.numeral for other in claim.others if _tells(other.numeral)]
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
    found = tuple(word for word in words if not _is_inside(word[1], taken))
    return found if any(word.predicates for _, word in found) else words


def _is_inside(word: Word, clauses: Sequence[Clause]) -> bool:
    return any(start <= word.start < end for start, end in clauses)


def _others(clauses: Sequence[Clause], numeral: Numeral, numbers: Sequence[Numeral]) -> tuple[Clause, ...]:
    mine = _at(clauses, numeral.number_start)
    theirs = {_at(clauses, number.number_start) for number in numbers}
    return tuple(clause for clause in clauses if clause in theirs and clause != mine)


def _at(clauses: Sequence[Clause], place: int) -> Clause:
    return next((clause for clause in clauses if clause[0] <= place < clause[1]), clauses[-1])


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
    language: {key: _Entries((part, part) for part in words.split()) for key, words in table.items()}
    for language, table in TABLES["periods"].items()
}


def of_other_numbers(claim: Claim) -> TimeWords | None:
    """The headline's period where the article has it of other numbers alone, and another of this one."""
    article = claim.place.article
    numeral = claim.place.numeral
    others = (*_taken(claim), (numeral.start, numeral.end))
    mine = list(periods_of([word for word in claim.words if not _is_inside(word, others)], article.language))
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


OPERANDS: Final = frozenset({NumeralKind.COUNT, NumeralKind.MONEY, NumeralKind.MEASURE, NumeralKind.PERCENT})
"""Kinds of numbers that may be counted against each other."""
APART: Final = 80  # characters between the ends of a change at most
_OF: Final = ("'s", "’s", "s'", "s’")
CAPITALS: Final = "de"  # the language in which a capital inside of a sentence does not tell a name
_UP: Final = "rise"
_DOWN: Final = "fall"


@dataclass(frozen=True, slots=True)
class Change:
    before: int  # row of the article's numeral that it begins with
    after: int  # row of the one that it ends with


@lru_cache(maxsize=AT_ONCE)
def changes_of(article: ReadArticle) -> tuple[Change, ...]:
    """The changes of which an article has both ends in one sentence, in order."""
    signs = CHANGES.get(article.language)
    return () if signs is None else tuple(_told(article, signs))


def _told(article: ReadArticle, signs: dict[str, re.Pattern[str]]) -> Iterator[Change]:
    rows = [row for row, numeral in enumerate(article.numerals) if is_operand(article, numeral)]
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
    return same or any(
        numeral.kind is NumeralKind.COUNT and not numeral.counted for numeral in (first, second)
    )


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
    return [
        change for change in changes_of(claim.place.article) if concerns(claim, (change.before, change.after))
    ]


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
