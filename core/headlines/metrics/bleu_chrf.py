"""BLEU and chrF as sacreBLEU computes them.

What sacreBLEU counts in each headline is kept, so that the score of any sample is a function of sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from core.arrays import FloatArray
from core.headlines.metrics.metric import (
    Column,
    HeadlineMetric,
    MetricInput,
    given_references,
    headline_metrics,
)
from core.runtime import Runtime

ORDERS: Final = 4
"""Longest runs of words of BLEU."""

CHARACTERS: Final = 6
BETA: Final = 2
"""Longest runs of letters of chrF, and how much more recall counts than precision."""

_AT_ONCE: Final = 200  # headlines between two looks at the stop signal


@headline_metrics.register("bleu.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Bleu(HeadlineMetric):
    """BLEU-4 of all headlines together, 0–100; of one headline as sacreBLEU's sentence score.

    Source: Papineni et al. 2002; Post 2018, "A Call for Clarity in Reporting BLEU Scores". Made for whole
    texts: of one headline it says little, and two values compare only under the same signature.
    """

    summary: ClassVar[str] = "Runs of one to four words shared with people's headlines, by sacreBLEU"
    needs: ClassVar = "references"
    rank: ClassVar[int] = 2
    step: ClassVar[str] = "BLEU"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "bleu",
            "BLEU",
            "runs of one to four words shared, 0–100, of all headlines together",
            True,
            high=100.0,
            rank=5,
        ),
    )

    tokenize: str = field(
        default="13a",
        metadata={"help": "sacreBLEU's way to cut words", "choices": ("13a", "intl", "zh", "char")},
    )
    lowercase: bool = field(default=False, metadata={"help": "treat A and a as the same"})

    def signature_text(self, written: MetricInput | None = None) -> str:
        return signature_of(self._metric(), written)

    def statistics(self, written: MetricInput, runtime: Runtime) -> FloatArray:
        return counted_rows(self._metric(), written, runtime, size=2 + 2 * ORDERS, step=self.step)

    def values(self, sums: FloatArray) -> FloatArray:
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
    """Sum of the logarithms of the smoothed precisions, and how many orders have any n-gram."""
    there = np.cumprod(totals > 0, axis=-1).astype(np.bool_)
    missed = there & (hits == 0)
    smooth = 2.0 ** np.cumsum(missed, axis=-1)
    precisions = np.where(missed, 1 / (smooth * totals), hits / totals)
    return np.log(np.where(there, precisions, 1.0)).sum(axis=-1), there.sum(axis=-1)


@headline_metrics.register("chrf.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChrF(HeadlineMetric):
    """Runs of one to six letters shared with people's headlines, 0–100; kind to endings.

    Source: Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation"; with words 2017.
    """

    summary: ClassVar[str] = "Runs of letters shared with people's headlines, by sacreBLEU"
    needs: ClassVar = "references"
    rank: ClassVar[int] = 3
    step: ClassVar[str] = "chrF"

    word_order: int = field(
        default=0, metadata={"help": "2 also counts words and pairs of words: chrF++", "low": 0, "high": 2}
    )

    @property
    def columns(self) -> tuple[Column, ...]:
        plus = "+" * self.word_order
        return (
            Column(
                f"chrf{plus}",
                f"chrF{plus}",
                "runs of one to six letters shared, F2, 0–100",
                True,
                high=100.0,
                rank=6,
            ),
        )

    def signature_text(self, written: MetricInput | None = None) -> str:
        return signature_of(self._metric(), written)

    def statistics(self, written: MetricInput, runtime: Runtime) -> FloatArray:
        size = 3 * (CHARACTERS + self.word_order)
        return counted_rows(self._metric(), written, runtime, size=size, step=self.step)

    def values(self, sums: FloatArray) -> FloatArray:
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


def counted_rows(metric: Any, written: MetricInput, runtime: Runtime, *, size: int, step: str) -> FloatArray:
    """A metric's own counts of each headline.

    Returns:
        float64 [n, 1 + size]: 1 and the counts; zeros where there is no reference.
    """
    references = given_references(written)
    rows = np.zeros((len(references), 1 + size))
    scored = [row for row, given in enumerate(references) if given]
    for start in runtime.track(range(0, len(scored), _AT_ONCE), step):
        some = scored[start : start + _AT_ONCE]
        counts = metric._extract_corpus_statistics(
            [written.headlines[row] for row in some], _streams([references[row] for row in some])
        )
        rows[some] = np.insert(np.asarray(counts, dtype=np.float64), 0, 1.0, axis=1)
    return rows


def signature_of(metric: Any, written: MetricInput | None) -> str:
    """sacreBLEU's signature; the number of references is "var" where it is not known or differs."""
    sizes = {len(given) for given in given_references(written) if given} if written else set()
    metric.num_refs = sizes.pop() if len(sizes) == 1 else -1
    return f"sacreBLEU {metric.get_signature()}"


def _streams(references: Sequence[Sequence[str]]) -> list[list[str | None]]:
    return [
        [given[number] if number < len(given) else None for given in references]
        for number in range(max(map(len, references)))
    ]
