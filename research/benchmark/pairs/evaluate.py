"""One row on one set: choose on training pairs, measure on test pairs; scores are kept on disk."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import isnan
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from core import __version__
from core.arrays import Float32Array, IntArray
from core.data.pair_sets.pair_set import PairSet
from core.digests import digest
from core.disk_cache import DiskCache
from core.errors import CoreError, InputError
from core.models.encoders.encoder import AUTOMATIC
from core.pairs.metrics import Units, best_f1, best_threshold, pair_intervals, pair_quality
from core.pairs.recipe_fingerprint import fingerprint_of
from core.pairs.scorer import Need, PairScorer, pair_scorers
from core.pairs.scorers.wrappers import fit_curve
from core.pairs.scoring import lacking, score_pairs, swap
from core.pairs.timeline_context import encoder_of
from core.parts import Part
from core.runtime import Runtime
from core.statistics.bootstrap import RESAMPLES, Figure, interval_over
from core.statistics.calibration import calibration
from core.text.timeline_reading import TimelineReading
from research.benchmark.engine import memory_rise
from research.benchmark.pairs import rows
from research.benchmark.pairs.sets import (
    FEWEST,
    MeasuredSet,
    PairCell,
    can_choose,
    sampled,
    sampled_places,
    with_bodies,
)
from research.benchmark.results import bins_of

FOLDER = "pair_scores"
Caps = Mapping[str, tuple[int, int]]
_Candidate = tuple[str, Part | None, Sequence[PairSet]]
LEAST_SHARE = 0.5  # of the test pairs with what a row needs, unless enough of both kinds have it


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairSet:
    scores: Float32Array  # float32 [m]; NaN where the pair cannot be scored
    why_not: dict[str, int]
    signature: str
    seconds: float
    memory_mb: float
    used: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # of a model at an address


def scores_of(pairs: PairSet, scorer: PairScorer, runtime: Runtime, *, fresh: bool = False) -> ScoredPairSet:
    asked: list[ScoredPairSet] = []

    def ask(swapped: bool) -> Float32Array:
        given = swap(pairs) if swapped else pairs
        asked.append(scores_of(given, scorer.inner, runtime, fresh=fresh))
        return asked[-1].scores

    made = scorer.from_inside(ask, pairs.days_apart)
    if made is not None:
        return _around(pairs, scorer, made, asked)
    parts = [__version__, pairs.fingerprint, scorer_fingerprint(pairs.texts, scorer)]
    key = digest(*parts, digits=32)
    cache = DiskCache(runtime.cache / FOLDER)
    known = None if fresh else cache.get(key)
    if known is not None:
        runtime.used.update(known.about.get("used", {}))
        return ScoredPairSet(scores=known.arrays["scores"], **known.about)
    with memory_rise() as rise:
        result = score_pairs(pairs, scorer, own := replace(runtime, used={}))
    reasons = dict(sorted(Counter(result.why_not.values()).items()))
    runtime.used.update(own.used)
    scored = ScoredPairSet(result.scores, reasons, result.signature, result.seconds, rise(), own.used)
    facts = asdict(scored)
    cache.put(key, {"scores": facts.pop("scores")}, **facts)
    return scored


def _around(
    pairs: PairSet, scorer: PairScorer, scores: Float32Array, asked: Sequence[ScoredPairSet]
) -> ScoredPairSet:
    inner, there = scorer.inner, asked[0]
    why_not = dict(there.why_not)
    for place, reason in lacking(pairs, scorer.needs - inner.needs).items():
        if not np.isnan(scores[place]):
            scores[place] = np.nan
            why_not[reason] = why_not.get(reason, 0) + 1
    # The outer scorer, which has no weights, in the place of the inner one.
    head, _, tail = there.signature.rpartition(f" · {pair_scorers.signature(inner)}")
    signature = f"{head} · {pair_scorers.signature(scorer)}{tail}"
    seconds, memory = (sum(one.seconds for one in asked), max(one.memory_mb for one in asked))
    return ScoredPairSet(scores, why_not, signature, seconds, memory)


def scorer_fingerprint(texts: Sequence[str], scorer: PairScorer) -> str:
    """32 hex digits over a scorer, its code, its weights, and the encoder that it has for some headlines."""
    encoders = [encoder_of(TimelineReading(texts), AUTOMATIC, scorer)] if Need.VECTORS in scorer.needs else []
    return fingerprint_of(pair_scorers.signature(scorer), *encoders, scorer)


def _caps(*most: tuple[int, int]) -> Caps:
    return MappingProxyType(dict(zip(rows.Pace, most, strict=True)))


CAPS, QUICK = _caps((20_000, 10_000), (1_000, 400), (120, 60)), _caps((2_000, 1_000), (150, 120), (24, 45))
"""Test and tuning pairs at most, by pace, so that all takes minutes on two cores; and for a first look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSettings:
    caps: Caps = field(default_factory=lambda: CAPS)
    seed: int = 0
    resamples: int = RESAMPLES
    fresh: bool = False


class Choice(NamedTuple):
    scorer: PairScorer
    threshold: float
    chosen_on: str
    part: Part | None
    labels: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float32]


def choose(
    scorer: PairScorer,
    row: rows.PairSystem,
    data: MeasuredSet,
    pool: Sequence[PairSet],
    *,
    runtime: Runtime,
    settings: PairSettings,
) -> Choice:
    """Chooses on the set's training pairs, or on its validation pairs where training flatters the row."""
    nothing = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
    own = Choice(scorer, scorer.threshold, "the scorer's own", None, *nothing)
    if row.own_threshold:
        return own
    if scorer.fixed:
        return Choice(scorer, scorer.threshold, f"nothing: {scorer.fixed}", None, *nothing)
    cap = settings.caps[row.pace][1]
    for words, part, sets in _candidates(row, data, pool):
        samples = [sampled(pairs, max(1, cap // len(sets)), seed=settings.seed) for pairs in sets]
        apart = np.concatenate([pairs.days_apart for pairs in samples])
        best, most = None, -1.0
        for tried in scorer.variants(apart, np.concatenate([pairs.labels for pairs in samples])):
            labels, scores = _scored(tried, samples, runtime, settings)
            enough = min(int(labels.sum()), int((1 - labels).sum())) >= FEWEST
            if enough and (f1 := best_f1(labels, scores)) > most:
                best, most = Choice(tried, best_threshold(labels, scores), words, part, labels, scores), f1
        if best is not None:
            return best
    return own


def _candidates(row: rows.PairSystem, data: MeasuredSet, pool: Sequence[PairSet]) -> list[_Candidate]:
    parts = (Part.VALIDATION, Part.TRAIN) if row.supervised else (Part.TRAIN, Part.VALIDATION)
    own = [(part.value, part, [data.pairs.part(part)]) for part in parts]
    choices: list[_Candidate] = [choice for choice in own if can_choose(choice[2][0])]
    # Rows that were trained on these sets' training pairs would be flattered there, too.
    others = [part for pairs in pool if can_choose(part := pairs.part(parts[0]))]
    if others:
        choices.append((f"{parts[0].value} of {', '.join(pairs.name for pairs in others)}", None, others))
    return choices


def _scored(
    scorer: PairScorer, samples: Sequence[PairSet], runtime: Runtime, settings: PairSettings
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    scored = [scores_of(pairs, scorer, runtime, fresh=settings.fresh).scores for pairs in samples]
    scores, labels = np.concatenate(scored), np.concatenate([pairs.labels for pairs in samples])
    return labels[~np.isnan(scores)], scores[~np.isnan(scores)]


@dataclass(frozen=True, slots=True, eq=False)
class Evaluated:
    cell: PairCell
    scorer: PairScorer | None
    places: IntArray  # pairs of `MeasuredSet.test` that were scored, ascending, int64 [k]
    scores: npt.NDArray[np.float32]
    called: npt.NDArray[np.bool_]


def evaluate(
    data: MeasuredSet,
    row: rows.PairSystem,
    pool: Sequence[PairSet],
    runtime: Runtime,
    settings: PairSettings,
) -> Evaluated:
    scorer = pair_scorers.parse(row.signature)
    choice = choose(scorer, row, data, pool, runtime=runtime, settings=settings)
    cap = settings.caps[row.pace][0]
    test = sampled(data.test, cap, seed=settings.seed)
    scored = scores_of(test, choice.scorer, runtime, fresh=settings.fresh)
    present = ~np.isnan(scored.scores)
    if not present.any():
        raise CoreError(next(iter(scored.why_not), "It has no test pairs."), hint="")
    places = sampled_places(len(data.test), cap, seed=settings.seed)[present]
    labels, scores = data.test.labels[places], scored.scores[present]
    units = Units(data.units.name, data.units.left[places], data.units.right[places], data.units.count)
    units = units.only(np.ones(len(places), dtype=np.bool_))
    figures, counts = measure(labels, scores, choice.threshold, units, settings)
    curve = calibration(labels, scores)
    figures |= {"calibration_error": curve.error, "calibrated_error": _after_curve(choice, labels, scores)}
    figures |= {"brier": curve.brier, "validation_f1": _validation(data, row, choice, runtime, settings)}
    whole, notes = len(data.units.left), []
    if whole > cap:
        notes = [f"Measured on {cap:,} of {whole:,} test pairs, drawn with seed {settings.seed}."]
    notes += [f"{count:,} pairs have no score: {reason}" for reason, count in scored.why_not.items()]
    parts = [scored.signature, f"threshold:{choice.threshold:.6g} ({choice.chosen_on})"]
    signature = " · ".join([*parts, f"seed:{settings.seed}", f"resamples:{settings.resamples}"])
    about: dict[str, Any] = {"figures": figures, "counts": counts, "count": len(places), "whole": whole}
    about |= {"threshold": choice.threshold, "chosen_on": choice.chosen_on, "notes": tuple(notes)}
    about |= {"tuned_pairs": len(choice.labels), "seconds": scored.seconds if scored.seconds > 0 else None}
    about["memory_mb"] = None if isnan(scored.memory_mb) else scored.memory_mb
    about["curves"] = {} if curve.error.value is None else {"score": bins_of(curve)}
    cell = PairCell(set=data.facts.key, system=row.key, signature=signature, **about)
    return Evaluated(cell, choice.scorer, places, scores, scores.astype(np.float64) >= choice.threshold)


def cannot_run(row: rows.PairSystem, scorer: PairScorer, data: MeasuredSet) -> str:
    facts, test = data.facts, data.test
    if facts.why_not:
        return facts.why_not
    if row.languages and facts.language not in row.languages:
        return "It reads English only." if row.languages == ("en",) else "It does not read this language."
    if Need.ANNOTATORS in scorer.needs and not facts.annotated:
        return "This set has no groups made by people."
    has = np.ones(len(test), dtype=np.bool_)
    for needed, what, there in (
        (row.dates or Need.DATES in scorer.needs, "dates", ~np.isnan(test.days_apart)),
        (Need.BODIES in scorer.needs, "articles", with_bodies(test)),
    ):
        has &= there | (not needed)
        if needed and not there.any():
            return f"This set has no {what}."
        if has.mean() < LEAST_SHARE and not can_choose(test.with_pairs(has)):
            return f"Few of this set's test pairs have {what}."
    return ""


def _validation(
    data: MeasuredSet, row: rows.PairSystem, choice: Choice, runtime: Runtime, settings: PairSettings
) -> Figure:
    if choice.part is Part.VALIDATION:
        return Figure(None, "validation pairs chose the threshold")
    part = sampled(data.pairs.part(Part.VALIDATION), settings.caps[row.pace][1], seed=settings.seed)
    if not len(part):
        return Figure(None, "there are no validation pairs")
    scores = scores_of(part, choice.scorer, runtime, fresh=settings.fresh).scores
    present = ~np.isnan(scores)
    f1 = pair_quality(part.labels[present], scores[present], choice.threshold)["f1"]
    return Figure(f1.value, f1.reason)


def measure(
    labels: IntArray, scores: npt.NDArray[np.float32], threshold: float, units: Units, settings: PairSettings
) -> tuple[dict[str, Figure], dict[str, int]]:
    quality = pair_quality(labels, scores, threshold)
    spans = pair_intervals(labels, scores, threshold, units, resamples=settings.resamples, seed=settings.seed)
    figures = {}
    for name, score in quality.scores.items():
        figures[name] = score
        if score.value is not None and name in spans:
            (low, high), warning = interval_over(spans[name], units.count, units.name)
            figures[name] = Figure(score.value, "", low, high, warning)
    return figures, {"tp": quality.tp, "fp": quality.fp, "fn": quality.fn, "tn": quality.tn}


def _after_curve(choice: Choice, labels: IntArray, scores: npt.NDArray[np.float32]) -> Figure:
    if not len(choice.labels):
        return Figure(None, "no pairs were there to fit a curve to")
    try:
        curve = fit_curve(pair_scorers.signature(choice.scorer), choice.scores, choice.labels)
    except InputError as error:
        return Figure(None, error.message)
    return calibration(labels, curve.probability(scores)).error
