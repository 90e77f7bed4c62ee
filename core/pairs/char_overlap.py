"""How many short runs of characters two headlines have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.pairs.overlap import dice, overlap
from core.pairs.scorer import Need, PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.timeless import Timeless
from core.runtime import Runtime


@pair_scorers.register("char_overlap.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CharOverlap(Timeless):
    """Dice coefficient of the headlines' sets of character trigrams.

    Twice the trigrams in common over those of both added; 0 where neither has any. Case and the amount
    of white space play no part. A headline shorter than a trigram is one piece of its own.

    Source: Dice (1945), "Measures of the Amount of Ecologic Association Between Species".
    """

    summary: ClassVar[str] = "How many runs of three characters two headlines have in common"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset()
    # Best F1 on the train parts of UCI, AllSides and ECB+; benchmarks/thresholds.py chooses it again.
    threshold: ClassVar[float] = 0.16

    size: int = field(default=3, metadata={"help": "characters in a run", "low": 1, "high": 10})

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Finds the runs of every headline once."""
        return overlap((self._runs(text) for text in context.texts), dice)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The shared runs alone."""
        return (Part("shared runs of characters", score),)

    def _runs(self, text: str) -> frozenset[str]:
        plain = " ".join(text.casefold().split())
        if not plain:
            return frozenset()
        last = max(len(plain) - self.size, 0)
        return frozenset(plain[start : start + self.size] for start in range(last + 1))
