"""What a headline says twice, and headlines that a system wrote for more than one article."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from core.headlines.metrics.averages import MeanMetric, mean_statistics
from core.headlines.metrics.metric import Column, FloatArray, Written, headline_metrics
from core.runtime import Runtime
from core.text.normalise import comparison_key
from core.text.tokens import words


@headline_metrics.register("duplication.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Duplication(MeanMetric):
    """Words and pairs of words that come again in a headline; headlines used for several articles.

    Repetition is what coverage was added to pointer networks against. The same headline for two different
    articles tells of a system that falls back on phrases.

    Source: See, Liu and Manning 2017, "Get To The Point", figure 4 (repeated n-grams).
    """

    summary: ClassVar[str] = "What a headline says twice, and headlines used for several articles"
    compared_with: ClassVar[str] = "others"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            name="repeated_words",
            label="Repeated words",
            help="share of the headline's words that stood in it before",
            higher_is_better=False,
        ),
        Column(
            name="repeated_bigrams",
            label="Repeated bigrams",
            help="share of its neighbouring words that stood in it before",
            higher_is_better=False,
        ),
        Column(
            name="reused",
            label="Reused headlines",
            help="the system wrote the same headline for another article, case and punctuation apart",
            higher_is_better=False,
        ),
    )

    def signature_text(self, written: Written | None = None) -> str:
        """What is compared."""
        return "words in lower case, not stemmed; mean of headlines"

    def statistics(self, written: Written, runtime: Runtime) -> FloatArray:
        """Whether each column is defined, and its value, float64 [n, 6]; an empty headline has none."""
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
    """Share of the n-grams that are not the first of their kind; NaN for none."""
    return 1 - len(set(grams)) / len(grams) if grams else math.nan
