"""ROUGE-1, ROUGE-2 and ROUGE-L, and their mean."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np

from core.headlines.metrics.averages import given_references, mean_statistics, means
from core.headlines.metrics.metric import Column, FloatArray, Written, headline_metrics
from core.headlines.metrics.rouge_pairs import rouge_pairs
from core.runtime import Runtime
from core.text.stems import stemmer_name

STEP: Final = "ROUGE"
EQUAL_TO: Final = "rouge-score 0.1.2"
"""The library whose English figures these are; tests hold them against it."""

_AT_ONCE = 1_000  # headlines between two looks at the stop signal


@headline_metrics.register("rouge.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Rouge:
    """ROUGE-1, ROUGE-2, ROUGE-L (F1, best reference) and the mean of the three.

    English exactly as google's rouge-score with stemming; other languages with words of their script.

    Source: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries"; the maximum over references
    as in Dialogue 2021, the mean of the three as in Dialogue 2019.
    """

    summary: ClassVar[str] = "Words, pairs of words and order shared with people's headlines"
    compared_with: ClassVar[str] = "references"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(name="rouge1", label="ROUGE-1", help="words shared, F1", higher_is_better=True),
        Column(
            name="rouge2",
            label="ROUGE-2",
            help="neighbouring words shared, F1",
            higher_is_better=True,
        ),
        Column(
            name="rougeL",
            label="ROUGE-L",
            help="longest run of words in the same order, with gaps, F1",
            higher_is_better=True,
        ),
        Column(
            name="rouge_mean",
            label="ROUGE mean",
            help="mean of ROUGE-1, ROUGE-2 and ROUGE-L, as in Dialogue 2019",
            higher_is_better=True,
        ),
    )

    stems: bool = field(default=True, metadata={"help": "compare words without their endings"})

    def signature_text(self, written: Written | None = None) -> str:
        """What the figures equal, and the stems."""
        language = written.language if written else "en"
        same = f"equal to {EQUAL_TO}" if language == "en" else "own tokens"
        return f"ROUGE F1, maximum over references, {same}, " + (
            stemmer_name(language) if self.stems else "no stems"
        )

    def statistics(self, written: Written, runtime: Runtime) -> FloatArray:
        """Whether there is a reference, and the three best F1, float64 [n, 6].

        Raises:
            Cancelled: The runtime's stop was set.
        """
        references = given_references(written)
        best = np.full((len(references), 3), np.nan)
        starts = range(0, len(references), _AT_ONCE)
        for start in runtime.track(starts, STEP):
            rows = [
                (row, one)
                for row in range(start, min(start + _AT_ONCE, len(references)))
                for one in references[row]
            ]
            found = rouge_pairs(
                [written.headlines[row] for row, _ in rows],
                [one for _, one in rows],
                language=written.language,
                stems=self.stems,
            )
            np.fmax.at(best, [row for row, _ in rows], found.f1)
        return mean_statistics(best)

    def values(self, sums: FloatArray) -> FloatArray:
        """Mean F1 of each, and their mean; see `HeadlineMetric.values`."""
        three = means(sums)
        return np.concatenate([three, three.mean(axis=-1, keepdims=True)], axis=-1)
