"""A suite of cases: read, written, and put to a scorer."""

from __future__ import annotations

import csv
import datetime
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core import limits
from core.arrays import Float32Array
from core.consistency.checks.check import Case, Expected
from core.errors import InputError
from core.results.render import delimited, restored
from core.text.normalise import clean_line

COLUMNS = ("check", "a", "b", "date_a", "date_b", "expected", "original_a", "original_b")
_TEXTS = ("check", "a", "b", "original_a", "original_b")

Pair = tuple[str, str, datetime.date | None, datetime.date | None]
Scorer = Callable[[Sequence[Pair]], Float32Array]
"""Scores of pairs (a, b, day of a, day of b), a first, float32 [m]; NaN where a pair cannot be scored."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A case that a scorer failed."""

    case: Case
    score: float
    original_score: float | None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """How a scorer did on the cases of one check."""

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


def read_suite(data: bytes, filename: str) -> list[Case]:
    try:
        text = data.decode("utf-8-sig")
        rows = json.loads(text) if filename.lower().endswith(".json") else _csv_rows(text)
    except InputError:
        raise
    except (ValueError, RecursionError, csv.Error) as error:
        raise InputError(
            "The suite is neither CSV nor JSON in UTF-8.", hint="Save it as one of the two."
        ) from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError("The suite is not a list of cases.", hint='Give JSON like [{"check": …, "a": …}].')
    most = limits.SUITE_CASES.value
    if len(rows) > most:
        raise InputError(
            f"The suite has {len(rows):,} cases, and no more than {most:,} are taken.",
            hint=f"Leave some out, or raise {limits.SUITE_CASES.variable}.",
        )
    return [_case(number, row) for number, row in enumerate(rows, start=1)]


def write_suite(cases: Iterable[Case], filename: str) -> bytes:
    """The cases as CSV or JSON, by the ending of the name; `read_suite` gives them back.

    In CSV a text that a spreadsheet might run as a formula gets an apostrophe before it.
    """
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
        raise InputError(
            f"The suite has no column {missing[0]!r}.", hint=f"Its columns are: {', '.join(COLUMNS)}."
        )
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
        raise InputError(
            f"Case {number} of the suite expects {raw[:40]!r}.",
            hint=f"Write one of: {', '.join(Expected)}.",
        )
    expected = Expected(raw)
    if (expected is Expected.UNCHANGED) != bool(texts["original_a"] and texts["original_b"]):
        raise InputError(
            f"Case {number} of the suite expects {raw!r}, and its original pair does not fit that.",
            hint="Give `original_a` and `original_b` where “unchanged” is expected, and only there.",
        )
    return Case(
        check=texts["check"],
        a=texts["a"],
        b=texts["b"],
        date_a=_date(number, "date_a", row),
        date_b=_date(number, "date_b", row),
        expected=expected,
        original_a=texts["original_a"],
        original_b=texts["original_b"],
    )


def _date(number: int, column: str, row: Mapping[str, object]) -> datetime.date | None:
    raw = str(row.get(column) or "").strip()
    if not raw:
        return None
    try:
        return datetime.date.fromisoformat(raw)
    except ValueError:
        raise InputError(
            f"Case {number} of the suite has the {column} {raw[:40]!r}, which is no date.",
            hint="Write it as 2024-05-31, or leave it empty.",
        ) from None
