"""The builder's draw: hand-worked cases, sizes, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.pair_sets.drawing import Sampling, draw_pairs
from core.errors import InputError

ONE = np.zeros(6, dtype=np.int64)
DAYS = np.array([10.9, 10.0, 14.2, 15.0, 30.0, np.nan])
GROUPS = np.array([0, 0, 1, 1, 0, 2])


def drawn(sampling: Sampling) -> dict[tuple[int, int], int]:
    left, right, labels = draw_pairs(ONE, DAYS, GROUPS, sampling)
    return {(a, b): y for a, b, y in zip(left.tolist(), right.tolist(), labels.tolist(), strict=True)}


def test_positives_at_any_distance_and_negatives_within_whole_days() -> None:
    pairs = drawn(Sampling(ratio=None))
    assert {pair for pair, label in pairs.items() if label} == {(0, 1), (0, 4), (1, 4), (2, 3)}
    near = {(0, 2), (1, 2)}  # 10 to 14 is four days, whatever the hour; 10 to 15 is five
    undated = {(0, 5), (1, 5), (2, 5), (3, 5), (4, 5)}
    assert {pair for pair, label in pairs.items() if not label} == near | undated


def test_every_negative_is_drawn_equally_often() -> None:
    counts: dict[tuple[int, int], int] = {}
    for seed in range(700):
        for pair, label in drawn(Sampling(ratio=0.25, seed=seed)).items():
            if not label:
                counts[pair] = counts.get(pair, 0) + 1
    assert len(counts) == 7
    assert all(60 < count < 140 for count in counts.values())  # 100 expected, standard deviation 9.3


@pytest.mark.parametrize(
    ("sampling", "words"),
    [
        (Sampling(window_days=-1.0), "window cannot be"),
        (Sampling(window_days=float("nan")), "window cannot be"),
        (Sampling(ratio=-0.5), "ratio cannot be"),
        (Sampling(most_positives=0), "number of positives cannot be"),
    ],
)
def test_numbers_out_of_range(sampling: Sampling, words: str) -> None:
    with pytest.raises(InputError, match=words):
        drawn(sampling)


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_CANDIDATE_PAIRS", "3")
    with pytest.raises(InputError, match="4 pairs; at most 3"):
        drawn(Sampling(ratio=None))
