"""Scores of all pairs in both orders."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core import __version__, limits
from core.consistency.score_matrix import BoolArray, ScoreMatrix, score_matrix
from core.consistency.studies.subject import StudySubject
from core.data.pair_sets.pair_set import PairSet
from core.data.timelines.samples import DEFAULT, FOLDER
from core.errors import InputError
from core.models.encoders.cache import encode_cached, numbers_of_vectors
from core.models.encoders.encoder import AUTOMATIC, encoders
from core.models.networks.precision import numbers_told
from core.models.weights import weights_told
from core.pairs.scorer import Need, PairScorer, PreparedScorer, ScoreScale, check_range, pair_scorers
from core.pairs.scoring.sets import context_of, encoder_of
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

SCORER: Final = "finetuned_time.v1"
"""The pair model that is tested where nobody says which: the system that the paper tests."""

SHIPPED: Final = FOLDER / DEFAULT / "scores.npz"
"""Scores of the first sample by `SCORER`, so that its page opens at once; see samples/iss/make_scores.py."""

_ROWS = 64
"""Rows of scores at once: a cross-encoder reports and can be stopped between them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How pairs are scored.

    Attributes:
        scorer: Name or signature of a pair scorer.
        encoder: Name or signature, or "auto" for the one that fits the language; read only where the
            scorer needs vectors.
        threshold: Score from which two headlines are the same event; None for the scorer's own.
        windowed: Compare only headlines within the scorer's window of days; else all of a timeline.
    """

    scorer: str = SCORER
    encoder: str = AUTOMATIC
    threshold: float | None = None
    windowed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSubject:
    """A subject with the scores of all its pairs.

    Attributes:
        subject: Its n headlines.
        scores: In both orders; scores outside 0 to 1 are stretched to it.
        vectors: Unit vectors, float32 [n, d]; d is 0 where the scorer needs none.
        signature: Program, data, encoder, scorer, weights and threshold in one line.
    """

    subject: StudySubject
    scores: ScoreMatrix
    vectors: Float32Array
    signature: str


def score_both_orders(subject: StudySubject, how: Scoring, runtime: Runtime) -> ScoredSubject:
    """Scores every pair of headlines of a timeline, each with either headline first."""
    _check_size(subject)
    scorer = pair_scorers.parse(how.scorer)
    headlines = subject.headlines
    vectors = np.empty((len(subject), 0), dtype=np.float32)
    encoded_by = [encoder_of(headlines.texts, how.encoder)] if Need.VECTORS in scorer.needs else []
    numbers: tuple[str, ...] = ()
    for one in encoded_by:
        vectors = encode_cached(headlines.texts, one, runtime)
        numbers = numbers_of_vectors(headlines.texts, one, runtime)
    mask = subject.together & _scorable(headlines, scorer)
    if how.windowed and math.isfinite(scorer.window_days):
        days = np.floor(headlines.days)
        mask &= ~(np.abs(days[:, None] - days[None, :]) > scorer.window_days)
    if len(subject) > 1 and not mask.any():
        raise InputError(
            "The scorer can compare no two of these headlines: they lack what it needs.",
            hint="Choose a scorer that reads headlines alone, or load a file with dates and articles.",
        )
    made_by = [f"data:{subject.fingerprint}", *map(encoders.signature, encoded_by)]
    made_by += [pair_scorers.signature(scorer), *weights_told(*encoded_by, scorer)]
    known = shipped_scores(" · ".join(made_by))
    values = _scores(headlines, scorer, vectors, runtime) if known is None else known
    _check_numbers(headlines, values, mask)
    check_range(values[mask], scorer)
    threshold = scorer.threshold if how.threshold is None else how.threshold
    numbers += numbers_told(runtime if known is None else replace(runtime, half=False), scorer)
    parts = [f"headline-lab {__version__}", *made_by, *numbers, f"threshold:{threshold:g}"]
    parts += ["inside the window"] if how.windowed else []
    matrix = score_matrix(_stretched(values, scorer.scale), _place(threshold, scorer.scale), mask=mask)
    return ScoredSubject(subject, matrix, vectors, " · ".join(parts))


def _scores(headlines: PairSet, scorer: PairScorer, vectors: Float32Array, runtime: Runtime) -> Float32Array:
    values = np.zeros((len(headlines.texts), len(headlines.texts)), dtype=np.float32)
    for timeline in np.unique(headlines.timelines).tolist():
        rows = np.flatnonzero(headlines.timelines == timeline)
        if len(rows) > 1:
            prepared = scorer.prepare(context_of(headlines, rows, vectors), runtime)
            _fill(values, rows, prepared, runtime)
    return values


def shipped_scores(made_by: str) -> Float32Array | None:
    """The scores that ship with the first sample, float32 [n, n], if they are of what is asked for.

    Args:
        made_by: Data, encoder, scorer and weights in one line.
    """
    try:
        with np.load(SHIPPED, allow_pickle=False) as found:
            if str(found["made_by"]) != made_by:
                return None
            return np.asarray(found["values"], dtype=np.float32)
    except (OSError, KeyError, ValueError):
        # Without the file they are computed as for any other timeline.
        return None


def _fill(values: Float32Array, rows: IntArray, prepared: PreparedScorer, runtime: Runtime) -> None:
    everything = slice(0, len(rows))
    for start in runtime.track(range(0, len(rows), _ROWS), "Scoring both orders"):
        block = prepared.block(slice(start, min(start + _ROWS, len(rows))), everything)
        values[np.ix_(rows[start : start + _ROWS], rows)] = block


def _scorable(headlines: PairSet, scorer: PairScorer) -> BoolArray:
    n = len(headlines.texts)
    has = np.array([bool(text.strip()) for text in headlines.texts], dtype=np.bool_)
    if Need.DATES in scorer.needs:
        has &= ~np.isnan(headlines.days)
    if Need.BODIES in scorer.needs:
        bodies = headlines.bodies or [""] * n
        has &= np.array([bool(body.strip()) for body in bodies], dtype=np.bool_)
    both = has[:, None] & has[None, :]
    if Need.ANNOTATORS in scorer.needs:
        answered = (headlines.annotators >= 0).astype(np.float32).reshape(n, -1)
        both &= (answered @ answered.T) > 0
    return np.asarray(both)


def _stretched(values: Float32Array, scale: ScoreScale) -> Float32Array:
    if scale.low >= 0.0 and scale.high <= 1.0:
        return np.clip(values, 0.0, 1.0)
    width = scale.high - scale.low
    return np.asarray(np.clip((values - scale.low) / np.float32(width), 0.0, 1.0), dtype=np.float32)


def _place(threshold: float, scale: ScoreScale) -> float:
    if scale.low >= 0.0 and scale.high <= 1.0:
        return threshold
    return (threshold - scale.low) / (scale.high - scale.low)


def _check_size(subject: StudySubject) -> None:
    most = limits.DENSE_HEADLINES.value
    if len(subject) > most:
        raise InputError(
            f"The consistency lab compares all pairs of at most {most:,} headlines; there are "
            f"{len(subject):,}.",
            hint=f"Choose a part of them, or raise {limits.DENSE_HEADLINES.variable}.",
        )


def _check_numbers(headlines: PairSet, values: Float32Array, mask: BoolArray) -> None:
    wrong = np.argwhere(mask & ~np.isfinite(values))
    if len(wrong):
        first, second = (headlines.texts[row] for row in wrong[0].tolist())
        raise InputError(
            f"The scorer gave no number for {len(wrong):,} of {int(mask.sum()):,} ordered pairs, the first "
            f"of them {first[:80]!r} and {second[:80]!r}.",
            hint="Check the model's weights and the scorer's parameters, or choose another scorer.",
        )
