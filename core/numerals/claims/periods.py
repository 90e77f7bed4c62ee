"""What texts say about when, and periods that an article has of other numbers."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from core.numerals.claims.claim import Claim
from core.numerals.claims.clauses import Clause, clause_of, clauses_of_others, own_words
from core.numerals.claims.words import TABLES, Word, article_words, word_sets

_ELIDED: Final = re.compile(r"^[^\W\d]{1,2}['’]")
_PERIODS: Final = {language: word_sets(table) for language, table in TABLES["periods"].items()}


class TimeWords(NamedTuple):  # a word or two that say when
    name: str  # the entries of `words.toml` that they are
    text: str  # as they stand
    start: int  # where they begin, in characters of the text


def periods_of(words: Sequence[Word], language: str) -> Iterator[TimeWords]:
    tables = _PERIODS[language]
    for word in words:
        if alone := _entry(tables["alone"], word):
            yield TimeWords(alone, word.text, word.start)
    for left, right in pairwise(words):
        for first, second in ((left, right), (right, left)):
            which, what = _entry(tables["which"], first), _entry(tables["what"], second)
            if which and what:
                yield TimeWords(f"{which} {what}", f"{left.text} {right.text}", left.start)


def _entry(table: Collection[str], word: Word) -> str:
    low = word.text.lower()
    low = low if low in table else _ELIDED.sub("", low)
    forms = (low, *(f"{low[:size]}*" for size in range(len(low), 1, -1)))
    return next((form for form in forms if form in table), "")


def of_other_numbers(claim: Claim) -> TimeWords | None:
    """The headline's period where the article has it of other numbers alone, and another of this one."""
    article, language = claim.article, claim.language
    others = (*clauses_of_others(claim), Clause(claim.numeral.start, claim.numeral.end))
    free = [word for word in claim.words if not any(other.holds(word.start) for other in others)]
    mine = list(periods_of(free, language))
    if len(mine) != 1 or not claim.equal:
        return None
    sentences = enumerate(article_words(article).sentences)
    periods = [(at, period) for at, words in sentences for period in periods_of(words, language)]
    same = [(at, period) for at, period in periods if period.name == mine[0].name]
    if not same or not all(_is_of_others(claim, at, period) for at, period in same):
        return None
    timed = all(list(periods_of(own_words(article, row), language)) for row in claim.equal)
    return mine[0] if timed else None


def _is_of_others(claim: Claim, at: int, period: TimeWords) -> bool:
    article = claim.article
    rows = [row for row, place in enumerate(article.places) if place == at]
    behind = [row for row in rows if article.numerals[row].start > period.start]
    if not set(behind).isdisjoint(claim.equal):
        return False
    near = [row for row in rows if clause_of(article, row).holds(period.start)] or behind
    inside = Clause(*article.sentences[at]).holds(period.start)
    return bool(near) and inside and set(near).isdisjoint(claim.equal)
