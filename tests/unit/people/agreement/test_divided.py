"""Which headlines divide people, and whose side a model is on."""

from __future__ import annotations

import numpy as np

from core.people.agreement import companions, with_model

# Three people: all put 0 and 1 together, two put 2 with them, and the third did not see 3.
PEOPLE = np.array([[1, 5, 0], [1, 5, 0], [1, 5, 1], [2, 6, -1]])


def test_who_put_a_headline_with_what() -> None:
    zero, one = companions(PEOPLE, 2, np.array([0, 1, 0, 2]))
    assert (zero.row, zero.together, zero.apart, zero.model) == (0, (0, 1), (2,), True)
    assert (one.row, one.model) == (1, False)
    assert companions(PEOPLE, 3) == ()


def test_the_share_of_people_on_the_models_side_counts_only_pairs_on_which_people_differ() -> None:
    sided = with_model(PEOPLE, np.array([0, 0, 0, 1]))
    np.testing.assert_allclose(sided, [2 / 3, 2 / 3, 2 / 3, np.nan])
    np.testing.assert_allclose(with_model(PEOPLE, np.arange(4))[:3], [1 / 3, 1 / 3, 1 / 3])
