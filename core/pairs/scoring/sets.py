"""Scores of the pairs of a pair set, timeline by timeline, with a reason where a pair gets none."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from core import __version__
from core.data.pair_sets.pair_set import PairSet
from core.errors import InputError
from core.models.encoders.cache import encode_cached, numbers_of_vectors
from core.models.encoders.encoder import AUTOMATIC, EncoderRecipe, default_encoder, encoders
from core.models.networks.precision import numbers_told
from core.models.weights import weights_told
from core.pairs.scorer import Need, PairContext, PairScorer, check_range, pair_scorers
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray
from core.text.language import timeline_language

DEFAULT_SCORER = "event_blend.v2"
"""The scorer of `headline-lab score` where none is named."""

EMPTY = "A headline is empty."
LACKS: Mapping[Need, str] = MappingProxyType(
    {
        Need.DATES: "A date is missing, and this scorer needs both.",
        Need.BODIES: "An article's text is missing, and this scorer needs both.",
        Need.ANNOTATORS: "Nobody annotated both headlines, and this scorer takes people's groups.",
    }
)
"""Why a pair has no score, by what it lacks."""

_STEP = "Scoring pairs"


@dataclass(frozen=True, slots=True, eq=False)
class PairScores:
    """What a scorer says of m pairs.

    Attributes:
        scores: float32 [m], on the scorer's scale; NaN where the pair cannot be scored.
        why_not: One sentence for each pair without a score, by its place.
        signature: Program, data, encoder where one was used, scorer, and the weights of both in one line.
        seconds: Time that scoring took; encoding and loading of models are left out.
    """

    scores: Float32Array
    why_not: Mapping[int, str]
    signature: str
    seconds: float

    @property
    def scored(self) -> npt.NDArray[np.bool_]:
        """Which pairs have a score, bool [m]."""
        return ~np.isnan(self.scores)


def score_pairs(
    pairs: PairSet, scorer: PairScorer, runtime: Runtime, *, encoder: str = AUTOMATIC
) -> PairScores:
    """Scores every pair in sight of all headlines of its timeline inside the set.

    Give it one part (`pairs.part(...)`), so that a scorer that looks at the whole timeline sees
    nothing of another. A pair that lacks what the scorer needs, or has an empty headline, gets no
    score but a reason.

    Args:
        pairs: Any pair set; its labels play no part.
        scorer: Any scorer; asymmetric ones see (left, right) in this order.
        runtime: Progress is reported timeline by timeline.
        encoder: Name or signature, or "auto" for the one that fits the language; only for
            scorers that need vectors.

    Raises:
        InputError: The scorer gave something that is not a finite number, or is outside its range.
        UnknownNameError: No such encoder.
        ModelUnavailableError: Weights are not on this machine.
        Cancelled: The runtime's stop was set.
    """
    why_not = lacking(pairs, scorer.needs)
    scores = np.full(len(pairs), np.nan, dtype=np.float32)
    scorable = np.ones(len(pairs), dtype=np.bool_)
    scorable[list(why_not)] = False
    vectors = np.empty((len(pairs.texts), 0), dtype=np.float32)
    encoded_by: list[EncoderRecipe] = []
    numbers = numbers_told(runtime, scorer)
    if scorable.any():
        if Need.VECTORS in scorer.needs:
            encoded_by.append(encoder_of(pairs.texts, encoder))
            vectors = encode_cached(pairs.texts, encoded_by[0], runtime)
            numbers += numbers_of_vectors(pairs.texts, encoded_by[0], runtime)
        # With no headlines first, so that a model is loaded before the clock starts.
        scorer.prepare(context_of(pairs, np.empty(0, dtype=np.int64), vectors), runtime)
    seconds = 0.0
    for rows, places in runtime.track(_timelines(pairs, scorable), _STEP):
        context = context_of(pairs, rows, vectors)
        left, right = np.searchsorted(rows, pairs.left[places]), np.searchsorted(rows, pairs.right[places])
        started = time.perf_counter()
        scores[places] = scorer.prepare(context, runtime).pairs(left, right)
        seconds += time.perf_counter() - started
    _check_finite(pairs, scores, scorable)
    check_range(scores[scorable], scorer)
    parts = [f"headline-lab {__version__}", f"data:{pairs.fingerprint}"]
    parts += [encoders.signature(one) for one in encoded_by]
    parts += [pair_scorers.signature(scorer), *weights_told(*encoded_by, scorer), *numbers]
    return PairScores(scores, MappingProxyType(why_not), " · ".join(parts), seconds)


def swap(pairs: PairSet) -> PairSet:
    """The same pairs, with left and right exchanged."""
    return replace(pairs, left=pairs.right, right=pairs.left)


def context_of(pairs: PairSet, rows: IntArray, vectors: Float32Array) -> PairContext:
    """What a scorer sees of some headlines of a pair set.

    Args:
        pairs: A pair set of n headlines.
        rows: Which of them, int64 [k].
        vectors: Unit vectors of all n, float32 [n, d]; d may be 0.
    """
    places = rows.tolist()
    return PairContext(
        texts=[pairs.texts[row] for row in places],
        days=pairs.days[rows],
        vectors=vectors[rows],
        bodies=[pairs.bodies[row] for row in places] if pairs.bodies else (),
        annotators=pairs.annotators[rows] if len(pairs.annotators) else pairs.annotators,
    )


def encoder_of(texts: Sequence[str], encoder: str) -> EncoderRecipe:
    """The encoder of a name or signature; "auto" stands for the one that fits the texts' language."""
    return encoders.parse(default_encoder(timeline_language(texts)) if encoder == AUTOMATIC else encoder)


def _timelines(pairs: PairSet, scorable: npt.NDArray[np.bool_]) -> list[tuple[IntArray, IntArray]]:
    rows, places = _by_number(pairs.timelines), np.flatnonzero(scorable)
    found = _by_number(pairs.timelines[pairs.left[places]])
    return [(rows[timeline], places[inside]) for timeline, inside in found.items()]


def _by_number(numbers: IntArray) -> dict[int, IntArray]:
    order = np.argsort(numbers, kind="stable")
    found, starts = np.unique(numbers[order], return_index=True)
    parts = np.split(order, starts[1:]) if len(found) else []
    return dict(zip(found.tolist(), parts, strict=True))


def lacking(pairs: PairSet, needs: frozenset[Need]) -> dict[int, str]:
    """Why each pair that cannot be scored cannot be, by its place; the first reason that holds."""
    left, right = pairs.left, pairs.right
    filled = np.array([bool(text.strip()) for text in pairs.texts], dtype=np.bool_)
    lacks = [(~(filled[left] & filled[right]), EMPTY)]
    if Need.DATES in needs:
        lacks.append((np.isnan(pairs.days[left]) | np.isnan(pairs.days[right]), LACKS[Need.DATES]))
    if Need.BODIES in needs:
        told = np.array([bool(body.strip()) for body in pairs.bodies], dtype=np.bool_)
        told = told if len(told) else np.zeros(len(pairs.texts), dtype=np.bool_)
        lacks.append((~(told[left] & told[right]), LACKS[Need.BODIES]))
    if Need.ANNOTATORS in needs:
        answered = pairs.annotators >= 0 if pairs.annotators.size else np.zeros((len(pairs.texts), 1), bool)
        lacks.append((~np.any(answered[left] & answered[right], axis=1), LACKS[Need.ANNOTATORS]))
    why: dict[int, str] = {}
    for missing, reason in lacks:
        for place in np.flatnonzero(missing).tolist():
            why.setdefault(place, reason)
    return dict(sorted(why.items()))


def _check_finite(pairs: PairSet, scores: Float32Array, scorable: npt.NDArray[np.bool_]) -> None:
    wrong = np.flatnonzero(scorable & ~np.isfinite(scores))
    if len(wrong):
        first, second = (pairs.texts[side[wrong[0]]] for side in (pairs.left, pairs.right))
        raise InputError(
            f"The scorer gave no number for {len(wrong):,} of {len(pairs):,} pairs, the first of them "
            f"{first[:80]!r} and {second[:80]!r}.",
            hint="Check the model's weights and the scorer's parameters, or choose another scorer.",
        )
