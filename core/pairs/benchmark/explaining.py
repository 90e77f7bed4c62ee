"""What in a pair drove its score: words for a pair model, parts for everything else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.data.pair_sets.pair_set import PairSet
from core.pairs.benchmark.errors import drivers
from core.pairs.cross_encoder.attribution import attributions
from core.pairs.cross_encoder.scoring import PairModelScorer
from core.pairs.scorer import PairScorer
from core.pairs.scorers.wrappers import Wrapper
from core.pairs.scoring.sets import context_of
from core.runtime import Runtime


@dataclass(frozen=True, slots=True)
class Drive:
    """One thing that drove a score.

    Attributes:
        name: A word of a headline, or a part of the score.
        weight: Above 0 it speaks for the same event, below it against.
    """

    name: str
    weight: float


def explain(
    pairs: PairSet, place: int, scorer: PairScorer, score: float, runtime: Runtime
) -> tuple[Drive, ...]:
    """What drove the score of one pair.

    A pair model is asked again without each word; any other scorer names its parts. A part that
    multiplies speaks against by what it takes away.

    Args:
        pairs: The part that was scored.
        place: The pair.
        scorer: With the parameters that it was scored with.
        score: Its score.
        runtime: Where, with progress.

    Raises:
        CoreError: The scorer cannot run here.
    """
    inner = scorer
    while isinstance(inner, Wrapper):
        inner = inner.inner
    if isinstance(inner, PairModelScorer):
        return _words(pairs, place, inner, runtime)
    parts = drivers(pairs, place, scorer, score, runtime)
    return tuple(Drive(part.name, part.value - 1 if part.multiplies else part.value) for part in parts)


def _words(pairs: PairSet, place: int, scorer: PairModelScorer, runtime: Runtime) -> tuple[Drive, ...]:
    rows = np.array([pairs.left[place], pairs.right[place]], dtype=np.int64)
    context = context_of(pairs, rows, np.empty((len(pairs.texts), 0), dtype=np.float32))
    found = attributions(scorer, context, 0, 1, runtime)
    words = [
        (f"{side}: {one.word}", one.weight)
        for side, part in (("first", found.left), ("second", found.right))
        for one in part
    ]
    words.sort(key=lambda word: -abs(word[1]))
    return tuple(Drive(*word) for word in words[:12])
