"""Cases of the checks: made of scored headlines, as files, put to a scorer, and those that it failed."""

import csv
import datetime
import io
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core import limits
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
from core.results.delimited import delimited, restored
from core.runtime import Runtime
from core.text.names import learn_names
from core.text.normalise import clean_line
from core.text.timeline_reading import TimelineReading

Pair = tuple[str, str, datetime.date | None, datetime.date | None]
Scorer = Callable[[Sequence[Pair]], Float32Array]  # of pairs, a first; NaN for what cannot be scored
_PAIRS_DRAWN: Final = 2_000
COLUMNS = ("check", "a", "b", "date_a", "date_b", "expected", "original_a", "original_b")
_TEXTS = ("check", "a", "b", "original_a", "original_b")


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


def read_suite(data: bytes, filename: str) -> list[Case]:
    try:
        text = data.decode("utf-8-sig")
        rows = json.loads(text) if filename.lower().endswith(".json") else _csv_rows(text)
    except InputError:
        raise
    except (ValueError, RecursionError, csv.Error) as error:
        message = "The suite is neither CSV nor JSON in UTF-8."
        raise InputError(message, hint="Save it as one of the two.") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError("The suite is not a list of cases.", hint='Give JSON like [{"check": …, "a": …}].')
    most = limits.SUITE_CASES.value
    if len(rows) > most:
        message = f"The suite has {len(rows):,} cases, and no more than {most:,} are taken."
        raise InputError(message, hint=f"Leave some out, or raise {limits.SUITE_CASES.variable}.")
    return [_case(number, row) for number, row in enumerate(rows, start=1)]


def write_suite(cases: Iterable[Case], filename: str) -> bytes:
    """The cases as CSV, formulas made harmless, or JSON, by the name's ending, for `read_suite`."""
    rows = [{name: _written(getattr(case, name)) for name in COLUMNS} for case in cases]
    if filename.lower().endswith(".json"):
        return (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode()
    return delimited([COLUMNS, *([row[name] for name in COLUMNS] for row in rows)]).encode()


def _written(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime.date) else str(value or "")


def _csv_rows(text: str) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    missing = [name for name in ("check", "a", "b", "expected") if name not in (reader.fieldnames or ())]
    if missing:
        message = f"The suite has no column {missing[0]!r}."
        raise InputError(message, hint=f"Its columns are: {', '.join(COLUMNS)}.")
    return [
        {name: restored(value) for name, value in row.items() if name is not None and value is not None}
        for row in reader
    ]


def _case(number: int, row: Mapping[str, object]) -> Case:
    texts = {name: clean_line(str(row.get(name) or "")) for name in _TEXTS}
    most = limits.HEADLINE_CHARACTERS.value
    for name, text in texts.items():
        if len(text) > most:
            raise InputError(
                f"Case {number} of the suite has {len(text):,} characters in {name}, more than {most:,}.",
                hint="Give one headline.",
            )
    for name in ("check", "a", "b"):
        if not texts[name]:
            raise InputError(f"Case {number} of the suite has no {name}.", hint="Fill it in.")
    raw = str(row.get("expected") or "").strip().casefold()
    if raw not in set(Expected):
        message = f"Case {number} of the suite expects {raw[:40]!r}."
        raise InputError(message, hint=f"Write one of: {', '.join(Expected)}.")
    expected = Expected(raw)
    if (expected is Expected.UNCHANGED) != bool(texts["original_a"] and texts["original_b"]):
        message = f"Case {number} of the suite expects {raw!r}, and its original pair does not fit that."
        hint = "Give `original_a` and `original_b` where “unchanged” is expected, and only there."
        raise InputError(message, hint=hint)
    date_a, date_b = (_date(number, column, row) for column in ("date_a", "date_b"))
    return Case(**texts, date_a=date_a, date_b=date_b, expected=expected)


def _date(number: int, column: str, row: Mapping[str, object]) -> datetime.date | None:
    raw = str(row.get(column) or "").strip()
    if not raw:
        return None
    try:
        return datetime.date.fromisoformat(raw)
    except ValueError:
        message = f"Case {number} of the suite has the {column} {raw[:40]!r}, which is no date."
        raise InputError(message, hint="Write it as 2024-05-31, or leave it empty.") from None
