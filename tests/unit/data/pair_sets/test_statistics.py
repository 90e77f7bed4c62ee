"""The figures of a pair set against plain counting and the paper."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.data.pair_sets.drawing import as_object, levenshtein_ratios, pair_statistics
from core.data.pair_sets.load import load_pair_set
from core.data.pair_sets.pair_file import parse_pairs
from core.parts import Part

ROWS = b"""headline_a,headline_b,date_a,date_b,label
abcd,abcd,2015-01-14,2015-01-14,1
abcd,abxy,2015-01-14,2015-01-20,1
abcd,zzzz,2015-01-14,2015-01-16,0
abcd,efgh,2015-01-14,,0
abcd,abce,2015-01-14,2019-01-14,
"""


def plain_ratio(a: str, b: str) -> float:
    """2 x longest common subsequence over both lengths, by the textbook table."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a, 1):
        for j, y in enumerate(b, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if x == y else max(table[i - 1][j], table[i][j - 1])
    return 2 * table[-1][-1] / (len(a) + len(b))


def test_hand_counted() -> None:
    figures = pair_statistics(parse_pairs(ROWS, "p.csv").strict())
    (test,) = figures.parts
    assert (test.part, test.headlines, test.pairs) == (Part.TEST, 6, 5)
    assert (test.same, test.different, test.unknown, test.balance) == (2, 2, 1, 1.0)
    assert figures.same_by_day[[0, 6]].tolist() == [1, 1]
    assert figures.different_by_day[2] == 1
    assert figures.same_by_day.sum() == 2
    assert figures.different_by_day.sum() == 1
    assert figures.undated == 1
    assert figures.inside == 0.5
    assert figures.ratios.tolist() == [1.0, 0.5]
    assert figures.mean_ratio == 0.75


def test_nothing_known_is_none_not_zero() -> None:
    figures = pair_statistics(parse_pairs(b"headline_a,headline_b\na,b\n", "p.csv").strict())
    told = as_object(figures)
    assert told["same_inside_window"] is None
    assert told["levenshtein_mean"] is None
    assert told["parts"]["test"]["different_per_same"] is None
    assert sum(told["levenshtein_histogram"]) == 0


def test_ratio_is_that_of_the_textbook() -> None:
    pairs = load_pair_set("iss")
    places = np.arange(0, len(pairs), 97)
    plain = [plain_ratio(pairs.texts[pairs.left[p]], pairs.texts[pairs.right[p]]) for p in places]
    assert np.allclose(levenshtein_ratios(pairs, places), plain)


def test_comparison_corpora_give_their_known_means(data: Path) -> None:
    """HLGD reports 0.72 for MRPC and 0.74 for STS-B; what it counted there is not said."""
    mrpc = load_pair_set("mrpc")
    train = mrpc.with_headlines(mrpc.parts != Part.TEST.value)
    assert pair_statistics(train).mean_ratio == pytest.approx(0.748, abs=0.003)
    assert pair_statistics(load_pair_set("stsb")).mean_ratio == pytest.approx(0.74, abs=0.05)
