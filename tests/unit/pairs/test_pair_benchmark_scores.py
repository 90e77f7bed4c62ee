"""Kept scores are the scorer's own, and are taken again when anything changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from core.pairs.scorers.baselines import Levenshtein
from core.pairs.scorers.wrappers import Symmetric, WithTime
from core.pairs.scoring import score_pairs
from core.runtime import Runtime
from research.benchmark.pairs import rows as module
from research.benchmark.pairs.rows import scores_of
from tests.unit.pairs.pair_worlds import world


@dataclass
class Counted:
    """Counts how often pairs are really scored."""

    runs: int = 0

    def __call__(self, *arguments: object) -> object:
        self.runs += 1
        return score_pairs(*arguments)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    count = Counted()
    monkeypatch.setattr(module, "score_pairs", count)
    return count


@pytest.mark.parametrize(
    "scorer",
    [
        Levenshtein(),
        WithTime(base="levenshtein", tau_days=3.0),
        Symmetric(base="levenshtein"),
        WithTime(base="with_time|base:(token_overlap)"),
    ],
)
def test_they_equal_the_scorers_own(scorer: Levenshtein, tmp_path: Path) -> None:
    pairs = world()
    days = pairs.days.copy()
    days[5] = np.nan
    pairs = replace(pairs, days=days)
    direct = score_pairs(pairs, scorer, Runtime())
    for _ in range(2):
        kept = scores_of(pairs, scorer, Runtime(cache=tmp_path))
        assert np.array_equal(kept.scores, direct.scores, equal_nan=True)
        assert kept.signature == direct.signature
        assert sum(kept.why_not.values()) == len(direct.why_not)


def test_the_second_time_nothing_is_scored(tmp_path: Path, counted: Counted) -> None:
    runtime = Runtime(cache=tmp_path)
    first = scores_of(world(), Levenshtein(), runtime)
    again = scores_of(world(), Levenshtein(), runtime)
    assert counted.runs == 1
    assert np.array_equal(first.scores, again.scores)
    assert (again.signature, again.seconds) == (first.signature, first.seconds)
    scores_of(world(), WithTime(base="levenshtein"), runtime)
    assert counted.runs == 1
    scores_of(world(), Levenshtein(), runtime, fresh=True)
    assert counted.runs == 2
