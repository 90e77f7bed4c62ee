"""What a row may choose before it meets the test pairs: its threshold, its fading, its two numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from core.data.pair_sets.pair_set import PairSet
from core.pairs.metrics.scores import best_f1, best_threshold
from core.pairs.scorer import PairScorer
from core.parts import Part
from core.runtime import Runtime
from core.statistics.bootstrap import RESAMPLES
from research.benchmark.pairs.rows import Pace, PairSystem
from research.benchmark.pairs.scores import scores_of
from research.benchmark.pairs.sets import FEWEST, MeasuredSet, can_choose, sampled

Caps = Mapping[str, tuple[int, int]]

CAPS: Caps = MappingProxyType(
    {Pace.FAST: (20_000, 10_000), Pace.NETWORK: (1_000, 400), Pace.LANGUAGE_MODEL: (120, 60)}
)
"""Test pairs and tuning pairs at most, by pace: the whole table takes minutes, not hours, on two cores."""

QUICK: Caps = MappingProxyType(
    {Pace.FAST: (2_000, 1_000), Pace.NETWORK: (150, 120), Pace.LANGUAGE_MODEL: (24, 45)}
)
"""The same for a first look."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSettings:
    """How the benchmark runs.

    Attributes:
        caps: Test pairs and tuning pairs at most, by pace.
        seed: Of samples and resamples.
        resamples: Of the intervals.
        fresh: Score again what is on the disk.
    """

    caps: Caps = field(default_factory=lambda: CAPS)
    seed: int = 0
    resamples: int = RESAMPLES
    fresh: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What a row chose.

    Attributes:
        scorer: With its parameters.
        threshold: Score from which a pair is called the same event.
        chosen_on: Which pairs chose it, in words.
        part: The part of the set itself that chose it; None where others did.
        labels: Of the pairs that chose it, int64.
        scores: Their scores, float32.
    """

    scorer: PairScorer
    threshold: float
    chosen_on: str
    part: Part | None
    labels: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float32]


def choose(
    scorer: PairScorer,
    row: PairSystem,
    data: MeasuredSet,
    pool: Sequence[PairSet],
    *,
    runtime: Runtime,
    settings: PairSettings,
) -> Choice:
    """Chooses on the set's training pairs, or on its validation pairs where training flatters the row.

    A set without enough of both takes the same part of the other sets; a row that can score none of
    those keeps its scorer's own threshold, and so does what ships. Test pairs choose nothing.
    """
    nothing = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
    own = Choice(scorer, scorer.threshold, "the scorer's own", None, *nothing)
    if row.own_threshold:
        return own
    if scorer.fixed:
        return Choice(scorer, scorer.threshold, f"nothing: {scorer.fixed}", None, *nothing)
    cap = settings.caps[row.pace][1]
    for words, part, sets in _candidates(row, data, pool):
        samples = [sampled(pairs, max(1, cap // len(sets)), seed=settings.seed) for pairs in sets]
        fitted = _fitted(scorer, samples, runtime, settings)
        labels, scores = _scored(fitted, samples, runtime, settings)
        if min(int(labels.sum()), int((1 - labels).sum())) >= FEWEST:
            return Choice(fitted, best_threshold(labels, scores), words, part, labels, scores)
    return own


def _candidates(
    row: PairSystem, data: MeasuredSet, pool: Sequence[PairSet]
) -> list[tuple[str, Part | None, Sequence[PairSet]]]:
    parts = (Part.VALIDATION, Part.TRAIN) if row.supervised else (Part.TRAIN, Part.VALIDATION)
    own = [(part.value, part, [data.pairs.part(part)]) for part in parts]
    found: list[tuple[str, Part | None, Sequence[PairSet]]] = [
        choice for choice in own if can_choose(choice[2][0])
    ]
    # Rows that were trained on these sets' training pairs would be flattered there, too.
    others = [part for pairs in pool if can_choose(part := pairs.part(parts[0]))]
    if others:
        found.append((f"{parts[0].value} of {', '.join(pairs.name for pairs in others)}", None, others))
    return found


def _fitted(
    scorer: PairScorer, samples: Sequence[PairSet], runtime: Runtime, settings: PairSettings
) -> PairScorer:
    """Of the scorer's variants the one with the highest F1 at its own best threshold; most have none."""
    apart = np.concatenate([pairs.days_apart for pairs in samples])
    variants = scorer.variants(apart, np.concatenate([pairs.labels for pairs in samples]))
    if len(variants) == 1:
        return variants[0]
    best, most = scorer, -1.0
    for tried in variants:
        labels, scores = _scored(tried, samples, runtime, settings)
        if min(int(labels.sum()), int((1 - labels).sum())) < FEWEST:
            return scorer
        if (f1 := best_f1(labels, scores)) > most:
            best, most = tried, f1
    return best


def _scored(
    scorer: PairScorer, samples: Sequence[PairSet], runtime: Runtime, settings: PairSettings
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    scores = np.concatenate(
        [scores_of(pairs, scorer, runtime, fresh=settings.fresh).scores for pairs in samples]
    )
    labels = np.concatenate([pairs.labels for pairs in samples])
    return labels[~np.isnan(scores)], scores[~np.isnan(scores)]
