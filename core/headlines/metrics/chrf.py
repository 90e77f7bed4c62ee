"""chrF, as sacreBLEU computes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from core.headlines.metrics.metric import Column, FloatArray, Written, headline_metrics
from core.headlines.metrics.sacrebleu_rows import counted_rows, signature_of
from core.runtime import Runtime

STEP: Final = "chrF"
CHARACTERS: Final = 6
BETA: Final = 2


@headline_metrics.register("chrf.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChrF:
    """Runs of one to six letters shared with people's headlines, 0–100; kind to endings.

    Source: Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation"; with words 2017.
    """

    summary: ClassVar[str] = "Runs of letters shared with people's headlines, by sacreBLEU"
    compared_with: ClassVar[str] = "references"

    word_order: int = field(
        default=0, metadata={"help": "2 also counts words and pairs of words: chrF++", "low": 0, "high": 2}
    )

    @property
    def columns(self) -> tuple[Column, ...]:
        """One column, named chrF, chrF+ or chrF++ as in sacreBLEU."""
        plus = "+" * self.word_order
        return (
            Column(
                name=f"chrf{plus}",
                label=f"chrF{plus}",
                help="runs of one to six letters shared, F2, 0–100",
                higher_is_better=True,
                high=100.0,
            ),
        )

    def signature_text(self, written: Written | None = None) -> str:
        """sacreBLEU's own signature."""
        return signature_of(self._metric(), written)

    def statistics(self, written: Written, runtime: Runtime) -> FloatArray:
        """1, and for each order the n-grams of headline, best reference and both, float64 [n, 1 + 3 orders].

        Raises:
            Cancelled: The runtime's stop was set.
        """
        size = 3 * (CHARACTERS + self.word_order)
        return counted_rows(self._metric(), written, runtime, size=size, step=STEP)

    def values(self, sums: FloatArray) -> FloatArray:
        """F2 of precision and recall averaged over the orders; see `HeadlineMetric.values`."""
        sums = np.asarray(sums, dtype=np.float64)
        counts = sums[..., 1:].reshape(*sums.shape[:-1], -1, 3)
        ours, theirs, both = counts[..., 0], counts[..., 1], counts[..., 2]
        used = (ours > 0) & (theirs > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            orders = used.sum(axis=-1)
            precision = np.where(used, both / ours, 0.0).sum(axis=-1) / orders
            recall = np.where(used, both / theirs, 0.0).sum(axis=-1) / orders
            score = 100 * (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)
        score = np.where(both.any(axis=-1), score, 0.0)
        return np.where(sums[..., 0] > 0, score, np.nan)[..., None]

    def _metric(self) -> Any:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(char_order=CHARACTERS, word_order=self.word_order, beta=BETA)
