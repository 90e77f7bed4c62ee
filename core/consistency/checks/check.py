"""What a check is, the list of all families; a suite of cases read, written, and put to a scorer."""

import csv
import datetime
import io
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, TypeVar

import numpy as np

from core import limits
from core.arrays import Float32Array
from core.errors import InputError
from core.registry import Registry
from core.results.render import delimited, restored
from core.text.normalise import clean_line

T = TypeVar("T")
COLUMNS = ("check", "a", "b", "date_a", "date_b", "expected", "original_a", "original_b")
_TEXTS = ("check", "a", "b", "original_a", "original_b")
Pair = tuple[str, str, datetime.date | None, datetime.date | None]
Scorer = Callable[[Sequence[Pair]], Float32Array]  # of pairs, a first; NaN for what cannot be scored


class CheckKind(StrEnum):
    INVARIANT = "invariant"
    DIRECTIONAL = "directional"


class Expected(StrEnum):
    SAME = "same"
    DIFFERENT = "different"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class DatedHeadline:
    text: str
    date: datetime.date | None = None


@dataclass(frozen=True, slots=True)
class Case:
    check: str  # name of the family, or the user's own
    a: str
    b: str
    date_a: datetime.date | None
    date_b: datetime.date | None
    expected: Expected  # that decision; `UNCHANGED` asks for the one that the original pair gets
    original_a: str = ""  # the pair before the change, on the same days; "" unless `UNCHANGED`
    original_b: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    headlines: Sequence[DatedHeadline]
    pairs: Sequence[tuple[int, int]]
    names: frozenset[str]


class Check(ABC):
    """Base of all checks: frozen dataclasses that change headlines."""

    __slots__ = ()
    summary: ClassVar[str]  # one line for people
    kind: ClassVar[CheckKind] = CheckKind.INVARIANT  # whether decisions stay, or become "different"

    def change(
        self, headline: DatedHeadline, material: Material, random: np.random.Generator
    ) -> DatedHeadline | None:
        """The headline changed in this way; None where there is nothing to change."""
        text = self.reworded(headline.text, material, random)
        return None if text is None else replace(headline, text=text)

    @abstractmethod
    def reworded(self, text: str, material: Material, random: np.random.Generator) -> str | None:
        """The text changed in this way, for checks that leave the date alone; see `change`."""


checks: Registry[Check] = Registry("check", "core.consistency.checks")


def drawn(choices: Sequence[T], random: np.random.Generator) -> T:
    return choices[int(random.integers(len(choices)))]


def spliced(text: str, start: int, end: int, other: str) -> str:
    return text[:start] + other + text[end:]


def word_pairs(text: str) -> tuple[tuple[str, str], ...]:
    """The pairs of "one/other; one/other"; a line break counts as a space."""
    split = (pair.partition("/") for pair in " ".join(text.split()).split("; "))
    return tuple((first, other) for first, _, other in split)


def make_cases(name: str, given: Material, *, most: int = 100, seed: int = 0) -> list[Case]:
    """At most so many cases of one family, drawn without replacement.

    An invariant family changes the first headline of a pair and expects the decision of the original pair; a
    directional one sets a headline next to its changed self and expects "different".

    Source: Ribeiro et al. (2020), "Beyond Accuracy: Behavioral Testing of NLP Models with CheckList".
    """
    check = checks.parse(name)
    qualified, invariant = checks.name_of(check), check.kind is CheckKind.INVARIANT
    random = np.random.default_rng(seed)
    cases: list[Case] = []
    for place in random.permutation(len(given.pairs if invariant else given.headlines)).tolist():
        if len(cases) == most:
            break
        left, right = given.pairs[place] if invariant else (place, place)
        before, other = given.headlines[left], given.headlines[right]
        after = check.change(before, given, random)
        if after is None or after == before:
            continue
        if invariant:
            asked = (after.text, other.text, after.date, other.date, Expected.UNCHANGED)
            cases.append(Case(qualified, *asked, before.text, other.text))
        else:
            asked = (before.text, after.text, before.date, after.date, Expected.DIFFERENT)
            cases.append(Case(qualified, *asked))
    return cases


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
