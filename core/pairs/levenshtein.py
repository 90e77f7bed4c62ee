"""How many characters two headlines share in order: the lexical floor of the HLGD paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.pairs.scorer import Need, PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.timeless import Timeless
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray


@dataclass(frozen=True, slots=True, eq=False)
class PreparedLevenshtein:
    """Levenshtein ratios between texts.

    Attributes:
        texts: The headlines, n of them.
    """

    texts: Sequence[str]

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Ratios of the pairs (left[k], right[k]), float32 [m], 0 to 1."""
        from rapidfuzz.distance import Indel
        from rapidfuzz.process import cpdist

        first = [self.texts[row] for row in left.tolist()]
        second = [self.texts[row] for row in right.tolist()]
        ratios = cpdist(first, second, scorer=Indel.normalized_similarity, dtype=np.float32)
        return np.asarray(ratios, dtype=np.float32).reshape(len(left))

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Ratios of two ranges of headlines, float32 [rows, columns], 0 to 1."""
        from rapidfuzz.distance import Indel
        from rapidfuzz.process import cdist

        first, second = self.texts[rows], self.texts[columns]
        ratios = cdist(first, second, scorer=Indel.normalized_similarity, dtype=np.float32, workers=-1)
        return np.asarray(ratios, dtype=np.float32).reshape(len(first), len(second))


@pair_scorers.register("levenshtein.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Levenshtein(Timeless):
    """Levenshtein ratio at character level; the lexical floor of the HLGD paper.

    1 - distance / (both lengths added), where a replaced character costs 2: `Levenshtein.ratio`. Two
    empty texts have the ratio 1.

    Source: HLGD (Laban et al. 2021), eq. 1.
    """

    summary: ClassVar[str] = "How many characters two headlines share in the same order"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset()
    # Best F1 on the train parts of UCI, AllSides and ECB+; benchmarks/thresholds.py chooses it again.
    threshold: ClassVar[float] = 0.40

    case_sensitive: bool = field(default=True, metadata={"help": "treat A and a as different"})

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Takes the texts."""
        texts = context.texts if self.case_sensitive else [text.casefold() for text in context.texts]
        return PreparedLevenshtein(list(texts))

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The shared characters alone."""
        return (Part("shared characters in order", score),)
