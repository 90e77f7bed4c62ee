"""Which headlines divide people, whose side a model is on, and what an adjudicator decides."""

from __future__ import annotations

import numpy as np

from core.people.agreement.divided import (
    ALONE,
    DECIDED,
    adjudicated,
    companions,
    decide,
    decisions,
    with_model,
)
from tests.unit.people.annotation.entries import entries

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


def test_decisions_move_headlines_in_their_order_and_the_last_about_one_counts() -> None:
    done = [
        (who, DECIDED, decide(row, other))
        for who, row, other in (("Ada", 2, ALONE), ("Bob", 3, 2), ("Ada", 2, 0))
    ]
    found = decisions(entries(*done), 4)
    assert found == {3: (2, "Bob"), 2: (0, "Ada")}
    assert adjudicated(np.array([0, 0, 1, 2]), found).tolist() == [0, 0, 0, 1]
    assert adjudicated(np.array([0, 0, 0, 1]), {1: (ALONE, "")}).tolist() == [0, 1, 0, 2]


def test_decisions_that_make_no_sense_are_ignored() -> None:
    bodies = [
        {},
        {"row": 4, "with": 0},
        {"row": 0, "with": 0},
        {"row": 0, "with": -2},
        {"row": "0", "with": 1},
    ]
    assert decisions(entries(*[("Ada", DECIDED, body) for body in bodies]), 4) == {}
    assert decisions(entries(("", DECIDED, decide(0, 1))), 4) == {}
