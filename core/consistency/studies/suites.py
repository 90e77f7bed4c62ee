"""Invariance suites on a timeline: cases made from it, and any cases put to a scorer."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.consistency.checks.check import Case, DatedHeadline, Material, checks, make_cases, material
from core.consistency.studies.scoring import ScoredSubject, Scoring
from core.consistency.studies.subject import EPOCH, date_of
from core.consistency.suite import CheckResult, Pair, run_suite
from core.errors import InputError
from core.models.encoders.cache import encode_cached, numbers_of_vectors
from core.models.encoders.encoder import EncoderRecipe, encoders
from core.models.networks.precision import numbers_told
from core.models.weights import weights_told
from core.pairs.scorer import Need, PairContext, pair_scorers
from core.pairs.scoring.sets import encoder_of
from core.runtime import Runtime
from core.similarities import Float32Array


@dataclass(frozen=True, slots=True)
class SuiteReport:
    """A suite put to a scorer.

    Attributes:
        results: One a check.
        threshold: On the scorer's own scale.
        signature: Encoders, scorer, weights and threshold in one line.
    """

    results: tuple[CheckResult, ...]
    threshold: float
    signature: str


def material_of(scored: ScoredSubject, *, seed: int = 0, most: int = 2_000) -> Material:
    """What cases are made from: all headlines, and linked and denied pairs in equal parts where there are."""
    headlines = scored.subject.headlines
    told = [
        DatedHeadline(text, date_of(day))
        for text, day in zip(headlines.texts, headlines.days.tolist(), strict=True)
    ]
    random = np.random.default_rng(seed)
    links = scored.scores.links
    drawn: list[tuple[int, int]] = []
    for kind in (links, scored.scores.scored & ~links):
        left, right = np.nonzero(np.triu(kind, k=1))
        chosen = random.permutation(len(left))[: most // 2]
        drawn += zip(left[chosen].tolist(), right[chosen].tolist(), strict=True)
    return material(told, drawn)


def synthetic_suite(
    scored: ScoredSubject, *, names: Sequence[str] | None = None, most: int = 100, seed: int = 0
) -> list[Case]:
    """Cases of every family that can be made from a timeline."""
    given = material_of(scored, seed=seed)
    return [
        case
        for name in (checks.names() if names is None else names)
        for case in make_cases(name, given, most=most, seed=seed)
    ]


def put_suite(cases: Sequence[Case], how: Scoring, runtime: Runtime) -> SuiteReport:
    """Puts cases to a scorer, check by check.

    A scorer that looks at its surroundings sees the headlines of one check's cases as its timeline.
    """
    scorer = pair_scorers.parse(how.scorer)
    if scorer.needs & {Need.BODIES, Need.ANNOTATORS}:
        raise InputError(
            "This scorer reads articles or annotators' groups; cases of a suite have headlines alone.",
            hint="Choose a scorer that reads headlines.",
        )
    threshold = scorer.threshold if how.threshold is None else how.threshold

    encoded_by: dict[str, EncoderRecipe] = {}
    numbers = dict.fromkeys(numbers_told(runtime, scorer))

    def score(pairs: Sequence[Pair]) -> Float32Array:
        told = [*((a, day) for a, _, day, _ in pairs), *((b, day) for _, b, _, day in pairs)]
        places: dict[tuple[str, datetime.date | None], int] = {}
        rows = np.array([places.setdefault(one, len(places)) for one in told], dtype=np.int64)
        texts = [text for text, _ in places]
        days = np.array([math.nan if day is None else (day - EPOCH).days for _, day in places])
        vectors = np.empty((len(texts), 0), dtype=np.float32)
        if Need.VECTORS in scorer.needs:
            encoder = encoder_of(texts, how.encoder)
            encoded_by[encoders.signature(encoder)] = encoder
            vectors = encode_cached(texts, encoder, runtime)
            numbers.update(dict.fromkeys(numbers_of_vectors(texts, encoder, runtime)))
        prepared = scorer.prepare(PairContext(texts, days, vectors), runtime)
        left, right = rows[: len(pairs)], rows[len(pairs) :]
        found = np.asarray(prepared.pairs(left, right), dtype=np.float32).copy()
        if Need.DATES in scorer.needs:
            found[np.isnan(days[left]) | np.isnan(days[right])] = np.nan
        return found

    results: list[CheckResult] = []
    for name in runtime.track(list(dict.fromkeys(case.check for case in cases)), "Running the suite"):
        results += run_suite([case for case in cases if case.check == name], score, threshold)
    named = [*encoded_by, pair_scorers.signature(scorer), *weights_told(*encoded_by.values(), scorer)]
    signature = " · ".join([*named, *numbers, f"threshold:{threshold:g}"])
    return SuiteReport(tuple(results), threshold, signature)
