"""METEOR without synonyms: words and stems, and how scattered they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np

from core.arrays import FloatArray
from core.headlines.metrics.metric import (
    Column,
    HeadlineMetric,
    MetricInput,
    given_references,
    headline_metrics,
    mean_statistics,
)
from core.runtime import Runtime
from core.text.porter import stemmer, stemmer_name


@headline_metrics.register("meteor.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Meteor(HeadlineMetric):
    """METEOR by nltk with exact words and stems; no synonyms, because WordNet does not ship.

    A headline's words are matched to the best reference's, first as they stand, then by stem; recall
    weighs nine times as much as precision, and matches that are not neighbours cost up to half. Values are
    at most those with synonyms and compare only with others of this name.

    Source: Lavie and Agarwal 2007, "METEOR: An Automatic Metric for MT Evaluation with High Levels of
    Correlation with Human Judgments" (alpha 0.9, beta 3, gamma 0.5).
    """

    summary: ClassVar[str] = "Words and stems shared with people's headlines, and their order; no synonyms"
    needs: ClassVar = "references"
    rank: ClassVar[int] = 4
    step: ClassVar[str] = "METEOR"
    columns: ClassVar[tuple[Column, ...]] = (
        Column(
            "meteor_no_synonyms",
            "METEOR (no synonyms)",
            "words and stems shared, recall first, less for scattered ones",
            True,
        ),
    )

    def signature_text(self, written: MetricInput | None = None) -> str:
        stems = stemmer_name(written.language if written else "en")
        return (
            f"METEOR, nltk {version('nltk')}, words and {stems}, no synonyms, alpha 0.9, beta 3, gamma 0.5, "
            "maximum over references, mean of headlines"
        )

    def statistics(self, written: MetricInput, runtime: Runtime) -> FloatArray:
        from nltk.tokenize import NLTKWordTokenizer
        from nltk.translate.meteor_score import meteor_score

        cut: Callable[[str], list[str]] = NLTKWordTokenizer().tokenize
        stems, synonyms = _Stems(stemmer(written.language)), _NoSynonyms()
        scores = np.full((len(written.headlines), 1), np.nan)
        references = given_references(written)
        for row in runtime.track(range(len(scores)), self.step):
            if references[row]:
                scores[row] = meteor_score(
                    [cut(one) for one in references[row]],
                    cut(written.headlines[row]),
                    stemmer=stems,
                    wordnet=synonyms,
                )
        return mean_statistics(scores)


class _Stems:
    def __init__(self, stem: Callable[[str], str] | None) -> None:
        self._stem = stem

    def stem(self, word: str) -> str:
        return self._stem(word) if self._stem else word


class _NoSynonyms:
    def synsets(self, _word: str) -> Sequence[Any]:
        return ()
