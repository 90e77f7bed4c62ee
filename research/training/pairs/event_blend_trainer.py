"""The trainer of the scorer `event_blend`, on timelines drawn from sets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, NamedTuple

import numpy as np

from core import files
from core.arrays import BoolArray, Float32Array, FloatArray, IntArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.errors import InputError
from core.pairs import trained
from core.pairs.context import PairContext
from core.pairs.features.additive import Additive, log_odds, pieces
from core.pairs.metrics import f1
from core.pairs.scorer import Formula
from core.pairs.scorers import event_blend
from core.pairs.selection import PairList
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from research.runs.run_folder import RunFolder
from research.runs.trainer import trainers
from research.training.pairs.drawn_timelines import DrawnTimeline, Pool
from research.training.pairs.vector_trainer import VectorTrainer, by_timeline, measured

DIRECT: Final = {
    **{"meaning": 1, "words": 1, "content words": 1, "one contains the other": 1},
    **{"names": 1, "names in one alone": -1, "no names": 0, "numbers agree": 1, "numbers conflict": -1},
    **{"another day": -1, "days apart": -1, "weeks apart": -1, "date missing": 0, event_blend.CROWDED: 1},
}
"""Features of a pair, and the direction in which each may move the odds."""
GROUPED: Final = {"pair": 1, "groups": 1, "similar groups": 1}
FULL_WEIGHT: Final = 20  # positives from which a timeline counts fully; the few pairs of a short one say less
MOST_POSITIVES: Final = 5_000
HARD: Final = 10_000
EASY: Final = 5_000
"""Pairs of a timeline that are learnt from: positives, the most similar negatives, and others at random."""
CANDIDATES: Final = np.round(np.arange(0.05, 0.951, 0.005), 3)  # thresholds that are tried
CHOSEN_ON: Final = "the mean F1 over the validation pairs of the sets"
Values = Iterable[tuple[str, Float32Array]]
Scored = tuple[IntArray, Float32Array]  # labels and scores of a set's pairs
PENALTY: Final = 1e-3
"""Ridge penalty on weights of standardised features, against a log loss in which positives weigh a half."""


class Seen(NamedTuple):
    timeline: event_blend.TimelineEvidence
    pairs: PairList
    same: BoolArray  # whether they report one event, bool [m]
    weights: FloatArray  # what each counts, float64 [m]; positives 1 together, all negatives as much
    share: float

    @staticmethod
    def of(drawn: DrawnTimeline, runtime: Runtime) -> "Seen":
        timeline = event_blend.look(drawn[0], runtime)
        stories = np.empty_like(drawn[1])
        stories[timeline.places] = drawn[1]
        left, right = np.triu_indices(len(stories), 1)
        same, random = stories[left] == stories[right], np.random.default_rng(len(stories))
        positives, negatives = np.flatnonzero(same), np.flatnonzero(~same)
        few = random.permutation(positives)[:MOST_POSITIVES]
        rows, stands_for = [few, negatives], [len(positives) / max(len(few), 1), 1.0]
        if len(negatives) > HARD + EASY:
            alike = Formula(timeline.alike).pairs(left[negatives], right[negatives])
            order = np.argpartition(-alike, HARD)
            rest = random.permutation(order[HARD:])
            rows[1:] = [negatives[order[:HARD]], negatives[rest[:EASY]]]
            stands_for.append(len(rest) / EASY)
        chosen, weights = np.concatenate(rows), np.repeat(stands_for, list(map(len, rows)))
        count = float(weights[same[chosen]].sum())
        weights = min(1.0, count / FULL_WEIGHT) * weights / count
        pairs = PairList(left[chosen], right[chosen])
        return Seen(timeline, pairs, same[chosen], weights, float(same.mean()))


@trainers.register("event_blend.v3")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventBlendTrainer(VectorTrainer):
    """Two logistic regressions, one on the other, over timelines that are drawn from the sets.

    Sets count the same, and all pairs of a timeline count, of whom the easy ones are sampled. Weights have
    the sign that they should have. The first regression reads a pair's own features; the second its log
    ratio, and the average linkage that they and `event_similarity.v2` give.
    """

    summary: ClassVar[str] = "Weighs meaning, words, names, numbers, time and groups (the shipped scorer)"
    result: ClassVar[str] = "event_blend.v3"

    timelines: int = number(60, 1, 10_000, "timelines drawn from each set for training")

    def check(self, pairs: PairSet) -> None:
        inside = (pairs.parts == Part.TRAIN.value) & (pairs.groups >= 0)
        if len(np.unique(pairs.groups[inside])) < 2:
            said = f"The pair set {pairs.name} has no gold groups, and timelines are drawn from them."
            raise InputError(said, hint="Give sets with gold groups, such as uci, allsides or ecbplus.")

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        model = fit(draw(pairs, self.context(pairs, runtime).vectors, self.timelines, runtime), runtime)

        def ask(context: PairContext, left: IntArray, right: IntArray) -> Float32Array:
            weighed = event_blend.weigh(model, event_blend.look(context, runtime), runtime)
            return weighed.prepared().pairs(left, right)

        asked = pairs.part(Part.VALIDATION)
        scores = by_timeline(asked, self.context(asked, runtime), ask)
        timelines = asked.timelines[asked.left]
        sets = [timelines == timeline for timeline in np.unique(timelines)]
        threshold = best_mean_threshold([(asked.labels[own], scores[own]) for own in sets])
        count = len(pairs.part(Part.TRAIN))
        run.record(threshold={"chosen_on": CHOSEN_ON, "value": threshold}, training_pairs=count)
        if len(np.unique(asked.labels)) == 2:
            run.record(validation=measured(asked, scores, threshold))
        files.make_folder(run.model)
        trained.write(run.model, replace(model, threshold=threshold))


def draw(pairs: PairSet, vectors: Float32Array, count: int, runtime: Runtime) -> list[list[Seen]]:
    """Timelines of the training part of each set: all of it as it is, and so many that are drawn."""
    by_set = []
    inside = (pairs.parts == Part.TRAIN.value) & (pairs.groups >= 0)
    for timeline in runtime.track(np.unique(pairs.timelines[inside]).tolist(), "Drawing timelines"):
        rng = np.random.default_rng([runtime.seed, timeline])
        pool = Pool(pairs, vectors, np.flatnonzero(inside & (pairs.timelines == timeline)), rng)
        drawn = [pool.whole(rng), *(pool.draw(rng) for _ in range(count))]
        by_set.append([Seen.of(timeline, runtime) for timeline in drawn if timeline is not None])
    return [timelines for timelines in by_set if timelines]


def fit(sets: Sequence[Sequence[Seen]], runtime: Runtime) -> event_blend.EventModel:
    """Both regressions, on the timelines of each set, which count the same; the threshold is 0.5 yet."""
    flat = [timeline for timelines in sets for timeline in timelines]
    same = np.concatenate([seen.same for seen in flat])
    weights = np.concatenate([seen.weights / len(some) for some in sets for seen in some])
    offsets = np.concatenate([np.full(len(seen.same), log_odds(seen.share)) for seen in flat])

    def regression(signs: Mapping[str, int], read: Callable[[Seen], Values]) -> Additive:
        tables = [table_of(read(seen), signs) for seen in runtime.track(flat, "Fitting weights")]
        return fit_additive(signs, np.concatenate(tables), same, weights, offsets)

    def grouped(seen: Seen) -> Values:
        weighed = event_blend.weigh_pairs(direct, seen.timeline, runtime)
        pair = weighed.ratios[seen.pairs.left, seen.pairs.right]
        return seen.timeline.grouped(pair, weighed.groups, seen.pairs)

    direct = regression(pieces(DIRECT, event_blend.BENDS), lambda seen: seen.timeline.values(seen.pairs))
    return event_blend.EventModel(direct, regression(pieces(GROUPED, event_blend.GROUP_BENDS), grouped), 0.5)


def best_mean_threshold(sets: Sequence[Scored]) -> float:
    """The threshold with the greatest `mean_f1`; the middle one of those that are equally good."""
    means = np.array([mean_f1(sets, float(threshold)) for threshold in CANDIDATES])
    best = np.flatnonzero(means == means.max())
    return float(CANDIDATES[best[len(best) // 2]])


def mean_f1(sets: Sequence[Scored], threshold: float) -> float:
    values = [f1(labels == SAME, scores >= threshold) or 0.0 for labels, scores in sets]
    return float(np.mean(values or [0.0]))


def table_of(values: Values, signs: Mapping[str, int]) -> Float32Array:
    columns = {name: value.copy() for name, value in values}
    return np.stack([columns[name] for name in signs], axis=1)


def fit_additive(
    signs: Mapping[str, int],
    values: Float32Array,
    labels: BoolArray,
    weights: FloatArray,
    offsets: FloatArray,
) -> Additive:
    """Weights of the greatest penalised likelihood; `signs`: 1 only raises, -1 only lowers the odds."""
    from scipy.optimize import minimize

    names = list(signs)
    kinds = np.stack([labels, ~labels]) * weights
    half = (kinds / (2 * kinds.sum(axis=1, keepdims=True))).sum(axis=0)
    mean = half @ values
    spread = np.sqrt(half @ (values - mean) ** 2) + 1e-6
    rows = ((values - mean) / spread).astype(np.float32)
    share = weights / (2 * kinds[0].sum())

    def loss(point: FloatArray) -> tuple[float, FloatArray]:
        odds = rows @ point[1:].astype(np.float32) + point[0] + offsets
        errors = share * (1 / (1 + np.exp(-odds)) - labels)
        free = point[1:]
        value = float(share @ (np.logaddexp(0, odds) - labels * odds)) + PENALTY * float(free @ free)
        slope = errors.astype(np.float32) @ rows + 2 * PENALTY * free
        return value, np.concatenate([[errors.sum()], slope])

    either = {1: (0, None), -1: (None, 0), 0: (None, None)}
    bounds = [either[0], *(either[sign] for sign in signs.values())]
    start, options = np.zeros(len(names) + 1), {"maxiter": 2_000, "ftol": 1e-14, "gtol": 1e-8}
    fitted = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options=options)
    scaled = (fitted.x[1:] / spread).tolist()
    usual = dict(zip(names, mean.tolist(), strict=True))
    return Additive(dict(zip(names, scaled, strict=True)), usual, float(fitted.x[0]))
