"""Meaning and words, corrected for crowded neighbourhoods, faded in time: the default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.pairs.context import PairContext, require_vectors
from core.pairs.fading import TAU_DAYS, WINDOW_DAYS, time_factor, time_part
from core.pairs.scorer import Formula, Need, PairScorer, PreparedScorer, ScorePart, pair_scorers
from core.pairs.selection import Selection, Tile
from core.registry import number
from core.runtime import Runtime
from core.text.language import languages_differ

if TYPE_CHECKING:
    from scipy import sparse

SAME_EVENT = 0.40  # faded blend from which a headline counts into the size of its neighbour's event

LEAST_NEIGHBOURHOOD = 0.05  # keeps a headline that is like nothing from counting without bound

SAMPLED_ROWS = 2_000  # Headlines, evenly spaced, on which the mean size of events is estimated

_ROWS = 1_024

Timeless = Callable[[Selection], Float32Array]
"""Similarities of a selection of pairs before dates fade them, float32 of its shape."""


@dataclass(frozen=True, slots=True, eq=False)
class CosineBlend:
    """Cosines of vectors and of words in one number; what two languages say of an event shares few words."""

    vectors: Float32Array
    words: sparse.csr_matrix
    lexical: float
    languages: IntArray  # a number of each headline's, -1 where it is not known

    def take(self, rows: IntArray) -> CosineBlend:
        return CosineBlend(self.vectors[rows], self.words[rows], self.lexical, self.languages[rows])

    def score(self, at: Selection) -> Float32Array:
        scores, shared = at.inner(self.vectors), at.shared(self.words, self.words)
        meaning = scores.copy() if (self.languages >= 0).any() else None
        scores *= np.float32(1 - self.lexical)
        shared *= np.float32(self.lexical)
        scores += shared
        if meaning is not None:
            np.maximum(scores, meaning, out=scores, where=languages_differ(*at.sides(self.languages)))
        return scores


@dataclass(frozen=True, slots=True, eq=False)
class Neighbourhoods:
    """How crowded it is around each headline of a timeline."""

    near: Float32Array
    nearest: int

    def weights(self, strength: float) -> Float32Array:
        """What the neighbourhood of each headline makes of its similarities, float32 [n]."""
        if not len(self.near):
            return self.near
        return np.asarray((self.near / self.near.mean()) ** np.float32(-strength / 2), dtype=np.float32)


@pair_scorers.register("event_similarity.v2")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventSimilarity(PairScorer):
    """Meaning and words, scaled down in crowded neighbourhoods, times exp(-|days| / tau).

    With b the blend of both cosines (across languages that of meaning where it is more), r the mean blend of
    a headline with its k nearest and w = (r / mean r) ** (-s/2), the score is b w_i w_j x exp(-|days apart| /
    tau), cut to 0 to 1: local scaling in the manner of CSLS (Conneau et al. 2018), damped by s and
    re-centred. k follows the size of events. Days are those of dates (UTC); without a date the factor is 1.
    Nothing is trained, see docs/decisions/0003-similarity-and-granularity.md.
    """

    summary: ClassVar[str] = "Meaning, words and time; headlines that resemble everything count for less"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})
    threshold: ClassVar[float] = 0.22

    lexical: float = number(0.35, 0.0, 1.0, "weight of the words against the meaning")
    strength: float = number(0.75, 0.0, 2.0, "how strongly a crowded neighbourhood scales scores down")
    tau_days: float = field(default=5.0, metadata=TAU_DAYS)
    window_days: float = field(default=30.0, metadata=WINDOW_DAYS)
    nearest: int = number(10, 1, 1000, "fewest neighbours that make a neighbourhood")
    per_event: float = number(4.0, 0.0, 100.0, "neighbours for each headline of a typical event")

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        require_vectors(context)
        return self.faded(self.timeless(context, runtime), context)

    def timeless(self, context: PairContext, runtime: Runtime) -> Timeless:
        """The blend, weighted by how crowded both neighbourhoods are, before dates fade it."""
        blend, around = self.neighbourhoods(context, runtime)
        weight = around.weights(self.strength)

        def weighted(at: Selection) -> Float32Array:
            scores = blend.score(at)
            for side in at.sides(weight):
                scores *= side
            return scores

        return weighted

    def neighbourhoods(self, context: PairContext, runtime: Runtime) -> tuple[CosineBlend, Neighbourhoods]:
        """The blend, and how crowded the neighbourhood of each headline is."""
        blend = CosineBlend(context.vectors, context.words, self.lexical, context.languages)
        if len(context) < 2:
            return blend, Neighbourhoods(np.ones(len(context), dtype=np.float32), self.nearest)
        order = context.by_day_and_wording  # so that the order in which headlines come makes no difference
        means, nearest = context.once(self, lambda: self._measured(context, blend.take(order), runtime))
        near = np.empty_like(means)
        near[order] = np.maximum(means, np.float32(LEAST_NEIGHBOURHOOD))
        return blend, Neighbourhoods(near, nearest)

    def _measured(
        self, context: PairContext, blend: CosineBlend, runtime: Runtime
    ) -> tuple[Float32Array, int]:
        """Mean blend of each headline with its nearest, by day and wording, and how many these are."""
        days = np.floor(context.days[context.by_day_and_wording])
        n = len(days)
        sampled = np.unique(np.linspace(0, n - 1, min(n, SAMPLED_ROWS)).round().astype(np.int64))
        same = 0
        for start in range(0, len(sampled), _ROWS):
            rows = sampled[start : start + _ROWS]
            faded = blend.score(Tile(rows, slice(0, n)))
            gap = days[rows, None] - days[None, :]
            faded *= time_factor(gap, self.tau_days)
            same += int(np.count_nonzero((faded >= SAME_EVENT) & ~(np.abs(gap) > self.window_days)))
        k = max(self.nearest, int(self.per_event * (same / len(sampled))))
        return nearest_mean(blend, min(k, n - 1), runtime), k

    def faded(self, timeless: Timeless, context: PairContext) -> Formula:
        days = np.floor(context.days)

        def score(at: Selection) -> Float32Array:
            scores = timeless(at)
            scores *= time_factor(np.subtract(*at.sides(days)), self.tau_days)
            return np.clip(scores, 0.0, 1.0, out=scores)

        return Formula(score)

    def fade(self, left: FloatArray, right: FloatArray) -> Float32Array:
        return time_factor(np.floor(left) - np.floor(right), self.tau_days)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        meaning = float(context.vectors[left] @ context.vectors[right])
        rows, languages = context.words[[left, right]], context.languages
        shared = float(rows[0].multiply(rows[1]).sum())
        across = languages_differ(languages[left], languages[right])
        lexical = 0.0 if meaning > shared and across else self.lexical
        time = time_part(float(np.floor(context.days[left]) - np.floor(context.days[right])), self.tau_days)
        factors = [ScorePart("meaning", meaning)]
        factors += [ScorePart("shared words", shared)] if lexical else []
        if 0.0 < score < 1.0:
            blend = (1 - lexical) * meaning + lexical * shared
            factors.append(ScorePart("neighbourhood", score / time.value / blend, multiplies=True))
        return (*factors, time)


def nearest_mean(blend: CosineBlend, k: int, runtime: Runtime) -> Float32Array:
    """Mean blend of every headline with its k nearest others, float32 [n]; exact."""
    n = len(blend.vectors)
    result = np.empty(n, dtype=np.float32)
    for start in runtime.track(range(0, n, _ROWS), "Looking at neighbourhoods"):
        scores = blend.score(Tile(slice(start, start + _ROWS), slice(0, n)))
        rows = np.arange(len(scores))
        scores[rows, start + rows] = -2.0
        result[start : start + _ROWS] = np.partition(scores, n - k, axis=1)[:, n - k :].mean(axis=1)
    return result
