"""Scores of all pairs of headlines, with either headline first."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

import numpy as np

from core import __version__, limits
from core.arrays import Float32Array
from core.consistency import score_matrix
from core.consistency.studies.subject import StudySubject
from core.data.pair_sets.pair_set import PairSet
from core.data.timelines.samples import DEFAULT, FOLDER
from core.errors import InputError
from core.models.encoders.cached import encode_cached, numbers_of_vectors
from core.models.encoders.encoder import AUTOMATIC, encoders
from core.models.endpoints.recipe import answers_signature
from core.models.networks.precision import numbers_signature
from core.models.weights import weights_signature
from core.pairs.scorer import Need, PairScorer, ScoreScale, check_scores, pair_scorers
from core.pairs.scoring import context_of, held
from core.pairs.timeline_context import encoder_of
from core.runtime import Runtime
from core.text.timeline_reading import TimelineReading

SCORER: Final = "finetuned_time.v1"  # tested where nobody says which: the system that the paper tests
SHIPPED: Final = FOLDER / DEFAULT / "scores.npz"  # by `SCORER`; see samples/iss/make.py
_ROWS = 64  # rows of scores at once: a cross-encoder reports and can be stopped between them
Values = TypeVar("Values", float, Float32Array)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    scorer: str = SCORER
    encoder: str = AUTOMATIC
    threshold: float | None = None
    windowed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSubject:
    subject: StudySubject
    scores: score_matrix.ScoreMatrix
    vectors: Float32Array
    signature: str
    note: str = ""  # what its threshold rests on, where that is nothing

    @property
    def not_compared(self) -> int:
        """Headlines in no scored pair: without what the scorer reads, or with no other near in time."""
        return int(np.count_nonzero(~self.scores.scored.any(axis=1)))


def score_both_orders(subject: StudySubject, how: Scoring, runtime: Runtime) -> ScoredSubject:
    """Scores every pair of headlines of a timeline, each with either headline first."""
    most = limits.DENSE_HEADLINES.value
    if len(subject) > most:
        raise InputError(
            f"The consistency lab compares all pairs of at most {most:,} headlines; there are "
            f"{len(subject):,}.",
            hint=f"Choose a part of them, or raise {limits.DENSE_HEADLINES.variable}.",
        )
    scorer = pair_scorers.parse(how.scorer)
    headlines = subject.headlines
    vectors = np.empty((len(subject), 0), dtype=np.float32)
    reading, by_vectors = TimelineReading(headlines.texts), Need.VECTORS in scorer.needs
    encoded_by = [encoder_of(reading, how.encoder, scorer)] if by_vectors else []
    numbers: tuple[str, ...] = ()
    for recipe in encoded_by:
        vectors = encode_cached(headlines.texts, recipe, runtime)
        numbers = numbers_of_vectors(headlines.texts, recipe, runtime)
    has = np.logical_and.reduce([each for each, _ in held(headlines, scorer.needs)])
    both = has[:, None] & has[None, :]
    if Need.ANNOTATORS in scorer.needs:
        answered = (headlines.annotators >= 0).astype(np.float32).reshape(len(has), -1)
        both &= (answered @ answered.T) > 0
    mask = subject.together & np.asarray(both)
    if how.windowed and math.isfinite(scorer.window_days):
        days = np.floor(headlines.days)
        mask &= ~(np.abs(days[:, None] - days[None, :]) > scorer.window_days)
    if len(subject) > 1 and not mask.any():
        message = "The scorer can compare no two of these headlines: they lack what it needs."
        hint = "Choose a scorer that reads headlines alone, or load a file with dates and articles."
        raise InputError(message, hint=hint)
    made_by = [f"data:{subject.fingerprint}", *map(encoders.signature, encoded_by)]
    made_by += [pair_scorers.signature(scorer), *weights_signature(*encoded_by, scorer)]
    known = shipped_scores(" · ".join(made_by))
    values = _scores(headlines, scorer, vectors, runtime) if known is None else known
    note = scorer.unfitted if how.threshold is None else ""
    if scorer.innermost.unread:
        unread = mask & np.isnan(values)
        mask &= ~(unread | unread.T)
        if unread.any():
            said = f"{np.triu(unread | unread.T).sum():,} pairs are not compared."
            note = f"{note} {said} {scorer.innermost.unread}".strip()
        values = np.where(np.isnan(values), np.float32(0), values)
    check_scores(
        scorer, values[mask], lambda at: (headlines.texts[row] for row in np.argwhere(mask)[at].tolist())
    )
    threshold = scorer.threshold if how.threshold is None else how.threshold
    numbers += numbers_signature(runtime if known is None else replace(runtime, half=False), scorer)
    parts = [f"headline-lab {__version__}", *made_by, *numbers, f"threshold:{threshold:g}"]
    parts += answers_signature(runtime, scorer)
    parts += ["inside the window"] if how.windowed else []
    values, threshold = from_0_to_1(values, scorer.scale), from_0_to_1(threshold, scorer.scale)
    matrix = score_matrix.score_matrix(np.clip(values, 0.0, 1.0), threshold, mask=mask)
    return ScoredSubject(subject, matrix, vectors, " · ".join(parts), note=note)


def _scores(headlines: PairSet, scorer: PairScorer, vectors: Float32Array, runtime: Runtime) -> Float32Array:
    values = np.zeros((len(headlines.texts), len(headlines.texts)), dtype=np.float32)
    for timeline in np.unique(headlines.timelines).tolist():
        rows = np.flatnonzero(headlines.timelines == timeline)
        if len(rows) > 1:
            prepared = scorer.prepare(context_of(headlines, rows, vectors), runtime)
            for start in runtime.track(range(0, len(rows), _ROWS), "Scoring both orders"):
                some = slice(start, min(start + _ROWS, len(rows)))
                values[np.ix_(rows[some], rows)] = prepared.block(some, slice(0, len(rows)))
    return values


def shipped_scores(made_by: str) -> Float32Array | None:
    """The scores that ship with the first sample, float32 [n, n], if they are of what is asked for."""
    try:
        with np.load(SHIPPED, allow_pickle=False) as archive:
            if str(archive["made_by"]) != made_by:
                return None
            return np.asarray(archive["values"], dtype=np.float32)
    except (OSError, KeyError, ValueError):
        # Without the file they are computed as for any other timeline.
        return None


def from_0_to_1(values: Values, scale: ScoreScale) -> Values:
    """Scores of a scale that goes beyond 0 to 1, stretched onto it; others as they are."""
    if scale.low >= 0.0 and scale.high <= 1.0:
        return values
    return (values - scale.low) / (scale.high - scale.low)


def ask(
    scored: ScoredSubject, rows: tuple[int, ...], texts: Mapping[int, str], how: Scoring, runtime: Runtime
) -> Float32Array:
    """Asks the model about some headlines, `texts` of them changed, among all others; float32 [k, k]."""
    headlines = scored.subject.headlines
    changed = [texts.get(row, text) for row, text in enumerate(headlines.texts)]
    headlines = replace(headlines, texts=changed)
    scorer = pair_scorers.parse(how.scorer)
    vectors = np.empty((len(changed), 0), dtype=np.float32)
    if Need.VECTORS in scorer.needs:
        vectors = encode_cached(
            changed, encoder_of(TimelineReading(scored.subject.headlines.texts), how.encoder, scorer), runtime
        )
    same = np.flatnonzero(headlines.timelines == headlines.timelines[rows[0]])
    prepared = scorer.prepare(context_of(headlines, same, vectors), runtime)
    k = len(rows)
    left, right = np.nonzero(~np.eye(k, dtype=np.bool_))
    places = np.searchsorted(same, np.array(rows))
    values = np.asarray(prepared.pairs(places[left], places[right]), dtype=np.float32)
    check_scores(scorer, values, lambda at: (headlines.texts[rows[side[at]]] for side in (left, right)))
    answers = np.zeros((k, k), dtype=np.float32)
    answers[left, right] = np.clip(from_0_to_1(values, scorer.scale), 0.0, 1.0)
    return answers
