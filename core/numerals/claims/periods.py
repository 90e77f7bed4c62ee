"""When something is: "last summer", "this month", "on Sunday", and of which numbers an article says it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.numerals.claims.claim import Claim
from core.numerals.claims.clauses import clause_of, own_in_headline, own_words
from core.numerals.claims.words import Word, article_words

_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("words.toml").read_text(encoding="utf-8")
)["periods"]


_ELIDED: Final = re.compile(r"^[^\W\d]{1,2}['’]")


_VAGUE: Final = {"past"}
"""What stands for other words of the same kind: the past year is the last one, or this."""


class TimeWords(NamedTuple):
    """A word or two that say when.

    Attributes:
        name: The entries of `words.toml` that they are.
        text: As they stand.
        start: Where they begin, in characters of the text.
    """

    name: str
    text: str
    start: int


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


def of_no_number(claim: Claim) -> tuple[TimeWords, TimeWords] | None:
    """The headline's period that the article nowhere has, and the one that it has of the number instead.

    Both have one word in common: "last winter" for "last summer", "next summer" for it.
    """
    article = claim.place.article
    mine = [one for one in periods_of(own_in_headline(claim), article.language) if " " in one.name]
    if len(mine) != 1 or not claim.equal:
        return None
    (said,) = mine
    anywhere = {
        one.name for words in article_words(article).sentences for one in periods_of(words, article.language)
    }
    if said.name in anywhere:
        return None
    given = [_alike(said, own_words(article, row), article.language) for row in claim.equal]
    return (said, given[0]) if given and all(given) and given[0] is not None else None


def _alike(said: TimeWords, words: Sequence[Word], language: str) -> TimeWords | None:
    parts = set(said.name.split())
    near = (one for one in periods_of(words, language) if len(parts & set(one.name.split())) == 1)
    return next((one for one in near if " " in one.name and not _VAGUE & {*parts, *one.name.split()}), None)


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
