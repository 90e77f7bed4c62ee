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
from core.pairs.fading import time_factor
from core.pairs.scorer import Need, PairScorer, pair_scorers
from core.pairs.scorers.wrappers import Symmetric, WithTime
from core.pairs.scoring.fingerprints import fingerprint_of
from core.pairs.scoring.sets import LACKS, encoder_of, score_pairs, swap
from core.results.benchmark.memory import MemoryRise
from core.runtime import Runtime
from core.similarities import Float32Array

FOLDER = "pair_scores"


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
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


def scores_of(pairs: PairSet, scorer: PairScorer, runtime: Runtime, *, fresh: bool = False) -> Scored:
    """Scores of all pairs, from the disk where they are known.

    Args:
        pairs: The pairs, with all the headlines that the scorer may look at.
        scorer: Any scorer.
        runtime: Its cache folder holds the scores.
        fresh: Score again, and keep that.

    Raises:
        CoreError: The scorer cannot run here.
        Cancelled: The runtime's stop was set.
    """
    if isinstance(scorer, WithTime):
        return _faded(pairs, scorer, runtime, fresh=fresh)
    if isinstance(scorer, Symmetric):
        return _both_orders(pairs, scorer, runtime, fresh=fresh)
    cache, key = DiskCache(runtime.cache / FOLDER), _key(pairs, scorer)
    known = None if fresh else _read(cache, key)
    if known is not None:
        return known
    with MemoryRise() as rise:
        found = score_pairs(pairs, scorer, runtime)
    reasons = list(found.why_not.values())
    scored = Scored(
        found.scores,
        {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        found.signature,
        found.seconds,
        rise.megabytes,
    )
    _write(cache, key, scored)
    return scored


def _faded(pairs: PairSet, scorer: WithTime, runtime: Runtime, *, fresh: bool) -> Scored:
    base = pair_scorers.parse(scorer.base)
    inner = scores_of(pairs, base, runtime, fresh=fresh)
    # The same product as the wrapper's own, which floors the days first, too.
    factor = time_factor(pairs.days_apart, scorer.tau_days)
    undated = np.isnan(pairs.days_apart)
    scores = np.where(undated, np.float32(np.nan), inner.scores * factor).astype(np.float32)
    why_not = dict(inner.why_not)
    newly = int((undated & ~np.isnan(inner.scores)).sum())
    if newly:
        why_not[LACKS[Need.DATES]] = why_not.get(LACKS[Need.DATES], 0) + newly
    return Scored(scores, why_not, _around(inner, base, scorer), inner.seconds, inner.memory_mb)


def _both_orders(pairs: PairSet, scorer: Symmetric, runtime: Runtime, *, fresh: bool) -> Scored:
    base = pair_scorers.parse(scorer.base)
    there = scores_of(pairs, base, runtime, fresh=fresh)
    if base.scale.symmetric:
        return Scored(
            there.scores, there.why_not, _around(there, base, scorer), there.seconds, there.memory_mb
        )
    back = scores_of(swap(pairs), base, runtime, fresh=fresh)
    return Scored(
        (there.scores + back.scores) * np.float32(0.5),
        there.why_not,
        _around(there, base, scorer),
        there.seconds + back.seconds,
        max(there.memory_mb, back.memory_mb),
    )


def _around(inner: Scored, base: PairScorer, scorer: PairScorer) -> str:
    """The signature of the inner scores, with the outer scorer, which has no weights, in its place."""
    head, _, tail = inner.signature.rpartition(f" · {pair_scorers.signature(base)}")
    return f"{head} · {pair_scorers.signature(scorer)}{tail}"


def scorer_fingerprint(texts: Sequence[str], scorer: PairScorer) -> str:
    """32 hex digits over a scorer, its code, its weights, and the encoder that it has for some headlines."""
    encoders = [encoder_of(texts, AUTOMATIC)] if Need.VECTORS in scorer.needs else []
    return fingerprint_of(pair_scorers.signature(scorer), *encoders, scorer)


def _key(pairs: PairSet, scorer: PairScorer) -> str:
    """32 hex digits over the scorer and the pairs."""
    parts = [__version__, pairs.fingerprint, scorer_fingerprint(pairs.texts, scorer)]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:32]


def _read(cache: DiskCache, key: str) -> Scored | None:
    entry = cache.get(key)
    return None if entry is None else Scored(scores=entry.arrays["scores"], **entry.about)


def _write(cache: DiskCache, key: str, scored: Scored) -> None:
    told = asdict(scored)
    cache.put(key, {"scores": told.pop("scores")}, **told)
