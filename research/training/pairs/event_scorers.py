"""Trains the weights of `event_blend` and of `event_pair`, the scorer that looks at two headlines alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from core import files
from core.arrays import Float32Array, IntArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.errors import InputError
from core.pairs import trained
from core.pairs.features.additive import Additive, bent, log_odds, pieces
from core.pairs.metrics import f1
from core.pairs.scorer import Formula, PairContext, PairList
from core.pairs.scorers import event_pair
from core.pairs.scorers.event_blend import (
    BENDS,
    CROWDED,
    GROUP_BENDS,
    EventModel,
    ReadTimeline,
    look,
    weigh,
    weigh_pairs,
)
from core.pairs.scorers.event_pair import (
    FADED,
    FARTHEST,
    SIGNS,
    UNKNOWN_GAP,
    PairOdds,
    faded,
    formula,
    pair_features,
)
from core.parts import Part
from core.registry import number
from core.runtime import Runtime
from core.statistics.calibration import fit_logistic
from research.runs.run_folder import RunFolder
from research.runs.trainer import trainers
from research.training.pairs.data import PROMPTNESS, DrawnTimeline, Pool, usable
from research.training.pairs.vector_pairs import ENCODER, VectorTrainer, by_timeline, fit_additive, measured

DIRECT: Final = {
    "meaning": 1,
    "words": 1,
    "content words": 1,
    "one contains the other": 1,
    "names": 1,
    "names in one alone": -1,
    "no names": 0,
    "numbers agree": 1,
    "numbers conflict": -1,
    "another day": -1,
    "days apart": -1,
    "weeks apart": -1,
    "date missing": 0,
    CROWDED: 1,
}
"""Features of a pair, and the direction in which each may move the odds."""

GROUPED: Final = {"pair": 1, "groups": 1, "similar groups": 1}

FULL_WEIGHT: Final = 20
"""Positives from which a timeline counts fully; the few pairs of a short one say less."""

MOST_POSITIVES: Final = 5_000
HARD: Final = 10_000
EASY: Final = 5_000
"""Pairs of a timeline that are learnt from: positives, the most similar
negatives, and others drawn at random."""

CANDIDATES: Final = np.round(np.arange(0.05, 0.951, 0.005), 3)
"""Thresholds that are tried."""

Values = Iterable[tuple[str, Float32Array]]
Scored = tuple[IntArray, Float32Array]
"""Labels and scores of a set's pairs."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A drawn timeline with its features."""

    timeline: ReadTimeline
    pairs: PairList
    same: npt.NDArray[np.bool_]  # whether they report one event, bool [m]
    stands_for: npt.NDArray[np.float64]  # how many pairs of the timeline each stands for, float64 [m]
    share: float

    @staticmethod
    def of(drawn: DrawnTimeline, runtime: Runtime) -> Seen:
        """Reads a timeline, and draws the pairs to learn from."""
        timeline = look(drawn.context, runtime)
        places, size = timeline.places, len(drawn.stories)
        stories = np.empty_like(drawn.stories)
        stories[places] = drawn.stories
        left, right = np.triu_indices(size, 1)
        same = stories[left] == stories[right]
        random = np.random.default_rng(size)
        chosen, stands_for = _chosen(timeline, left, right, same, random)
        return Seen(
            timeline=timeline,
            pairs=PairList(left[chosen], right[chosen]),
            same=same[chosen],
            stands_for=stands_for,
            share=float(same.mean()),
        )


def _chosen(
    timeline: ReadTimeline,
    left: IntArray,
    right: IntArray,
    same: npt.NDArray[np.bool_],
    random: np.random.Generator,
) -> tuple[IntArray, npt.NDArray[np.float64]]:
    positives, negatives = np.flatnonzero(same), np.flatnonzero(~same)
    kept = random.permutation(positives)[:MOST_POSITIVES]
    parts = [(kept, len(positives) / max(len(kept), 1))]
    if len(negatives) > HARD + EASY:
        alike = Formula(timeline.alike).pairs(left[negatives], right[negatives])
        order = np.argpartition(-alike, HARD)
        rest = random.permutation(order[HARD:])
        parts.append((negatives[order[:HARD]], 1.0))
        parts.append((negatives[rest[:EASY]], len(rest) / EASY))
    else:
        parts.append((negatives, 1.0))
    return (
        np.concatenate([rows for rows, _ in parts]),
        np.concatenate([np.full(len(rows), each) for rows, each in parts]),
    )


@trainers.register("event_blend.v3")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventBlendTrainer(VectorTrainer):
    """Two logistic regressions, one on the other, over timelines that are drawn from the sets.

    From the training part of each set many timelines are drawn (`drawn_timelines`); sets count the same, and
    all pairs of a timeline count, of whom the easy ones are sampled. Weights have the sign that they should
    have. The first regression reads a pair's own features; the second its log ratio, and the average linkage
    that they and `event_similarity.v1` give. The threshold is the one with the best mean F1 over the
    validation pairs of the sets.
    """

    summary: ClassVar[str] = "Weighs meaning, words, names, numbers, time and groups (the shipped scorer)"
    result: ClassVar[str] = "event_blend.v3"

    timelines: int = number(60, 1, 10_000, "timelines drawn from each set for training")

    def check(self, pairs: PairSet) -> None:
        inside = (pairs.parts == Part.TRAIN.value) & (pairs.groups >= 0)
        if len(np.unique(pairs.groups[inside])) < 2:
            raise InputError(
                f"The pair set {pairs.name} has no gold groups, and timelines are drawn from them.",
                hint="Give sets with gold groups, such as uci, allsides or ecbplus.",
            )

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        model = self.learn(pairs, runtime)
        run.record(
            threshold={
                "chosen_on": "the mean F1 over the validation pairs of the sets",
                "value": model.threshold,
            },
            training_pairs=len(pairs.part(Part.TRAIN)),
            **self._measured(model, pairs.part(Part.VALIDATION), runtime),
        )
        files.make_folder(run.model)
        trained.write(run.model, model)

    def learn(self, pairs: PairSet, runtime: Runtime) -> EventModel:
        drawn = draw(pairs, self.context(pairs, runtime).vectors, self.timelines, runtime)
        model, asked = fit(drawn, runtime), pairs.part(Part.VALIDATION)
        timelines = asked.timelines[asked.left]
        scores = self._scores(model, asked, runtime)
        sets = [
            (asked.labels[own], scores[own])
            for own in (timelines == timeline for timeline in np.unique(timelines))
        ]
        return replace(model, threshold=best_mean_threshold(sets))

    def _measured(self, model: EventModel, pairs: PairSet, runtime: Runtime) -> dict[str, Any]:
        if len(np.unique(pairs.labels)) < 2:
            return {}
        return {"validation": measured(pairs, self._scores(model, pairs, runtime), model.threshold)}

    def _scores(self, model: EventModel, pairs: PairSet, runtime: Runtime) -> Float32Array:
        def ask(context: PairContext, left: IntArray, right: IntArray) -> Float32Array:
            return weigh(model, look(context, runtime), runtime).prepared().pairs(left, right)

        return by_timeline(pairs, self.context(pairs, runtime), ask)


def draw(pairs: PairSet, vectors: Float32Array, count: int, runtime: Runtime) -> list[list[Seen]]:
    """Timelines of the training part of each set: all of it as it is, and so many that are drawn."""
    found = []
    inside = (pairs.parts == Part.TRAIN.value) & (pairs.groups >= 0)
    for timeline in runtime.track(np.unique(pairs.timelines[inside]).tolist(), "Drawing timelines"):
        rng = np.random.default_rng([runtime.seed, timeline])
        pool = Pool.of(pairs, vectors, np.flatnonzero(inside & (pairs.timelines == timeline)), rng)
        drawn = [pool.whole(rng), *(pool.draw(rng) for _ in range(count))]
        found.append([Seen.of(timeline, runtime) for timeline in drawn if usable(timeline)])
    return [one for one in found if one]


def fit(sets: Sequence[Sequence[Seen]], runtime: Runtime) -> EventModel:
    """Both regressions, on the timelines of each set, which count the same; the threshold is 0.5 yet."""
    flat = [timeline for timelines in sets for timeline in timelines]
    same = np.concatenate([seen.same for seen in flat])
    weights = np.concatenate([pair_weights(seen) / len(some) for some in sets for seen in some])
    offsets = np.concatenate([np.full(len(seen.same), log_odds(seen.share)) for seen in flat])

    def regression(signs: Mapping[str, int], read: Callable[[Seen], Values]) -> Additive:
        tables = [_table(read(seen), signs) for seen in runtime.track(flat, "Fitting weights")]
        return fit_additive(signs, np.concatenate(tables), same, weights, offsets)

    def grouped(one: Seen) -> Values:
        found = weigh_pairs(direct, one.timeline, runtime)
        pair = found.ratios[one.pairs.left, one.pairs.right]
        return one.timeline.grouped(pair, found.groups, one.pairs)

    direct = regression(pieces(DIRECT, BENDS), lambda one: one.timeline.values(one.pairs))
    return EventModel(direct, regression(pieces(GROUPED, GROUP_BENDS), grouped), 0.5)


def best_mean_threshold(sets: Sequence[Scored]) -> float:
    """The threshold with the greatest `mean_f1`; the middle one of those that are equally good."""
    found = np.array([mean_f1(sets, float(threshold)) for threshold in CANDIDATES])
    best = np.flatnonzero(found == found.max())
    return float(CANDIDATES[best[len(best) // 2]])


def mean_f1(sets: Sequence[Scored], threshold: float) -> float:
    return float(
        np.mean([f1(labels == SAME, scores >= threshold) or 0.0 for labels, scores in sets] or [0.0])
    )


def _table(values: Values, signs: Mapping[str, int]) -> Float32Array:
    columns = {name: value.copy() for name, value in values}
    return np.stack([columns[name] for name in signs], axis=1)


def pair_weights(seen: Seen) -> npt.NDArray[np.float64]:
    """What each pair counts: its positives weigh 1 together, and a negative as much as a positive."""
    positives = float(seen.stands_for[seen.same].sum())
    return np.asarray(min(1.0, positives / FULL_WEIGHT) * seen.stands_for / positives, dtype=np.float64)


NEAR: Final = 4
FAR: Final = (5, 40)
FAR_SHARE: Final = 0.15
"""Days between headlines of two events where days are invented: up to four, as pairs are drawn, or more."""

UNDATED: Final = 0.25
REAL: Final = 0.5
"""Share of invented pairs without a date, and of those of a set with real dates that keep theirs."""


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

    encoder: str = field(default="e5_siamese.v1", metadata=ENCODER)

    def train(self, pairs: PairSet, run: RunFolder, runtime: Runtime) -> None:
        asked = pairs.part(Part.VALIDATION)
        context = self.context(asked, runtime)
        odds, threshold = learn(asked, context, runtime)
        run.record(
            threshold={"chosen_on": "the mean F1 over the validation pairs of the sets", "value": threshold},
            training_pairs=len(asked),
            validation=measured(asked, scores(odds, asked, context), threshold),
        )
        files.make_folder(run.model)
        trained.write(run.model, PairOdds(self.encoder, odds, threshold))


def learn(pairs: PairSet, context: PairContext, runtime: Runtime) -> tuple[Additive, float]:
    """Weights, and the threshold with the best mean F1 over the sets at the dates that they have.

    Args:
        pairs: Labelled pairs; each of their timelines counts as a set.
        context: Their headlines.
        runtime: Its seed draws the days.
    """
    same, numbers = pairs.labels == SAME, pairs.timelines[pairs.left]
    features = pair_features(context)(PairList(pairs.left, pairs.right))
    plain = {name: value.copy() for name, value in features}
    sets = [numbers == one for one in np.unique(numbers)]
    sets = [own for own in sets if len(np.unique(same[own])) == 2]
    random, drawn = np.random.default_rng(runtime.seed), np.zeros(len(same), dtype=np.bool_)
    by_label, by_set = np.zeros(len(same)), np.zeros(len(same))
    for own in sets:
        by_label[own] = np.where(same[own], 1 / same[own].sum(), 1 / (~same[own]).sum())
        by_set[own] = 1 / own.sum()
        drawn |= own & (random.random(len(same)) >= (REAL if _really_dated(pairs.with_pairs(own)) else 0.0))
    invented = plain | _with_days(plain, drawn, *_invented(same, random))
    tables = [_bent_table(invented), _bent_table(plain)]
    odds = fit_additive(pieces(SIGNS, event_pair.BENDS), tables[0], same, by_label, np.zeros(len(same)))
    odds = calibrated(odds, tables, same, by_set)
    found = scores(odds, pairs, context)
    return odds, best_mean_threshold([(pairs.labels[own], found[own]) for own in sets])


def calibrated(
    odds: Additive,
    tables: Sequence[Float32Array],
    same: npt.NDArray[np.bool_],
    weights: npt.NDArray[np.float64],
) -> Additive:
    """The same sum, stretched and moved so that it is a log odds at the share that the pairs have."""
    names = list(pieces(SIGNS, event_pair.BENDS))
    sums = [
        odds.log_odds((name, table[:, place].copy()) for place, name in enumerate(names)) for table in tables
    ]
    values, labels = np.concatenate(sums), np.tile(same, len(tables))
    scale, move = fit_logistic(values, labels, np.tile(weights, len(tables)), softened=False)
    stretched = {name: weight * scale for name, weight in odds.weights.items()}
    return replace(odds, weights=stretched, bias=odds.bias * scale + move)


def _with_days(
    values: Mapping[str, Float32Array],
    drawn: npt.NDArray[np.bool_],
    gaps: npt.NDArray[np.float64],
    missing: npt.NDArray[np.bool_],
) -> dict[str, Float32Array]:
    apart = np.where(drawn, gaps, values["days apart"]).astype(np.float32)
    return {
        "days apart": apart,
        "date missing": np.where(drawn, missing, values["date missing"]).astype(np.float32),
        FADED: np.where(drawn, faded(values["meaning"], apart), values[FADED]).astype(np.float32),
    }


def _bent_table(values: Mapping[str, Float32Array]) -> Float32Array:
    columns = dict(bent(values.items(), event_pair.BENDS))
    return np.stack([columns[name] for name in pieces(SIGNS, event_pair.BENDS)], axis=1)


def scores(odds: Additive, pairs: PairSet, context: PairContext) -> Float32Array:
    """Probabilities of the pairs, float32 [m]."""
    return formula(odds, context).pairs(pairs.left, pairs.right)


def _invented(
    same: npt.NDArray[np.bool_], random: np.random.Generator
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    prompt = random.choice(PROMPTNESS, len(same))
    own = np.abs(random.geometric(prompt) - random.geometric(prompt))
    others = random.integers(0, NEAR + 1, len(same))
    far = random.random(len(same)) < FAR_SHARE
    others = np.where(far, random.integers(*FAR, len(same)), others)
    missing = random.random(len(same)) < UNDATED
    return np.where(missing, UNKNOWN_GAP, np.minimum(np.where(same, own, others), FARTHEST)), missing


def _really_dated(pairs: PairSet) -> bool:
    used = np.unique(np.concatenate([pairs.left, pairs.right]))
    days, groups = pairs.days[used], pairs.groups[used]
    if np.isnan(days).mean() > 0.5:
        return False
    firsts = np.unique(groups, return_index=True)[1][np.unique(groups, return_inverse=True)[1]]
    return bool(np.any(days != days[firsts]))
