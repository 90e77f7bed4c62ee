"""What is refused, what an asymmetric table means, and the smallest tables."""

from __future__ import annotations

import numpy as np
import pytest

from core.consistency.certificate import Census, census
from core.consistency.score_matrix import commutative_test, score_matrix
from core.errors import InputError


def test_one_score_a_pair_is_that_of_the_earlier_row_first() -> None:
    scores = score_matrix([[0, 0.9, 0.2], [0.1, 0, 0.6], [0.7, 0.4, 0]], 0.5)
    np.testing.assert_allclose(scores.listed, [[0, 0.9, 0.2], [0.9, 0, 0.6], [0.2, 0.6, 0]])
    assert scores.links.tolist() == [[False, True, False], [True, False, True], [False, True, False]]
    assert scores.pairs == 3


def test_a_pair_counts_where_both_orders_were_scored() -> None:
    mask = np.array([[False, True], [False, False]])
    assert score_matrix([[0, 0.9], [np.nan, 0]], 0.5, mask=mask).pairs == 0


@pytest.mark.parametrize(
    ("values", "threshold", "match"),
    [
        ([[0, np.nan], [0, 0]], 0.5, "headlines 0 and 1 is nan"),
        ([[0, 0], [1.5, 0]], 0.5, "headlines 1 and 0 is 1.5"),
        ([[0, 0, 0]], 0.5, "square"),
        ([[0, 0], [0, 0]], 0.0, "threshold"),
        ([[0, 0], [0, 0]], float("nan"), "threshold"),
    ],
)
def test_bad_scores_are_one_sentence(values: list[list[float]], threshold: float, match: str) -> None:
    with pytest.raises(InputError, match=match):
        score_matrix(values, threshold)


@pytest.mark.parametrize(("mirrored", "match"), [(False, "order"), (True, "not scored")])
def test_links_that_cannot_be_counted_are_refused(mirrored: bool, match: str) -> None:
    links = np.array([[False, True], [mirrored, False]])
    with pytest.raises(InputError, match=match):
        census(links, scored=np.zeros((2, 2), dtype=bool))


@pytest.mark.parametrize("n", [0, 1, 2])
def test_fewer_than_three_headlines_have_no_triplet(n: int) -> None:
    found = census(np.zeros((n, n), dtype=bool))
    assert found == Census(n, 0, 0, 0, 0)
    assert found.consistent_share is None


def test_a_mask_of_another_shape_is_refused() -> None:
    with pytest.raises(InputError, match="mask"):
        score_matrix([[0, 0], [0, 0]], 0.5, mask=np.ones((3, 3), dtype=bool))


def test_no_pairs_have_no_flip_rate() -> None:
    found = commutative_test(score_matrix(np.zeros((1, 1)), 0.5))
    assert (found.pairs, found.flip_rate, found.mean_change) == (0, None, None)
