"""What tells the outlets of an event apart."""

from __future__ import annotations

import pytest

from core.events.outlets import also_in

OUTLETS = ["Alpha", "Beta", None, "Alpha", "Gamma", "Delta"]


@pytest.mark.parametrize(
    ("report", "said"),
    [
        ((0,), ""),
        ((0, 1), "also in: Beta"),
        ((0, 3, 1, 2, 4, 5), "also in: Beta, Gamma and 1 more"),
        ((0, 3), "repeated once"),
        ((2, 2, 2), "repeated 2 times"),
    ],
)
def test_copies_name_the_other_outlets_once(report: tuple[int, ...], said: str) -> None:
    assert also_in(OUTLETS, report, most=2) == said
