"""BLEU, as sacreBLEU computes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from core.headlines.metrics.metric import Column, FloatArray, Written, headline_metrics
from core.headlines.metrics.sacrebleu_rows import counted_rows, signature_of
from core.runtime import Runtime

STEP: Final = "BLEU"
ORDERS: Final = 4


@headline_metrics.register("bleu.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Bleu:
    """BLEU-4 of all headlines together, 0–100; of one headline as sacreBLEU's sentence score.

    Source: Papineni et al. 2002; Post 2018, "A Call for Clarity in Reporting BLEU Scores". Made for whole
    texts: of one headline it says little, and two values compare only under the same signature.
    """

    summary: ClassVar[str] = "Runs of one to four words shared with people's headlines, by sacreBLEU"
    compared_with: ClassVar[str] = "references"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            name="bleu",
            label="BLEU",
            help="runs of one to four words shared, 0–100, of all headlines together",
            higher_is_better=True,
            high=100.0,
        ),
    )

    tokenize: str = field(
        default="13a",
        metadata={"help": "sacreBLEU's way to cut words", "choices": ("13a", "intl", "zh", "char")},
    )
    lowercase: bool = field(default=False, metadata={"help": "treat A and a as the same"})

    def signature_text(self, written: Written | None = None) -> str:
        """sacreBLEU's own signature."""
        return signature_of(self._metric(), written)

    def statistics(self, written: Written, runtime: Runtime) -> FloatArray:
        """1, both lengths, and hits and numbers of n-grams of four orders, float64 [n, 11].

        Raises:
            Cancelled: The runtime's stop was set.
        """
        return counted_rows(self._metric(), written, runtime, size=2 + 2 * ORDERS, step=STEP)

    def values(self, sums: FloatArray) -> FloatArray:
        """BLEU with sacreBLEU's exponential smoothing; see `HeadlineMetric.values`.

        As there, a single headline ends at the longest run it has words for ("effective order"); a sample
        in which no headline has four words scores 0.
        """
        sums = np.asarray(sums, dtype=np.float64)
        count, length, wanted = (sums[..., place] for place in range(3))
        hits, totals = sums[..., 3 : 3 + ORDERS], sums[..., 3 + ORDERS :]
        with np.errstate(divide="ignore", invalid="ignore"):
            short = np.where(length > 0, np.exp(np.minimum(1 - wanted / length, 0.0)), 0.0)
            logs, orders = _logarithms(hits, totals)
            score = 100 * short * np.exp(logs / orders)
        score = np.where(hits.any(axis=-1) & ((count == 1) | (orders == ORDERS)), score, 0.0)
        return np.where(count > 0, score, np.nan)[..., None]

    def _metric(self) -> Any:
        from sacrebleu.metrics.bleu import BLEU

        # force: no warning about headlines that end in " ."
        return BLEU(tokenize=self.tokenize, lowercase=self.lowercase, force=True)


def _logarithms(hits: FloatArray, totals: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Sum of the logarithms of the smoothed precisions, and how many orders have any n-gram.

    The k-th order without a hit counts as one hit in 2 to the k (Chen and Cherry 2014, method 3).
    """
    there = np.cumprod(totals > 0, axis=-1).astype(np.bool_)
    missed = there & (hits == 0)
    smooth = 2.0 ** np.cumsum(missed, axis=-1)
    precisions = np.where(missed, 1 / (smooth * totals), hits / totals)
    return np.log(np.where(there, precisions, 1.0)).sum(axis=-1), there.sum(axis=-1)
