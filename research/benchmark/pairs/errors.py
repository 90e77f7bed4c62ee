"""Where a scorer is wrong, where two disagree, and what drove a score."""

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.data.pair_sets.pair_set import PairSet
from core.maps.projector import DEFAULT_MAP, projectors
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import AUTOMATIC
from core.pairs.scorer import Need, PairScorer, ScorePart
from core.pairs.scoring import context_of
from core.pairs.timeline_context import encoder_of
from core.runtime import Runtime
from core.text.timeline_reading import TimelineReading
from research.benchmark.pairs.evaluate import Evaluated

_WORDS = 12


class Mistake(StrEnum):
    FALSE_POSITIVE = "called the same event, but different"
    FALSE_NEGATIVE = "called different, but the same event"


class Disagreement(NamedTuple):
    place: int
    label: int
    one: float  # score of the first scorer
    other: float


def worst(test: PairSet, evaluated: Evaluated, mistake: Mistake) -> IntArray:
    """Places of the pairs of one kind of mistake, those furthest from the threshold first, int64."""
    labels = test.labels[evaluated.places] == 1
    positive = mistake is Mistake.FALSE_POSITIVE
    wrong = np.flatnonzero(evaluated.called & ~labels if positive else ~evaluated.called & labels)
    order = np.argsort(-evaluated.scores[wrong] if positive else evaluated.scores[wrong], kind="stable")
    return evaluated.places[wrong[order]]


def disagreements(test: PairSet, base: Evaluated, other: Evaluated) -> tuple[Disagreement, ...]:
    """Pairs that one scorer calls the same event and the other does not, the widest apart first."""
    from scipy.stats import rankdata

    both, first, second = np.intersect1d(base.places, other.places, return_indices=True)
    split = np.flatnonzero(base.called[first] != other.called[second])
    ranks = (rankdata(scores) / max(1, len(scores)) for scores in (base.scores[first], other.scores[second]))
    apart = np.abs(next(ranks) - next(ranks))
    order = split[np.argsort(-apart[split], kind="stable")]
    columns = both, test.labels[both], base.scores[first], other.scores[second]
    return tuple(map(Disagreement, *(column[order].tolist() for column in columns)))


def disagreement_by_headline(test: PairSet, evaluated: Evaluated) -> FloatArray:
    """Share of each headline's scored pairs on which scorer and gold disagree, float64 [n]; NaN for none."""
    wrong = evaluated.called != (test.labels[evaluated.places] == 1)
    ends = np.concatenate([test.left[evaluated.places], test.right[evaluated.places]])
    count = np.bincount(ends, minlength=len(test.texts)).astype(np.float64)
    missed = np.bincount(ends, weights=np.concatenate([wrong, wrong]), minlength=len(test.texts))
    with np.errstate(invalid="ignore"):
        return np.asarray(missed / count, dtype=np.float64)


def explain(
    pairs: PairSet, place: int, scorer: PairScorer, score: float, runtime: Runtime
) -> tuple[ScorePart, ...]:
    """What drove the score of one pair: above 0 it speaks for the same event, below it against."""
    ends = np.array([pairs.left[place], pairs.right[place]], dtype=np.int64)
    two = context_of(pairs, ends, np.empty((len(pairs.texts), 0), dtype=np.float32))
    words = [
        ScorePart(f"{side}: {piece.name}", piece.value)
        for side, part in zip(("first", "second"), scorer.innermost.words(two, 0, 1, runtime), strict=False)
        for piece in part
    ]
    if words:
        return tuple(sorted(words, key=lambda word: -abs(word.value))[:_WORDS])
    left, right = ends.tolist()
    rows = np.flatnonzero(pairs.timelines == pairs.timelines[left]).astype(np.int64)
    vectors = np.empty((len(pairs.texts), 0), dtype=np.float32)
    if Need.VECTORS in scorer.needs:
        vectors = encode_cached(
            pairs.texts, encoder_of(TimelineReading(pairs.texts), AUTOMATIC, scorer), runtime
        )
    row, other = np.searchsorted(rows, [left, right]).tolist()
    parts = scorer.parts(context_of(pairs, rows, vectors), row, other, score)
    return tuple(ScorePart(part.name, part.value - 1 if part.multiplies else part.value) for part in parts)


def places_of(pairs: PairSet, runtime: Runtime) -> Float32Array:
    vectors = encode_cached(pairs.texts, encoder_of(TimelineReading(pairs.texts), AUTOMATIC), runtime)
    return projectors.parse(DEFAULT_MAP).project(vectors, runtime)
