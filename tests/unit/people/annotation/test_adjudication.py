"""What adjudicators decide, take back, and what was shown to them."""

from __future__ import annotations

import numpy as np

from core.people.grouping import ALONE, BLIND, DECIDED, OPEN, TAKEN_BACK, adjudicated, decisions, shown_for
from tests.unit.people.annotation.entries import entries


def test_decisions_move_headlines_in_their_order_and_the_last_about_one_counts() -> None:
    done = [
        (who, DECIDED, {"row": row, "with": other, "shown": shown})
        for who, row, other, shown in (("Ada", 2, ALONE, OPEN), ("Bob", 3, 2, OPEN), ("Ada", 2, 0, BLIND))
    ]
    found = decisions(entries(*done), 4)
    assert [(row, one.body["with"], one.who, shown_for(one)) for row, one in found.items()] == [
        (3, 2, "Bob", OPEN),
        (2, 0, "Ada", BLIND),
    ]
    assert adjudicated(np.array([0, 0, 1, 2]), found).tolist() == [0, 0, 0, 1]
    alone = decisions(entries(("Ada", DECIDED, {"row": 1, "with": ALONE, "shown": BLIND})), 4)
    assert adjudicated(np.array([0, 0, 0, 1]), alone).tolist() == [0, 1, 0, 2]


def test_what_is_taken_back_leaves_what_was_decided_before_and_nobody_takes_back_for_another() -> None:
    done = [
        ("Ada", DECIDED, {"row": 2, "with": 1, "shown": BLIND}),
        ("Ada", DECIDED, {"row": 2, "with": ALONE, "shown": BLIND}),
        ("Bob", TAKEN_BACK, {"of": "2"}),
        ("ADA ", TAKEN_BACK, {"of": "2"}),
    ]
    assert decisions(entries(*done[:3]), 4)[2].body["with"] == ALONE
    assert decisions(entries(*done), 4)[2].body["with"] == 1
    assert decisions(entries(*done, ("Ada", TAKEN_BACK, {"of": "1"})), 4) == {}


def test_decisions_that_make_no_sense_are_ignored() -> None:
    bodies = [{"row": 4, "with": 0}, {"row": 0, "with": 0}, {"row": 0, "with": -2}, {"row": "0", "with": 1}]
    assert decisions(entries(*[("Ada", DECIDED, body) for body in bodies]), 4) == {}
    assert decisions(entries(("", DECIDED, {"row": 0, "with": 1, "shown": BLIND})), 4) == {}
