"""What follows from entries that come one after another, twice, or anew after some were removed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.journal.journal import Entry, Folds
from tests.unit.people.annotation.entries import entries

ADA, BO, CY = entries(("Ada", "said", {}), ("Bo", "said", {}), ("Cy", "said", {}))


def names(fold: Folds[tuple[str, ...]], read: Sequence[Entry]) -> tuple[str, ...]:
    return fold.fold("key", read, tuple, lambda known, new: (*known, *(entry.who for entry in new)))


@pytest.mark.parametrize(
    ("looks", "expected"),
    [
        ([(ADA,), (ADA, BO), (ADA, BO)], ("Ada", "Bo")),
        ([(ADA, ADA), (ADA, ADA, BO, ADA)], ("Ada", "Bo")),
        ([(ADA, BO), (BO,)], ("Bo",)),
        ([(ADA, BO), (BO, CY)], ("Bo", "Cy")),
        ([(ADA, BO), ()], ()),
    ],
)
def test_every_entry_counts_once_and_what_was_removed_not_at_all(
    looks: list[tuple[Entry, ...]], expected: tuple[str, ...]
) -> None:
    fold: Folds[tuple[str, ...]] = Folds()
    assert [names(fold, read) for read in looks][-1] == expected


def test_only_new_entries_are_folded_in() -> None:
    fold: Folds[int] = Folds()
    sizes: list[int] = []
    for read in ((ADA,), (ADA, BO, CY), (ADA, BO, CY)):
        fold.fold("key", read, int, lambda _, new: sizes.append(len(new)) or 0)
    assert sizes == [1, 2]
