"""How a headline is worded: its length, what it repeats, and what is new or copied from its article."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

import numpy as np

from core.arrays import FloatArray
from core.headlines.metrics.metric import (
    Column,
    HeadlineMetric,
    MetricInput,
    Scored,
    headline_metrics,
    mean_statistics,
)
from core.runtime import Runtime
from core.text.normalise import comparison_key
from core.text.support import (
    Evidence,
    WordSequence,
    copied,
    coverage,
    density,
    numbers_in,
    read_evidence,
    read_source,
)
from core.text.tokens import words


@headline_metrics.register("compression.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Compression(HeadlineMetric):
    """Words of the article for each word of the headline, and the headline's words.

    Source: Grusky, Naaman and Artzi 2018, "Newsroom", section 3.
    """

    summary: ClassVar[str] = "How long headlines are, alone and against their articles"
    needs: ClassVar = "articles"
    note: ClassVar[str] = "words without punctuation; mean of headlines"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "compression",
            "Compression",
            "words of the article for each word of the headline",
            None,
            high=math.inf,
        ),
        Column("words", "Words", "words of the headline", None, high=math.inf),
    )

    def score(self, one: Scored) -> Sequence[float]:
        length = len(words(one.headline))
        known = length and one.article.strip()
        return (len(words(one.article)) / length if known else math.nan, length)


@headline_metrics.register("novelty.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Novelty(HeadlineMetric):
    """New words and pairs of words, and how long the runs are that are copied from the article.

    Words are compared in lower case as they stand, so that another ending makes a word new. Neither more nor
    less is better by itself: a headline without any new word is a cut-out, one of new words alone may be
    made up.

    Source: Grusky, Naaman and Artzi 2018, "Newsroom", section 3 (coverage and density); novel n-grams as in
    See, Liu and Manning 2017, "Get To The Point", figure 6.
    """

    summary: ClassVar[str] = "How much of the headline is new, and how much is copied from the article"
    needs: ClassVar = "articles"
    note: ClassVar[str] = "words in lower case, not stemmed; runs as in Grusky et al. 2018; mean of headlines"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("novel_words", "Novel words", "share of the headline's words that are not in the article"),
        Column(
            "novel_bigrams",
            "Novel bigrams",
            "share of its neighbouring words that are not neighbours in the article",
        ),
        Column("coverage", "Coverage", "share of its words in runs copied from the article"),
        Column(
            "density",
            "Density",
            "mean length, in words, of the copied run that a word is in",
            None,
            high=math.inf,
        ),
        Column("longest_copy", "Longest copy", "share of its words in the longest copied run"),
    )

    def score(self, one: Scored) -> Sequence[float]:
        headline, article = words(one.headline), words(one.article)
        if not headline or not one.article.strip():
            return (math.nan,) * 5
        fragments = copied(headline, WordSequence(article))
        there = set(article)
        new = sum(word not in there for word in headline) / len(headline)
        bigrams = list(pairwise(headline))
        known = set(pairwise(article))
        return (
            new,
            sum(pair not in known for pair in bigrams) / len(bigrams) if bigrams else math.nan,
            coverage(fragments, len(headline)) or 0.0,
            density(fragments, len(headline)) or 0.0,
            max((fragment.words for fragment in fragments), default=0) / len(headline),
        )


@headline_metrics.register("numbers_in_article.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumbersInArticle(HeadlineMetric):
    """Share of a headline's numbers that the article has as a number of that value, perhaps rounded.

    Quick, and no check: a number that follows by arithmetic is not in the article, and one that counts
    something else there is. `numeral_support.v2` looks closer.
    """

    summary: ClassVar[str] = "Whether the article has the headline's numbers at all"
    needs: ClassVar = "articles"
    note: ClassVar[str] = "numbers in digits or words, equal or rounded; mean of headlines with numbers"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "numbers_in_article",
            "Numbers in the article",
            "share of the headline's numbers that the article has",
            True,
        ),
    )

    def score(self, one: Scored) -> Sequence[float]:
        there, exact = numbers_in(one.headline, _evidence(one.article))
        return (there / exact if exact and one.article.strip() else math.nan,)


@lru_cache(maxsize=1_024)
def _evidence(article: str) -> Evidence:
    return read_evidence(read_source(article))


@headline_metrics.register("duplication.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Duplication(HeadlineMetric):
    """Words and pairs of words that come again in a headline; headlines used for several articles.

    Repetition is what coverage was added to pointer networks against. The same headline for two different
    articles tells of a system that falls back on phrases.

    Source: See, Liu and Manning 2017, "Get To The Point", figure 4 (repeated n-grams).
    """

    summary: ClassVar[str] = "What a headline says twice, and headlines used for several articles"
    needs: ClassVar = "others"
    note: ClassVar[str] = "words in lower case, not stemmed; mean of headlines"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "repeated_words", "Repeated words", "share of the headline's words that stood in it before", False
        ),
        Column(
            "repeated_bigrams",
            "Repeated bigrams",
            "share of its neighbouring words that stood in it before",
            False,
        ),
        Column(
            "reused",
            "Reused headlines",
            "the system wrote the same headline for another article, case and punctuation apart",
            False,
        ),
    )

    def statistics(self, written: MetricInput, runtime: Runtime) -> FloatArray:
        keys = [comparison_key(headline) for headline in written.headlines]
        # Rows with one article count as one; where it is not known every row is an article of its own.
        about: dict[str, set[str | int]] = {}
        for row, (key, article) in enumerate(zip(keys, written.articles, strict=True)):
            about.setdefault(key, set()).add(article.strip() or row)
        found = np.full((len(keys), 3), np.nan)
        for row, (key, headline) in enumerate(zip(keys, written.headlines, strict=True)):
            if key:
                cut = words(headline)
                found[row] = _repeated(cut), _repeated(list(pairwise(cut))), len(about[key]) > 1
        return mean_statistics(found)


def _repeated(grams: Sequence[object]) -> float:
    return 1 - len(set(grams)) / len(grams) if grams else math.nan
