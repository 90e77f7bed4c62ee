"""Where a scorer is wrong, where two disagree, what in a pair drove a score, and where headlines lie."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray, IntArray
from core.data.pair_sets.pair_set import PairSet
from core.maps.projector import DEFAULT_MAP, projectors
from core.models.encoders.cache import encode_cached
from core.models.encoders.encoder import AUTOMATIC
from core.pairs.scorer import Need, PairScorer, ScorePart
from core.pairs.scoring.sets import context_of, encoder_of
from core.runtime import Runtime
from research.benchmark.pairs.evaluate import Evaluated

_WORDS = 12


class Mistake(StrEnum):
    FALSE_POSITIVE = "called the same event, but different"
    FALSE_NEGATIVE = "called different, but the same event"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A pair on which two scorers decide differently."""

    place: int
    label: int
    one: float
    other: float
    apart: float


def worst(test: PairSet, evaluated: Evaluated, mistake: Mistake) -> IntArray:
    """Places of the pairs of one kind of mistake, those furthest from the threshold first, int64."""
    labels = test.labels[evaluated.places] == 1
    positive = mistake is Mistake.FALSE_POSITIVE
    wrong = np.flatnonzero(evaluated.called & ~labels if positive else ~evaluated.called & labels)
    order = np.argsort(-evaluated.scores[wrong] if positive else evaluated.scores[wrong], kind="stable")
    return evaluated.places[wrong[order]]


def disagreements(test: PairSet, one: Evaluated, other: Evaluated) -> tuple[Disagreement, ...]:
    """Pairs that one scorer calls the same event and the other does not, the widest apart first.

    Scores of two scorers have no common scale, so they are compared by their ranks among the pairs
    that both scored.
    """
    both, first, second = np.intersect1d(one.places, other.places, return_indices=True)
    split = np.flatnonzero(one.called[first] != other.called[second])
    apart = np.abs(_ranks(one.scores[first]) - _ranks(other.scores[second]))
    order = split[np.argsort(-apart[split], kind="stable")]
    return tuple(
        Disagreement(
            place=int(both[k]),
            label=int(test.labels[both[k]]),
            one=float(one.scores[first[k]]),
            other=float(other.scores[second[k]]),
            apart=float(apart[k]),
        )
        for k in order.tolist()
    )


def disagreement_by_headline(test: PairSet, evaluated: Evaluated) -> FloatArray:
    """Share of each headline's pairs on which a scorer and the gold labels disagree, float64 [n].

    Gold is what people said, so this is where models and people disagree; NaN for headlines without
    scored pairs. It can be shown on the map of the same headlines.
    """
    wrong = evaluated.called != (test.labels[evaluated.places] == 1)
    ends = np.concatenate([test.left[evaluated.places], test.right[evaluated.places]])
    count = np.bincount(ends, minlength=len(test.texts)).astype(np.float64)
    missed = np.bincount(ends, weights=np.concatenate([wrong, wrong]), minlength=len(test.texts))
    with np.errstate(invalid="ignore"):
        return np.asarray(missed / count, dtype=np.float64)


def drivers(
    pairs: PairSet, place: int, scorer: PairScorer, score: float, runtime: Runtime
) -> tuple[ScorePart, ...]:
    """What the score of one pair is made of, in the sight of its timeline."""
    left, right = int(pairs.left[place]), int(pairs.right[place])
    rows = np.flatnonzero(pairs.timelines == pairs.timelines[left]).astype(np.int64)
    vectors = np.empty((len(pairs.texts), 0), dtype=np.float32)
    if Need.VECTORS in scorer.needs:
        vectors = encode_cached(pairs.texts, encoder_of(pairs.texts, AUTOMATIC), runtime)
    context = context_of(pairs, rows, vectors)
    ends = np.searchsorted(rows, [left, right]).tolist()
    return scorer.parts(context, ends[0], ends[1], score)


def explain(
    pairs: PairSet, place: int, scorer: PairScorer, score: float, runtime: Runtime
) -> tuple[ScorePart, ...]:
    """What drove the score of one pair: above 0 it speaks for the same event, below it against.

    A scorer that reads words is asked again without each of them; any other names its parts. A part that
    multiplies speaks against by what it takes away.
    """
    ends = np.array([pairs.left[place], pairs.right[place]], dtype=np.int64)
    two = context_of(pairs, ends, np.empty((len(pairs.texts), 0), dtype=np.float32))
    words = [
        ScorePart(f"{side}: {one.name}", one.value)
        for side, part in zip(("first", "second"), scorer.heart.words(two, 0, 1, runtime), strict=False)
        for one in part
    ]
    if words:
        return tuple(sorted(words, key=lambda word: -abs(word.value))[:_WORDS])
    parts = drivers(pairs, place, scorer, score, runtime)
    return tuple(ScorePart(part.name, part.value - 1 if part.multiplies else part.value) for part in parts)


def places_of(pairs: PairSet, runtime: Runtime) -> Float32Array:
    """Lays the headlines out by meaning, float32 [n, 2]."""
    vectors = encode_cached(pairs.texts, encoder_of(pairs.texts, AUTOMATIC), runtime)
    return projectors.parse(DEFAULT_MAP).project(vectors, runtime)


def _ranks(scores: npt.NDArray[np.float32]) -> FloatArray:
    from scipy.stats import rankdata

    return np.asarray(rankdata(scores) / max(1, len(scores)), dtype=np.float64)
