"""How often a green tick is wrong is read from a stored benchmark, and from nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.numerals.benchmark.clearance import CLEARED, SET, false_clearance
from core.numerals.benchmark.results import FILE
from core.numerals.checking import DEFAULT
from core.statistics.figure import Figure


def test_the_share_is_over_all_headlines_and_the_worst_way_comes_first() -> None:
    stored = FILE.newest()
    assert stored is not None
    figures = {
        f"{CLEARED} digit": Figure(0.01, low=0.0, high=0.02, count=300),
        f"{CLEARED} claim_word": Figure(0.4, low=0.3, high=0.5, count=100),
        f"{CLEARED} none": Figure(None, "there are no such rows"),
        "flagged digit": Figure(0.9, count=300),
    }
    cells = tuple(
        replace(one, figures=figures) if (one.set, one.system, one.part) == (SET, DEFAULT, "") else one
        for one in stored.cells
    )
    found = false_clearance(replace(stored, cells=cells))
    assert found is not None
    assert [kind for kind, _ in found.kinds] == ["claim word", "digit"]
    assert found.count == 400
    assert found.share == pytest.approx((3 + 40) / 400)


def test_what_was_not_measured_is_not_made_up() -> None:
    stored = FILE.newest()
    assert stored is not None
    bare = tuple(
        replace(
            one, figures={name: each for name, each in one.figures.items() if not name.startswith(CLEARED)}
        )
        for one in stored.cells
    )
    assert false_clearance(replace(stored, cells=bare)) is None
