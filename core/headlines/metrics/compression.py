"""How long headlines are, alone and against their articles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from core.headlines.metrics.averages import MeanMetric, mean_statistics
from core.headlines.metrics.metric import Column, FloatArray, Written, headline_metrics
from core.runtime import Runtime
from core.text.tokens import words

STEP: Final = "Counting words"


@headline_metrics.register("compression.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Compression(MeanMetric):
    """Words of the article for each word of the headline, and the headline's words.

    Source: Grusky, Naaman and Artzi 2018, "Newsroom", section 3.
    """

    summary: ClassVar[str] = "How long headlines are, alone and against their articles"
    compared_with: ClassVar[str] = "articles"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            name="compression",
            label="Compression",
            help="words of the article for each word of the headline",
            higher_is_better=None,
            high=math.inf,
        ),
        Column(
            name="words", label="Words", help="words of the headline", higher_is_better=None, high=math.inf
        ),
    )

    def signature_text(self, written: Written | None = None) -> str:
        """What is counted."""
        return "words without punctuation; mean of headlines"

    def statistics(self, written: Written, runtime: Runtime) -> FloatArray:
        """Whether each column is defined, and its value, float64 [n, 4].

        Raises:
            Cancelled: The runtime's stop was set.
        """
        found = np.full((len(written.headlines), 2), np.nan)
        rows = list(zip(written.headlines, written.articles, strict=True))
        for row, (headline, article) in enumerate(runtime.track(rows, STEP)):
            length = len(words(headline))
            found[row, 1] = length
            if length and article.strip():
                found[row, 0] = len(words(article)) / length
        return mean_statistics(found)
