"""Scores of pairs, kept on disk: the same scorer on the same pairs is never run twice.

A scorer around another is put together from what the inner one said, so that "+ Time" and both
orders cost no second run of a slow model.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from core import __version__
from core.data.pair_sets.pair_set import PairSet
from core.disk_cache import DiskCache
from core.models.encoders.encoder import AUTOMATIC
from core.pairs.scorer import Need, PairScorer, pair_scorers
from core.pairs.scoring.fingerprints import fingerprint_of
from core.pairs.scoring.sets import encoder_of, lacking, score_pairs, swap
from core.runtime import Runtime
from core.similarities import Float32Array
from research.benchmark.memory import MemoryRise

FOLDER = "pair_scores"


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairSet:
    """What a scorer said of m pairs, and what it cost.

    Attributes:
        scores: float32 [m]; NaN where the pair cannot be scored.
        why_not: Why pairs have no score: how many, by reason.
        signature: Program, data, encoder and scorer in one line.
        seconds: Of scoring, without loading and encoding.
        memory_mb: How far memory rose, megabytes; NaN where it cannot be read.
    """

    scores: Float32Array
    why_not: dict[str, int]
    signature: str
    seconds: float
    memory_mb: float


def scores_of(pairs: PairSet, scorer: PairScorer, runtime: Runtime, *, fresh: bool = False) -> ScoredPairSet:
    """Scores of all pairs, from the disk where they are known."""
    asked: list[ScoredPairSet] = []

    def ask(swapped: bool) -> Float32Array:
        given = swap(pairs) if swapped else pairs
        asked.append(scores_of(given, scorer.inner, runtime, fresh=fresh))
        return asked[-1].scores

    made = scorer.from_inside(ask, pairs.days_apart)
    if made is not None:
        return _around(pairs, scorer, made, asked)
    cache, key = DiskCache(runtime.cache / FOLDER), _key(pairs, scorer)
    known = None if fresh else _read(cache, key)
    if known is not None:
        return known
    with MemoryRise() as rise:
        found = score_pairs(pairs, scorer, runtime)
    reasons = list(found.why_not.values())
    scored = ScoredPairSet(
        found.scores,
        {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        found.signature,
        found.seconds,
        rise.megabytes,
    )
    _write(cache, key, scored)
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
    return ScoredPairSet(
        scores,
        why_not,
        f"{head} · {pair_scorers.signature(scorer)}{tail}",
        sum(one.seconds for one in asked),
        max(one.memory_mb for one in asked),
    )


def scorer_fingerprint(texts: Sequence[str], scorer: PairScorer) -> str:
    """32 hex digits over a scorer, its code, its weights, and the encoder that it has for some headlines."""
    encoders = [encoder_of(texts, AUTOMATIC)] if Need.VECTORS in scorer.needs else []
    return fingerprint_of(pair_scorers.signature(scorer), *encoders, scorer)


def _key(pairs: PairSet, scorer: PairScorer) -> str:
    parts = [__version__, pairs.fingerprint, scorer_fingerprint(pairs.texts, scorer)]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def _read(cache: DiskCache, key: str) -> ScoredPairSet | None:
    entry = cache.get(key)
    return None if entry is None else ScoredPairSet(scores=entry.arrays["scores"], **entry.about)


def _write(cache: DiskCache, key: str, scored: ScoredPairSet) -> None:
    told = asdict(scored)
    cache.put(key, {"scores": told.pop("scores")}, **told)
