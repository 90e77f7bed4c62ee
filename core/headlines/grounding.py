"""Whether a headline says of its numbers what the article says near them, told from the words alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from core.numerals.claims.words import Word, article_words, words_of
from core.numerals.provenance import CheckedHeadline, CheckedNumeral
from core.numerals.question import ReadArticle
from core.text.tokens import word_list

LEAST_SHARED: Final = 0.5
"""Share of a headline's content words that the sentence of its number has, from which it is grounded."""
FARTHEST: Final = 80.0
"""Characters between the article's number and the words that stand around the headline's, on average, up to
which it is grounded."""
WIDEST: Final = 4
"""Content words that the article may put between a number and what stands before it in the headline."""
BEHIND: Final = 3
"""What is added where that word follows the number in the article ("56 inmates died" for "Kills 56")."""
NOWHERE: Final = 99
"""Words that lie between where the number's sentence lacks what stands before it."""
ABSENT: Final = 200.0
"""Characters that a word counts which the number's sentence does not have."""

_PREFIX: Final = 5
"""Words that begin with so many letters alike are forms of one word."""
_AROUND: Final = 3
"""Content words of a headline, the nearest to its number, that are looked for near the article's."""
_PLAIN: Final = frozenset(
    word_list(
        "th st nd rd i'll i'm it's he's she's we're they're that's what's here's you're don't doesn't didn't "
        "can't won't isn't aren't get gets got say says said make makes made take takes took go goes come "
        "comes end ends open opens drop drops agree agrees pay pays paid find finds found could may might "
        "will would want wants need needs has have had is are was were be been being new man men woman women "
        "people person one year years day days up down over amid more most still also"
    )
)
"""Words that headlines use where articles have others, or none."""


@dataclass(frozen=True, slots=True)
class Grounding:
    """What of a headline stands where its numbers come from; without numbers, all."""

    # smallest share, over its numbers, of its content words that the number's sentence has, 0–1
    shared: float = 1.0
    reach: float = 1.0  # smallest share that this sentence and the one before it have, 0–1
    # largest mean distance, over its numbers, between the article's number and the content words that stand
    # nearest to the headline's, in characters; `ABSENT` for a word that the sentence lacks
    distance: float = 0.0
    # largest number, over its numbers, of content words that the article has between the number and the last
    # content word before it in the headline; 0 for a number that comes first, `NOWHERE` where no sentence has
    # both
    between: int = 0
    # content words that the article has in no form, as they stand in the headline
    foreign: tuple[str, ...] = ()

    @property
    def grounded(self) -> bool:
        """Whether the words around its numbers are the article's."""
        return (
            not self.foreign
            and self.shared >= LEAST_SHARED
            and self.distance <= FARTHEST
            and self.between <= WIDEST
        )


def grounding_of(check: CheckedHeadline) -> Grounding:
    """What of a checked headline stands near its numbers in the article.

    A number is looked for in each sentence that has its value, or a source of its likeliest derivation; the
    one that shares most words counts.
    """
    article = check.article
    words = [word for word in words_of(check.headline, article.language) if word.content]
    everywhere = _Forms.of([word for sentence in article_words(article).sentences for word in sentence])
    foreign = [word.text for word in words if word.text.lower() not in _PLAIN and word not in everywhere]
    rows = [_rows(one, article) for one in check.numerals]
    found = [_at(one, some, words, article) for one, some in zip(check.numerals, rows, strict=True)]
    between = [_between(one, some, words, article) for one, some in zip(check.numerals, rows, strict=True)]
    return Grounding(
        shared=min((shared for shared, _, _ in found), default=1.0),
        reach=min((reach for _, reach, _ in found), default=1.0),
        distance=max((-nearness for _, _, nearness in found), default=0.0),
        between=max(between, default=0),
        foreign=tuple(dict.fromkeys(foreign)),
    )


@dataclass(frozen=True, slots=True)
class _Forms:
    forms: frozenset[str]
    beginnings: frozenset[str]
    predicates: frozenset[str]

    @classmethod
    def of(cls, words: Sequence[Word]) -> _Forms:
        forms = frozenset(word.form for word in words)
        predicates = frozenset(one for word in words for one in word.predicates)
        return cls(forms, frozenset(form[:_PREFIX] for form in forms), predicates)

    def __contains__(self, word: Word) -> bool:
        alike = word.form in self.forms or word.form[:_PREFIX] in self.beginnings
        return alike or not word.predicates.isdisjoint(self.predicates)

    def share(self, words: Sequence[Word]) -> float:
        return fmean(word in self for word in words) if words else 1.0


def _rows(one: CheckedNumeral, article: ReadArticle) -> list[int]:
    sources = one.derivations[0].candidate.sources if one.derivations else ()
    return [
        row
        for row, other in enumerate(article.numerals)
        if row in sources or other.value == one.numeral.value
    ]


def _at(
    one: CheckedNumeral, rows: Sequence[int], words: Sequence[Word], article: ReadArticle
) -> tuple[float, float, float]:
    sentences = article_words(article).sentences
    around = sorted(words, key=lambda word: abs(word.start - one.numeral.start))[:_AROUND]
    best = (0.0, 0.0, -ABSENT)
    for place in sorted({article.places[row] for row in rows}):
        own = sentences[place]
        wider = [*(sentences[place - 1] if place else ()), *own]
        starts = [article.numerals[row].start for row in rows if article.places[row] == place]
        distances = [_distance(word, own, starts) for word in around]
        nearness = -fmean(distances) if distances else 0.0
        best = max(best, (_Forms.of(own).share(words), _Forms.of(wider).share(words), nearness))
    return best


def _distance(word: Word, sentence: Sequence[Word], starts: Sequence[int]) -> float:
    found = [
        abs(other.start - start)
        for other in sentence
        if other.form == word.form or other.form[:_PREFIX] == word.form[:_PREFIX]
        for start in starts
    ]
    return float(min(found, default=ABSENT))


def _between(one: CheckedNumeral, rows: Sequence[int], words: Sequence[Word], article: ReadArticle) -> int:
    before = [word for word in words if word.start < one.numeral.start]
    if not before:
        return 0
    word = before[-1]
    found = []
    for row in rows:
        start = article.numerals[row].start
        content = [other for other in article_words(article).sentences[article.places[row]] if other.content]
        left = [other for other in content if other.start < start][::-1]
        right = [other for other in content if other.start >= start]
        found += [place for place, other in enumerate(left) if other in _Forms.of([word])]
        found += [BEHIND + place for place, other in enumerate(right) if other in _Forms.of([word])]
    return min(found, default=NOWHERE)
