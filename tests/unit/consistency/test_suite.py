"""Suites are read, written and put to a scorer."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

import numpy as np
import pytest

from core import limits
from core.consistency.checks.check import Case, Expected, Pair, read_suite, run_suite, write_suite
from core.errors import InputError

DAY = datetime.date(2024, 5, 30)
CASES = [
    Case("suffix", "A b - CNN", "A c", DAY, None, Expected.UNCHANGED, "A b", "A c"),
    Case("mine", "=1+1", '+x, "y"', None, None, Expected.SAME),
    Case("mine", "A b", "A 'b'", None, DAY, Expected.DIFFERENT),
]


@pytest.mark.parametrize("name", ["suite.csv", "suite.json"])
def test_a_suite_is_read_as_it_was_written(name: str) -> None:
    assert read_suite(write_suite(CASES, name), name) == CASES


def test_formulas_are_kept_from_running() -> None:
    assert b"'=1+1" in write_suite(CASES, "suite.csv")


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("check,a,b\nx,A,B\n", "no column 'expected'"),
        ("check,a,b,expected\nx,A,,same\n", "Case 1 of the suite has no b"),
        ("check,a,b,expected\nx,A,B,same\nx,A,B,equal\n", "Case 2 of the suite expects 'equal'"),
        ("check,a,b,expected\nx,A,B,unchanged\n", "original pair"),
        ("check,a,b,expected,original_a,original_b\nx,A,B,same,A,B\n", "original pair"),
        ("check,a,b,expected,date_a\nx,A,B,same,31.5.2024\n", "no date"),
    ],
)
def test_a_bad_row_is_one_sentence(text: str, match: str) -> None:
    with pytest.raises(InputError, match=match):
        read_suite(text.encode(), "suite.csv")


@pytest.mark.parametrize("data", [b"{", b"[" * 100_000, b"[1]", b"\xff\xfe\x00"])
def test_what_is_no_suite_is_one_sentence(data: bytes) -> None:
    with pytest.raises(InputError, match="suite"):
        read_suite(data, "suite.json")


def test_failures_are_counted_check_by_check() -> None:
    table = {
        ("A b - CNN", "A c"): 0.4,
        ("A b", "A c"): 0.6,
        ("=1+1", '+x, "y"'): 0.9,
        ("A b", "A 'b'"): 0.8,
    }

    def score(pairs: Sequence[Pair]) -> np.ndarray:
        return np.array([table[a, b] for a, b, _, _ in pairs], dtype=np.float32)

    suffix, mine = run_suite(CASES, score, 0.5)
    assert (suffix.check, suffix.cases, suffix.failure_rate) == ("suffix", 1, 1.0)
    assert suffix.failures[0].original_score == pytest.approx(0.6)
    assert (mine.cases, mine.failure_rate) == (2, 0.5)
    assert mine.failures[0].case is CASES[2]
    assert mine.failures[0].original_score is None


def test_pairs_without_a_score_are_told_apart() -> None:
    (found,) = run_suite(CASES[1:], lambda pairs: np.array([np.nan, 0.1], dtype=np.float32), 0.5)
    assert (found.cases, found.unscored, found.failure_rate) == (1, 1, 0.0)
    (nothing,) = run_suite(CASES[1:2], lambda pairs: np.array([np.nan], dtype=np.float32), 0.5)
    assert nothing.failure_rate is None


def test_a_suite_of_more_cases_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.SUITE_CASES.variable, "2")
    row = "own,one,other,same\n"
    assert len(read_suite(f"check,a,b,expected\n{row * 2}".encode(), "suite.csv")) == 2
    with pytest.raises(InputError, match="3 cases, and no more than 2"):
        read_suite(f"check,a,b,expected\n{row * 3}".encode(), "suite.csv")
