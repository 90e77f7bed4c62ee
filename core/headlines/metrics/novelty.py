"""How much of a headline is new, and how much is copied from its article."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar, Final

import numpy as np

from core.headlines.metrics.averages import MeanMetric, mean_statistics
from core.headlines.metrics.metric import Column, FloatArray, Written, headline_metrics
from core.runtime import Runtime
from core.text.copied import Row, copied, coverage, density
from core.text.tokens import words

STEP: Final = "Comparing headlines with articles"


@headline_metrics.register("novelty.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Novelty(MeanMetric):
    """New words and pairs of words, and how long the runs are that are copied from the article.

    Words are compared in lower case as they stand, so that another ending makes a word new. Neither more nor
    less is better by itself: a headline without any new word is a cut-out, one of new words alone may be
    made up.

    Source: Grusky, Naaman and Artzi 2018, "Newsroom", section 3 (coverage and density); novel n-grams as in
    See, Liu and Manning 2017, "Get To The Point", figure 6.
    """

    summary: ClassVar[str] = "How much of the headline is new, and how much is copied from the article"
    compared_with: ClassVar[str] = "articles"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            name="novel_words",
            label="Novel words",
            help="share of the headline's words that are not in the article",
            higher_is_better=None,
        ),
        Column(
            name="novel_bigrams",
            label="Novel bigrams",
            help="share of its neighbouring words that are not neighbours in the article",
            higher_is_better=None,
        ),
        Column(
            name="coverage",
            label="Coverage",
            help="share of its words in runs copied from the article",
            higher_is_better=None,
        ),
        Column(
            name="density",
            label="Density",
            help="mean length, in words, of the copied run that a word is in",
            higher_is_better=None,
            high=math.inf,
        ),
        Column(
            name="longest_copy",
            label="Longest copy",
            help="share of its words in the longest copied run",
            higher_is_better=None,
        ),
    )

    def signature_text(self, written: Written | None = None) -> str:
        """What is compared."""
        return "words in lower case, not stemmed; runs as in Grusky et al. 2018; mean of headlines"

    def statistics(self, written: Written, runtime: Runtime) -> FloatArray:
        """Whether each column is defined, and its value, float64 [n, 10].

        Raises:
            Cancelled: The runtime's stop was set.
        """
        found = np.full((len(written.headlines), 5), np.nan)
        rows = list(zip(written.headlines, written.articles, strict=True))
        for row, (headline, article) in enumerate(runtime.track(rows, STEP)):
            if article.strip():
                found[row] = _measure(words(headline), words(article))
        return mean_statistics(found)


def _measure(headline: Sequence[str], article: Sequence[str]) -> tuple[float, ...]:
    """The five values of a headline, NaN where it has no word, or no two for the second."""
    if not headline:
        return (math.nan,) * 5
    fragments = copied(headline, Row(article))
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
