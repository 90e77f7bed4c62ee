"""Cases of the checks made of scored headlines and put to a scorer, and those that it failed."""

import datetime
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.arrays import Float32Array
from core.consistency.checks import check
from core.consistency.checks.check import Case, Expected
from core.consistency.studies.scoring import ScoredSubject, Scoring
from core.consistency.studies.subject import EPOCH, date_of
from core.errors import InputError
from core.models.encoders.cached import encode_cached, numbers_of_vectors
from core.models.encoders.encoder import EncoderRecipe, encoders
from core.models.networks.precision import numbers_signature
from core.models.weights import weights_signature
from core.pairs.context import PairContext
from core.pairs.scorer import Need, pair_scorers
from core.pairs.timeline_context import encoder_of
from core.runtime import Runtime
from core.text.names import learn_names
from core.text.timeline_reading import TimelineReading

Pair = tuple[str, str, datetime.date | None, datetime.date | None]
Scorer = Callable[[Sequence[Pair]], Float32Array]  # of pairs, a first; NaN for what cannot be scored
_PAIRS_DRAWN: Final = 2_000


@dataclass(frozen=True, slots=True)
class Failure:
    case: Case
    score: float
    original_score: float | None


@dataclass(frozen=True, slots=True)
class CheckResult:
    check: str
    cases: int
    unscored: int
    failures: tuple[Failure, ...]

    @property
    def failure_rate(self) -> float | None:
        """Failures over cases, 0 to 1; None without a scored case."""
        return len(self.failures) / self.cases if self.cases else None


def run_suite(cases: Sequence[Case], score: Scorer, threshold: float) -> list[CheckResult]:
    originals = [place for place, case in enumerate(cases) if case.expected is Expected.UNCHANGED]
    pairs = [(case.a, case.b, case.date_a, case.date_b) for case in cases]
    pairs += [
        (cases[place].original_a, cases[place].original_b, cases[place].date_a, cases[place].date_b)
        for place in originals
    ]
    scores = score(pairs) if pairs else np.empty(0, dtype=np.float32)
    before = np.full(len(cases), np.nan)
    before[originals] = scores[len(cases) :]
    by_check: dict[str, list[tuple[Case, float, float]]] = {}
    for case, score_of_it, original in zip(
        cases, scores[: len(cases)].tolist(), before.tolist(), strict=True
    ):
        by_check.setdefault(case.check, []).append((case, score_of_it, original))
    return [_result(name, answers, threshold) for name, answers in by_check.items()]


def _result(check: str, answers: Sequence[tuple[Case, float, float]], threshold: float) -> CheckResult:
    failures, scored = [], 0
    limit = np.float32(threshold)
    for case, score, original in answers:
        unchanged = case.expected is Expected.UNCHANGED
        if np.isnan(score) or (unchanged and np.isnan(original)):
            continue
        scored += 1
        wanted = original >= limit if unchanged else case.expected is Expected.SAME
        if (score >= limit) != wanted:
            failures.append(Failure(case, score, original if unchanged else None))
    failures.sort(key=lambda failure: -abs(failure.score - threshold))
    return CheckResult(check, scored, len(answers) - scored, tuple(failures))


@dataclass(frozen=True, slots=True)
class SuiteReport:
    results: tuple[CheckResult, ...]
    threshold: float
    signature: str


def synthetic_suite(
    scored: ScoredSubject, *, names: Sequence[str] | None = None, most: int = 100, seed: int = 0
) -> list[check.Case]:
    """Cases of every family, from all headlines, and linked and denied pairs in equal parts."""
    headlines = scored.subject.headlines
    dated = [
        check.DatedHeadline(text, date_of(day))
        for text, day in zip(headlines.texts, headlines.days.tolist(), strict=True)
    ]
    random = np.random.default_rng(seed)
    links = scored.scores.links
    drawn: list[tuple[int, int]] = []
    for kind in (links, scored.scores.scored & ~links):
        left, right = np.nonzero(np.triu(kind, k=1))
        chosen = random.permutation(len(left))[: _PAIRS_DRAWN // 2]
        drawn += zip(left[chosen].tolist(), right[chosen].tolist(), strict=True)
    given = check.Material(dated, drawn, learn_names(headlines.texts))
    return [
        case
        for name in (check.checks.names() if names is None else names)
        for case in check.make_cases(name, given, most=most, seed=seed)
    ]


def put_suite(cases: Sequence[check.Case], how: Scoring, runtime: Runtime) -> SuiteReport:
    """Puts cases to a scorer; one that looks at its surroundings sees the headlines of a check's cases."""
    scorer = pair_scorers.parse(how.scorer)
    if scorer.needs & {Need.BODIES, Need.ANNOTATORS}:
        message = "This scorer reads articles or annotators' groups; cases of a suite have headlines alone."
        raise InputError(message, hint="Choose a scorer that reads headlines.")
    threshold = scorer.threshold if how.threshold is None else how.threshold

    encoded_by: dict[str, EncoderRecipe] = {}
    numbers = dict.fromkeys(numbers_signature(runtime, scorer))

    def score(pairs: Sequence[Pair]) -> Float32Array:
        headlines = [*((a, day) for a, _, day, _ in pairs), *((b, day) for _, b, _, day in pairs)]
        places: dict[tuple[str, datetime.date | None], int] = {}
        rows = np.array([places.setdefault(headline, len(places)) for headline in headlines], dtype=np.int64)
        texts = [text for text, _ in places]
        days = np.array([math.nan if day is None else (day - EPOCH).days for _, day in places])
        vectors = np.empty((len(texts), 0), dtype=np.float32)
        if Need.VECTORS in scorer.needs:
            encoder = encoder_of(TimelineReading(texts), how.encoder, scorer)
            encoded_by[encoders.signature(encoder)] = encoder
            vectors = encode_cached(texts, encoder, runtime)
            numbers.update(dict.fromkeys(numbers_of_vectors(texts, encoder, runtime)))
        prepared = scorer.prepare(PairContext(texts, days, vectors), runtime)
        left, right = rows[: len(pairs)], rows[len(pairs) :]
        scores = np.asarray(prepared.pairs(left, right), dtype=np.float32).copy()
        if Need.DATES in scorer.needs:
            scores[np.isnan(days[left]) | np.isnan(days[right])] = np.nan
        return scores

    results: list[CheckResult] = []
    for name in runtime.track(list(dict.fromkeys(case.check for case in cases)), "Running the suite"):
        results += run_suite([case for case in cases if case.check == name], score, threshold)
    named = [*encoded_by, pair_scorers.signature(scorer), *weights_signature(*encoded_by.values(), scorer)]
    signature = " · ".join([*named, *numbers, f"threshold:{threshold:g}"])
    return SuiteReport(tuple(results), threshold, signature)
