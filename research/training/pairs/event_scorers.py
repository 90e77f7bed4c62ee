"""Trains the weights of `event_blend` and of `event_pair`, the scorer that looks at two headlines alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, NamedTuple

import numpy as np

from core import files
from core.arrays import BoolArray, Float32Array, FloatArray, IntArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.errors import InputError
from core.pairs import trained
from core.pairs.features.additive import Additive, bent, log_odds, pieces
from core.pairs.metrics import f1
from core.pairs.scorer import Formula, PairContext, PairList
from core.pairs.scorers import event_blend, event_pair
from core.parts import Part
from core.registry import number, told
from core.runtime import Runtime
from core.statistics.calibration import fit_logistic
from research.runs.run_folder import RunFolder
from research.runs.trainer import trainers
from research.training.pairs.additive import fit_additive
from research.training.pairs.data import PROMPTNESS, DrawnTimeline, Pool
from research.training.pairs.vector_trainer import ENCODER, VectorTrainer, by_timeline, measured

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
NEAR: Final = 4
FAR: Final = (5, 40)
FAR_SHARE: Final = 0.15
"""Days between headlines of two events where days are invented: up to four, as pairs are drawn, or more."""
UNDATED: Final = 0.25
REAL: Final = 0.5
"""Share of invented pairs without a date, and of those of a set with real dates that keep theirs."""


class Seen(NamedTuple):
    """A drawn timeline with the pairs of it that are learnt from."""

    timeline: event_blend.ReadTimeline
    pairs: PairList
    same: BoolArray  # whether they report one event, bool [m]
    weights: FloatArray  # what each counts, float64 [m]; positives 1 together, all negatives as much
    share: float

    @staticmethod
    def of(drawn: DrawnTimeline, runtime: Runtime) -> Seen:
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
        tables = [_table(read(seen), signs) for seen in runtime.track(flat, "Fitting weights")]
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


def _table(values: Values, signs: Mapping[str, int]) -> Float32Array:
    columns = {name: value.copy() for name, value in values}
    return np.stack([columns[name] for name in signs], axis=1)


@trainers.register("event_pair.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventPairTrainer(VectorTrainer):
    """A logistic regression whose weights have known signs.

    The encoder has seen the training parts, where its cosines are surer than elsewhere, so weights and
    threshold come from validation pairs. Sets and both labels count the same. Where a set has no dates, or
    one for all headlines of a story, days are drawn: those of one event mostly within a day, as in HLGD.
    """

    summary: ClassVar[str] = "Weighs meaning, words, numbers and days of a pair (the shipped scorer)"
    result: ClassVar[str] = "event_pair.v1"

    encoder: str = told("e5_siamese.v1", ENCODER)

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        asked = pairs.part(Part.VALIDATION)
        context = self.context(asked, runtime)
        odds, threshold = learn(asked, context, runtime)
        run.record(threshold={"chosen_on": CHOSEN_ON, "value": threshold}, training_pairs=len(asked))
        run.record(validation=measured(asked, scores(odds, asked, context), threshold))
        files.make_folder(run.model)
        trained.write(run.model, event_pair.PairOdds(self.encoder, odds, threshold))


def learn(pairs: PairSet, context: PairContext, runtime: Runtime) -> tuple[Additive, float]:
    """Weights, and the threshold with the best mean F1 over the pairs' timelines at the dates they have."""
    same, numbers = pairs.labels == SAME, pairs.timelines[pairs.left]
    features = event_pair.pair_features(context)(PairList(pairs.left, pairs.right))
    plain = {name: value.copy() for name, value in features}
    sets = [numbers == number for number in np.unique(numbers)]
    sets = [own for own in sets if len(np.unique(same[own])) == 2]
    random, drawn = np.random.default_rng(runtime.seed), np.zeros(len(same), dtype=np.bool_)
    by_label, by_set = np.zeros(len(same)), np.zeros(len(same))
    for own in sets:
        by_label[own] = np.where(same[own], 1 / same[own].sum(), 1 / (~same[own]).sum())
        by_set[own] = 1 / own.sum()
        drawn |= own & (random.random(len(same)) >= (REAL if _really_dated(pairs.with_pairs(own)) else 0.0))
    gaps, missing = _invented(same, random)
    faded = event_pair.faded(plain["meaning"], np.where(drawn, gaps, plain["days apart"]).astype(np.float32))
    new = {"days apart": gaps, "date missing": missing, event_pair.FADED: faded}
    invented = plain | {
        name: np.where(drawn, value, plain[name]).astype(np.float32) for name, value in new.items()
    }
    signs = pieces(event_pair.SIGNS, event_pair.BENDS)
    tables = [_table(bent(values.items(), event_pair.BENDS), signs) for values in (invented, plain)]
    odds = fit_additive(signs, tables[0], same, by_label, np.zeros(len(same)))
    # The same sum, stretched and moved so that it is a log odds at the share that the pairs have.
    columns = np.concatenate(tables).T
    sums = odds.log_odds((name, column.copy()) for name, column in zip(signs, columns, strict=True))
    scale, move = fit_logistic(sums, np.tile(same, 2), np.tile(by_set, 2), softened=False)
    stretched = {name: weight * scale for name, weight in odds.weights.items()}
    odds = replace(odds, weights=stretched, bias=odds.bias * scale + move)
    learned = scores(odds, pairs, context)
    return odds, best_mean_threshold([(pairs.labels[own], learned[own]) for own in sets])


def scores(odds: Additive, pairs: PairSet, context: PairContext) -> Float32Array:
    """Probabilities of the pairs, float32 [m]."""
    return event_pair.formula(odds, context).pairs(pairs.left, pairs.right)


def _invented(same: BoolArray, random: np.random.Generator) -> tuple[FloatArray, BoolArray]:
    prompt = random.choice(PROMPTNESS, len(same))
    own = np.abs(random.geometric(prompt) - random.geometric(prompt))
    others = random.integers(0, NEAR + 1, len(same))
    far = random.random(len(same)) < FAR_SHARE
    others = np.where(far, random.integers(*FAR, len(same)), others)
    missing = random.random(len(same)) < UNDATED
    known = np.minimum(np.where(same, own, others), event_pair.FARTHEST)
    return np.where(missing, event_pair.UNKNOWN_GAP, known), missing


def _really_dated(pairs: PairSet) -> bool:
    used = np.unique(np.concatenate([pairs.left, pairs.right]))
    days, groups = pairs.days[used], pairs.groups[used]
    if np.isnan(days).mean() > 0.5:
        return False
    firsts = np.unique(groups, return_index=True)[1][np.unique(groups, return_inverse=True)[1]]
    return bool(np.any(days != days[firsts]))
