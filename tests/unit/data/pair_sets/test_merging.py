"""Five annotators to one grouping."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.pair_sets.assembly import merge_annotators
from core.errors import InputError

FIVE = np.array(
    [
        # five people's groups of eight headlines; the last headline is left out by three of them
        [0, 0, 0, 0, 0],
        [0, 0, 0, 1, 1],
        [0, 1, 0, 1, 0],
        [1, 2, 1, 2, 2],
        [1, 2, 2, 2, 3],
        [2, 2, 1, 2, 3],
        [3, 3, 3, 3, 4],
        [3, 3, -1, -1, -1],
    ]
)
"""Worked by hand. Together in at least three: 0-1 (people 1, 2, 3), 0-2 (1, 3, 5), 3-4 (1, 2, 4),
3-5 (2, 3, 4), 4-5 (2, 4, 5). 1-2 agree in 1, 3 and 4. 6-7: two grouped both, and both put them together."""


def test_hand_worked_majority() -> None:
    assert merge_annotators(FIVE).tolist() == [0, 0, 0, 1, 1, 1, 2, 2]


def test_a_weak_bridge_does_not_join_two_communities() -> None:
    """Two cliques of five with one agreed edge between them: closure would join them, Louvain does not."""
    cliques = np.array([0] * 5 + [1] * 5)
    left, right, bridge = cliques.copy(), cliques.copy(), np.arange(10) + 2
    left[5], right[4] = 0, 1
    bridge[[4, 5]] = 0
    people = np.stack([cliques, cliques, left, right, bridge], axis=1)
    assert int((people[4] == people[5]).sum()) == 3
    merged = merge_annotators(people)
    assert merged.tolist() == [0] * 5 + [1] * 5


def test_nobody_annotated() -> None:
    with pytest.raises(InputError, match="no annotators"):
        merge_annotators(np.empty((4, 0), dtype=np.int64))
