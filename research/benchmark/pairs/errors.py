"""Where a scorer is wrong, on which slices, where two disagree, and what drove a score."""

from enum import StrEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.arrays import BoolArray, Float32Array, FloatArray, IntArray
from core.data.pair_sets.pair_set import PairSet
from core.maps.projector import DEFAULT_MAP, projectors
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import AUTOMATIC
from core.pairs.cross_encoder.inference import PairModelScorer
from core.pairs.cross_encoder.tokens import input_texts
from core.pairs.metrics import PairQuality, pair_quality, ratio
from core.pairs.scorer import Need, PairScorer, ScorePart
from core.pairs.scorers.baselines import TokenOverlap
from core.pairs.scoring import context_of, score_pairs
from core.pairs.timeline_context import encoder_of
from core.runtime import Runtime
from core.statistics.bootstrap import Figure
from core.text.numerals.quantities import Quantity, agree, conflict, read_quantities
from core.text.timeline_reading import TimelineReading
from research.benchmark.pairs.evaluate import Evaluated

_WORDS = 12
DAY_BINS: tuple[tuple[str, int, float], ...] = (
    *(("same day", 0, 0), ("1 day apart", 1, 1), ("2 to 3 days apart", 2, 3), ("4 to 7 days apart", 4, 7)),
    ("more than a week apart", 8, float("inf")),
)
"""Name, fewest and most whole days between the two headlines."""


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
    order = split[np.argsort(-np.abs(next(ranks) - next(ranks))[split], kind="stable")]
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
    if isinstance(scorer.innermost, PairModelScorer):
        from core.pairs.cross_encoder.gradients import integrated_gradients

        model = scorer.innermost.network().to(runtime.device)
        left_text, right_text = input_texts(model.config, two.texts, two.bodies)
        apart = float(pairs.days_apart[place])
        added, *_ = integrated_gradients(model, left_text, right_text, apart, runtime)
        words = [f"first: {word}" for word in left_text.split()]
        words += [f"second: {word}" for word in right_text.split()]
        drives = sorted(map(ScorePart, words, added.tolist()), key=lambda word: -abs(word.value))
        return tuple(drives[:_WORDS])
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


class PairSlice(NamedTuple):
    name: str
    kind: str
    pairs: BoolArray


def slices(pairs: PairSet, runtime: Runtime) -> tuple[PairSlice, ...]:
    """The slices of a set that hold pairs; negatives of one day are the hardest (section 3.6)."""
    apart = pairs.days_apart
    result = [PairSlice("all pairs", "all", np.ones(len(pairs), dtype=np.bool_))]
    result += [PairSlice(name, "days", (apart >= low) & (apart <= high)) for name, low, high in DAY_BINS]
    result.insert(2, PairSlice("same day, different events", "days", (apart == 0) & (pairs.labels == 0)))
    result.append(PairSlice("a date is missing", "days", np.isnan(apart)))
    if len(pairs) > 2:
        shared = score_pairs(pairs, TokenOverlap(), runtime).scores
        low, high = np.nanquantile(shared, [1 / 3, 2 / 3])
        thirds = {"few": shared <= low, "some": (shared > low) & (shared <= high), "many": shared > high}
        result += [PairSlice(f"{words} shared words", "words", inside) for words, inside in thirds.items()]
    numbers = [read_quantities(text) for text in runtime.track(pairs.texts, "Reading numbers")]
    ends = zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
    said = np.array([_numbers(numbers[left], numbers[right]) for left, right in ends], dtype=np.str_)
    for name in ("numbers at odds", "numbers that agree", "numbers in one headline or none"):
        result.append(PairSlice(name, "numbers", said == name))
    return tuple(part for part in result if part.pairs.any())


def _numbers(left: tuple[Quantity, ...], right: tuple[Quantity, ...]) -> str:
    if any(conflict(quantity, other) for quantity in left for other in right):
        return "numbers at odds"
    if any(agree(quantity, other) for quantity in left for other in right):
        return "numbers that agree"
    return "numbers in one headline or none" if not (left and right) else ""


def slice_quality(
    pairs: PairSet, part: PairSlice, places: npt.NDArray[np.int64], called: BoolArray
) -> tuple[PairQuality, Figure]:
    """Quality of decisions on one slice, of the pairs at `places`, int64 [k], and share of false alarms."""
    inside = part.pairs[places]
    quality = pair_quality(pairs.labels[places][inside], called[inside].astype(np.float32), 0.5)
    reason = "no pair of the slice is of different events" if quality.pairs else "there are no labelled pairs"
    alarms = ratio(quality.fp, quality.fp + quality.tn)
    return quality, Figure(alarms, reason if alarms is None else "")


def tag_slices(pairs: PairSet) -> tuple[PairSlice, ...]:
    words: dict[str, BoolArray] = {}
    for place, own in enumerate(pairs.tags):
        for word in own:
            words.setdefault(word, np.zeros(len(pairs), dtype=np.bool_))[place] = True
    return tuple(PairSlice(word, "tag", words[word]) for word in sorted(words))
