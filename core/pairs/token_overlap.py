"""How many words two headlines have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.pairs.overlap import jaccard, overlap
from core.pairs.scorer import Need, PairContext, Part, PreparedScorer, ScoreScale, pair_scorers
from core.pairs.timeless import Timeless
from core.runtime import Runtime
from core.text.tokens import content, tokenize


@pair_scorers.register("token_overlap.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TokenOverlap(Timeless):
    """Jaccard coefficient of the headlines' sets of words.

    Words that either headline has that both have; 0 where neither has a word. Words count in their light
    normal form, so that "returns" meets "returned".

    Source: Jaccard (1912), "The Distribution of the Flora in the Alpine Zone".
    """

    summary: ClassVar[str] = "The share of their words that two headlines have in common"
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset()
    # Best F1 on the train parts of UCI, AllSides and ECB+; benchmarks/thresholds.py chooses it again.
    threshold: ClassVar[float] = 0.07

    function_words: bool = field(default=False, metadata={"help": "count words such as the, of and is, too"})

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Finds the words of every headline once."""
        return overlap((self._words(text) for text in context.texts), jaccard)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """The shared words alone."""
        return (Part("shared words", score),)

    def _words(self, text: str) -> frozenset[str]:
        tokens = tokenize(text)
        return frozenset(token.form for token in (tokens if self.function_words else content(tokens)))
