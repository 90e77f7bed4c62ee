"""Scores of the pairs of a pair set, timeline by timeline, with a reason where a pair gets none."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from core import __version__
from core.arrays import BoolArray, Float32Array, IntArray
from core.data.pair_sets.pair_set import PairSet
from core.models.encoders.cached import encode_cached, numbers_of_vectors
from core.models.encoders.encoder import AUTOMATIC, EncoderRecipe, encoders
from core.models.endpoints.recipe import EndpointModel, answers_signature
from core.models.networks.precision import numbers_signature
from core.models.weights import weights_signature
from core.pairs.context import PairContext
from core.pairs.scorer import Need, PairScorer, check_scores, pair_scorers
from core.pairs.timeline_context import encoder_of
from core.runtime import Runtime
from core.text.timeline_reading import TimelineReading

EMPTY = "A headline is empty."
LACKS: Mapping[Need, str] = {
    Need.DATES: "A date is missing, and this scorer needs both.",
    Need.BODIES: "An article's text is missing, and this scorer needs both.",
    Need.ANNOTATORS: "Nobody annotated both headlines, and this scorer takes people's groups.",
}
"""Why a pair has no score, by what it lacks."""

_STEP = "Scoring pairs"


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """What a scorer says of m pairs."""

    scores: Float32Array
    why_not: Mapping[int, str]
    signature: str
    seconds: float

    @property
    def scored(self) -> BoolArray:
        """Which pairs have a score, bool [m]."""
        return ~np.isnan(self.scores)


def score_pairs(
    pairs: PairSet, scorer: PairScorer, runtime: Runtime, *, encoder: str = AUTOMATIC
) -> PairScores:
    """Scores every pair in sight of all headlines of its timeline inside the set; labels play no part.

    Give it one part (`pairs.part(...)`). A pair that lacks what the scorer needs gets no score but a reason.
    """
    why_not = lacking(pairs, scorer.needs)
    scores = np.full(len(pairs), np.nan, dtype=np.float32)
    scorable = np.ones(len(pairs), dtype=np.bool_)
    scorable[list(why_not)] = False
    vectors = np.empty((len(pairs.texts), 0), dtype=np.float32)
    encoded_by: list[EncoderRecipe] = []
    numbers = numbers_signature(runtime, scorer)
    if scorable.any():
        if Need.VECTORS in scorer.needs:
            encoded_by.append(encoder_of(TimelineReading(pairs.texts), encoder, scorer))
            vectors = encode_cached(pairs.texts, encoded_by[0], runtime)
            numbers += numbers_of_vectors(pairs.texts, encoded_by[0], runtime)
        # With no headlines first, so that a model is loaded before the clock starts.
        scorer.prepare(context_of(pairs, np.empty(0, dtype=np.int64), vectors), runtime)
    started = time.perf_counter()
    if isinstance(scorer.innermost, EndpointModel):
        # All at once, so that what it costs is said as one sum, before: below the answers are stored.
        sides = pairs.left[scorable], pairs.right[scorable]
        both = (sides, sides[::-1]) if scorer.scale.symmetric else (sides,)
        asked = scorer.innermost.prepare(context_of(pairs, np.arange(len(pairs.texts)), vectors), runtime)
        asked.pairs(*map(np.concatenate, zip(*both, strict=True)))
    seconds = time.perf_counter() - started
    rows_of, pairs_of = _by_number(pairs.timelines), _by_number(pairs.timelines[pairs.left[scorable]])
    places_of = np.flatnonzero(scorable)
    parts_of = [(rows_of[timeline], places_of[inside]) for timeline, inside in pairs_of.items()]
    for rows, places in runtime.track(parts_of, _STEP):
        context = context_of(pairs, rows, vectors)
        left, right = np.searchsorted(rows, pairs.left[places]), np.searchsorted(rows, pairs.right[places])
        started = time.perf_counter()
        scores[places] = scorer.prepare(context, runtime).pairs(left, right)
        seconds += time.perf_counter() - started
    if scorer.innermost.unread:
        unread = scorable & np.isnan(scores)
        why_not |= dict.fromkeys(np.flatnonzero(unread).tolist(), scorer.innermost.unread)
        scorable &= ~unread
    sides = pairs.left[scorable], pairs.right[scorable]
    check_scores(scorer, scores[scorable], lambda at: (pairs.texts[int(side[at])] for side in sides))
    parts = [f"headline-lab {__version__}", f"data:{pairs.fingerprint}"]
    parts += [encoders.signature(recipe) for recipe in encoded_by]
    parts += [pair_scorers.signature(scorer), *weights_signature(*encoded_by, scorer), *numbers]
    parts += answers_signature(runtime, scorer)
    return PairScores(scores, dict(sorted(why_not.items())), " · ".join(parts), seconds)


def swap(pairs: PairSet) -> PairSet:
    """The same pairs, with left and right exchanged."""
    return replace(pairs, left=pairs.right, right=pairs.left)


def context_of(pairs: PairSet, rows: IntArray, vectors: Float32Array) -> PairContext:
    """What a scorer sees of some headlines of a pair set."""
    return PairContext(pairs.texts, pairs.days, vectors, pairs.bodies, pairs.annotators).take(rows)


def _by_number(numbers: IntArray) -> dict[int, IntArray]:
    order = np.argsort(numbers, kind="stable")
    distinct, starts = np.unique(numbers[order], return_index=True)
    parts = np.split(order, starts[1:]) if len(distinct) else []
    return dict(zip(distinct.tolist(), parts, strict=True))


def held(pairs: PairSet, needs: frozenset[Need]) -> list[tuple[BoolArray, str]]:
    """Which headlines have what is needed of each, bool [n], and why those without it get no score."""
    tests = [(np.array([bool(text.strip()) for text in pairs.texts], dtype=np.bool_), EMPTY)]
    if Need.DATES in needs:
        tests.append((~np.isnan(pairs.days), LACKS[Need.DATES]))
    if Need.BODIES in needs:
        bodies = pairs.bodies or [""] * len(pairs.texts)
        tests.append((np.array([bool(body.strip()) for body in bodies], dtype=np.bool_), LACKS[Need.BODIES]))
    return tests


def lacking(pairs: PairSet, needs: frozenset[Need]) -> dict[int, str]:
    """Why each pair that cannot be scored cannot be, by its place; the first reason that holds."""
    left, right = pairs.left, pairs.right
    lacks = [(~(has[left] & has[right]), reason) for has, reason in held(pairs, needs)]
    if Need.ANNOTATORS in needs:
        answered = pairs.annotators >= 0 if pairs.annotators.size else np.zeros((len(pairs.texts), 1), bool)
        lacks.append((~np.any(answered[left] & answered[right], axis=1), LACKS[Need.ANNOTATORS]))
    why: dict[int, str] = {}
    for missing, reason in lacks:
        for place in np.flatnonzero(missing).tolist():
            why.setdefault(place, reason)
    return dict(sorted(why.items()))
