"""Meaning and words, corrected for crowded neighbourhoods, faded in time: the default."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, IntArray
from core.pairs import scorer
from core.pairs.features.families import by_day_and_wording
from core.pairs.features.overlap import timeline_words, word_vectors
from core.registry import number
from core.runtime import Runtime
from core.text.language import languages_apart

if TYPE_CHECKING:
    from scipy import sparse

SAME_EVENT = 0.40  # faded blend from which a headline counts into the size of its neighbour's event

LEAST_NEIGHBOURHOOD = 0.05  # keeps a headline that is like nothing from counting without bound

SAMPLED_ROWS = 2_000  # Headlines, evenly spaced, on which the mean size of events is estimated

_ROWS = 1_024
_REMEMBERED: Final = 4
_MEASURED: dict[tuple[object, bytes], tuple[Float32Array, int]] = {}
"""Neighbourhoods by scorer and headlines: a timeline is scored, and its level is found, with the same."""


Timeless = Callable[[scorer.Selection], Float32Array]
"""Similarities of a selection of pairs before dates fade them, float32 of its shape."""


@dataclass(frozen=True, slots=True, eq=False)
class CosineBlend:
    """Cosines of vectors and of words in one number; what two languages say of an event shares few words."""

    vectors: Float32Array
    words: sparse.csr_matrix
    lexical: float
    languages: IntArray  # see `languages_apart`

    def score(self, at: scorer.Selection) -> Float32Array:
        scores, shared = at.inner(self.vectors), at.shared(self.words, self.words)
        meaning = scores.copy() if (self.languages >= 0).any() else None
        scores *= np.float32(1 - self.lexical)
        shared *= np.float32(self.lexical)
        scores += shared
        if meaning is not None:
            np.maximum(scores, meaning, out=scores, where=apart(*at.sides(self.languages)))
        return scores


def apart(left: IntArray, right: IntArray | np.int64) -> npt.NDArray[np.bool_]:
    """Which pairs are of two languages, from the numbers of each side's."""
    return np.asarray((left != right) & (left >= 0) & (right >= 0))


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


@scorer.pair_scorers.register("event_similarity.v2")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventSimilarity(scorer.PairScorer):
    """Meaning and words, scaled down in crowded neighbourhoods, times exp(-|days| / tau).

    With b the blend of both cosines (across languages that of meaning where it is more), r the mean blend of
    a headline with its k nearest and w = (r / mean r) ** (-s/2), the score is b w_i w_j x exp(-|days apart| /
    tau), cut to 0 to 1: local scaling in the manner of CSLS (Conneau et al. 2018), damped by s and
    re-centred. k follows the size of events. Days are those of dates (UTC); without a date the factor is 1.
    Nothing is trained, see docs/decisions/0003-similarity-and-granularity.md.
    """

    summary: ClassVar[str] = "Meaning, words and time; headlines that resemble everything count for less"
    needs: ClassVar[frozenset[scorer.Need]] = frozenset({scorer.Need.VECTORS})
    threshold: ClassVar[float] = 0.22

    lexical: float = number(0.35, 0.0, 1.0, "weight of the words against the meaning")
    strength: float = number(0.75, 0.0, 2.0, "how strongly a crowded neighbourhood scales scores down")
    tau_days: float = field(default=5.0, metadata=scorer.TAU_DAYS)
    window_days: float = field(default=30.0, metadata=scorer.WINDOW_DAYS)
    nearest: int = number(10, 1, 1000, "fewest neighbours that make a neighbourhood")
    per_event: float = number(4.0, 0.0, 100.0, "neighbours for each headline of a typical event")

    def prepare(self, context: scorer.PairContext, runtime: Runtime) -> scorer.PreparedScorer:
        scorer.require_vectors(context)
        return self.faded(self.timeless(context, runtime), context)

    def timeless(self, context: scorer.PairContext, runtime: Runtime) -> Timeless:
        """The blend, weighted by how crowded both neighbourhoods are, before dates fade it."""
        blend, around = self.neighbourhoods(context, runtime)
        weight = around.weights(self.strength)

        def weighted(at: scorer.Selection) -> Float32Array:
            scores = blend.score(at)
            for side in at.sides(weight):
                scores *= side
            return scores

        return weighted

    def neighbourhoods(
        self, context: scorer.PairContext, runtime: Runtime
    ) -> tuple[CosineBlend, Neighbourhoods]:
        """The blend, and how crowded the neighbourhood of each headline is."""
        languages = languages_apart(tuple(context.texts))
        blend = CosineBlend(context.vectors, word_vectors(context.texts), self.lexical, languages)
        if len(context) < 2:
            return blend, Neighbourhoods(np.ones(len(context), dtype=np.float32), self.nearest)
        # In an order of its own: whoever asks about the same headlines in another gets the same, at once.
        order = by_day_and_wording(context.texts, context.days)
        ordered = CosineBlend(context.vectors[order], blend.words[order], self.lexical, languages[order])
        days = np.floor(context.days[order])
        words, seen = ordered.words, sha256()
        for part in (ordered.vectors, days, ordered.languages, words.data, words.indices, words.indptr):
            seen.update(part.tobytes())
        measured = _MEASURED.get(key := (self, seen.digest()))
        if measured is None:
            n = len(days)
            sampled = np.unique(np.linspace(0, n - 1, min(n, SAMPLED_ROWS)).round().astype(np.int64))
            same = 0
            for start in range(0, len(sampled), _ROWS):
                rows = sampled[start : start + _ROWS]
                faded = ordered.score(scorer.Tile(rows, slice(0, n)))
                gap = days[rows, None] - days[None, :]
                faded *= scorer.time_factor(gap, self.tau_days)
                same += int(np.count_nonzero((faded >= SAME_EVENT) & ~(np.abs(gap) > self.window_days)))
            k = max(self.nearest, int(self.per_event * (same / len(sampled))))
            measured = _MEASURED[key] = nearest_mean(ordered, min(k, len(context) - 1), runtime), k
            for oldest in list(_MEASURED)[:-_REMEMBERED]:
                _MEASURED.pop(oldest, None)
        near = np.empty_like(measured[0])
        near[order] = np.maximum(measured[0], np.float32(LEAST_NEIGHBOURHOOD))
        return blend, Neighbourhoods(near, measured[1])

    def faded(self, timeless: Timeless, context: scorer.PairContext) -> scorer.Formula:
        days = np.floor(context.days)

        def score(at: scorer.Selection) -> Float32Array:
            scores = timeless(at)
            scores *= scorer.time_factor(np.subtract(*at.sides(days)), self.tau_days)
            return np.clip(scores, 0.0, 1.0, out=scores)

        return scorer.Formula(score)

    def fade(self, left: FloatArray, right: FloatArray) -> Float32Array:
        return scorer.time_factor(np.floor(left) - np.floor(right), self.tau_days)

    def parts(
        self, context: scorer.PairContext, left: int, right: int, score: float
    ) -> tuple[scorer.ScorePart, ...]:
        meaning = float(context.vectors[left] @ context.vectors[right])
        rows = timeline_words(tuple(context.texts))[[left, right]]
        shared = float(rows[0].multiply(rows[1]).sum())
        languages = languages_apart(tuple(context.texts))
        lexical = 0.0 if meaning > shared and apart(languages[left], languages[right]) else self.lexical
        time = scorer.time_part(
            float(np.floor(context.days[left]) - np.floor(context.days[right])), self.tau_days
        )
        factors = [scorer.ScorePart("meaning", meaning)]
        factors += [scorer.ScorePart("shared words", shared)] if lexical else []
        if 0.0 < score < 1.0:
            blend = (1 - lexical) * meaning + lexical * shared
            factors.append(scorer.ScorePart("neighbourhood", score / time.value / blend, multiplies=True))
        return (*factors, time)


def nearest_mean(blend: CosineBlend, k: int, runtime: Runtime) -> Float32Array:
    """Mean blend of every headline with its k nearest others, float32 [n]; exact."""
    n = len(blend.vectors)
    result = np.empty(n, dtype=np.float32)
    for start in runtime.track(range(0, n, _ROWS), "Looking at neighbourhoods"):
        scores = blend.score(scorer.Tile(slice(start, start + _ROWS), slice(0, n)))
        rows = np.arange(len(scores))
        scores[rows, start + rows] = -2.0
        result[start : start + _ROWS] = np.partition(scores, n - k, axis=1)[:, n - k :].mean(axis=1)
    return result
