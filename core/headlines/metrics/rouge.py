"""ROUGE-1, ROUGE-2 and ROUGE-L, and their mean: the figures of rouge-score, several times faster.

Every distinct text is cut into words once and every distinct word stemmed once; shared words and bigrams are
counted for all pairs together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Final

import numpy as np

from core.arrays import FloatArray
from core.headlines.metrics.metric import (
    Column,
    HeadlineMetric,
    MetricInput,
    given_references,
    headline_metrics,
    mean_statistics,
    means,
)
from core.runtime import Runtime
from core.text.porter import SHORTEST_STEMMED, plain_words, stemmer, stemmer_name

EQUAL_TO: Final = "rouge-score 0.1.2"
"""The library whose English figures these are; tests hold them against it."""

_AT_ONCE = 1_000  # headlines between two looks at the stop signal


@headline_metrics.register("rouge.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Rouge(HeadlineMetric):
    """ROUGE-1, ROUGE-2, ROUGE-L (F1, best reference) and the mean of the three.

    English exactly as google's rouge-score with stemming; other languages with words of their script.

    Source: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries"; the maximum over references
    as in Dialogue 2021, the mean of the three as in Dialogue 2019.
    """

    summary: ClassVar[str] = "Words, pairs of words and order shared with people's headlines"
    needs: ClassVar = "references"
    rank: ClassVar[int] = 1
    step: ClassVar[str] = "ROUGE"
    columns: ClassVar[tuple[Column, ...]] = (
        Column("rouge1", "ROUGE-1", "words shared, F1", True, rank=2),
        Column("rouge2", "ROUGE-2", "neighbouring words shared, F1", True, rank=3),
        Column("rougeL", "ROUGE-L", "longest run of words in the same order, with gaps, F1", True, rank=4),
        Column(
            "rouge_mean",
            "ROUGE mean",
            "mean of ROUGE-1, ROUGE-2 and ROUGE-L, as in Dialogue 2019",
            True,
            rank=1,
        ),
    )

    stems: bool = field(default=True, metadata={"help": "compare words without their endings"})

    def signature_text(self, written: MetricInput | None = None) -> str:
        language = written.language if written else "en"
        same = f"equal to {EQUAL_TO}" if language == "en" else "own tokens"
        return f"ROUGE F1, maximum over references, {same}, " + (
            stemmer_name(language) if self.stems else "no stems"
        )

    def statistics(self, written: MetricInput, runtime: Runtime) -> FloatArray:
        references = given_references(written)
        best = np.full((len(references), 3), np.nan)
        starts = range(0, len(references), _AT_ONCE)
        for start in runtime.track(starts, self.step):
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
        three = means(sums)
        return np.concatenate([three, three.mean(axis=-1, keepdims=True)], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class RougeScores:
    """ROUGE-1, ROUGE-2 and ROUGE-L of m pairs, float64 [m, 3] each, 0–1."""

    precision: FloatArray
    recall: FloatArray
    f1: FloatArray


def rouge_pairs(
    headlines: Sequence[str], references: Sequence[str], *, language: str = "en", stems: bool = True
) -> RougeScores:
    """ROUGE of each headline against the reference beside it, as rouge-score 0.1.2 computes it.

    Args:
        headlines: m texts.
        references: m texts.
        language: ISO 639-1 code; see `plain_words` and `stemmer`.
        stems: Whether words are stemmed.

    Returns:
        Scores; 0 where a text has no word, as in rouge-score.
    """
    from rapidfuzz.distance import LCSseq

    rows = {text: _stems(text, language, stems=stems) for text in (*headlines, *references)}
    place = {text: number for number, text in enumerate(rows)}
    left, right = ([place[text] for text in side] for side in (headlines, references))
    words = list(rows.values())
    hits, sizes = [], []
    for grams in (words, [list(pairwise(row)) for row in words]):
        counts = _counts(grams)
        hits.append(np.asarray(counts[left].minimum(counts[right]).sum(axis=1)).ravel())
        sizes.append(counts.sum(axis=1).A1)
    pairs = zip(left, right, strict=True)
    hits.append(np.array([LCSseq.similarity(words[one], words[other]) for one, other in pairs], np.int64))
    shared, lengths = np.stack(hits, axis=1), np.maximum(np.stack([*sizes, sizes[0]], axis=1), 1)
    precision, recall = shared / lengths[left], shared / lengths[right]
    with np.errstate(invalid="ignore"):
        f1 = 2 * precision * recall / (precision + recall)
    return RougeScores(precision, recall, np.where(shared > 0, f1, 0.0))


def _stems(text: str, language: str, *, stems: bool) -> list[str]:
    words, stem = plain_words(text, language), stemmer(language) if stems else None
    return [stem(word) if len(word) >= SHORTEST_STEMMED else word for word in words] if stem else words


def _counts(texts: Sequence[Sequence[Hashable]]) -> Any:
    """How often each text has each gram, a sparse int64 [texts, grams]."""
    from scipy.sparse import csr_matrix

    places: dict[Hashable, int] = {}
    columns = [places.setdefault(gram, len(places)) for text in texts for gram in text]
    starts = np.cumsum([0, *map(len, texts)])
    return csr_matrix((np.ones(len(columns), np.int64), columns, starts), shape=(len(texts), len(places)))
