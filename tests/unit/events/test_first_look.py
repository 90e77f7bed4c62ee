"""A first picture of many headlines."""

from __future__ import annotations

import numpy as np
import pytest

from core.events.lanes import first_look
from core.runtime import Runtime

STORIES = ("Storm floods harbour of", "Parliament passes budget for", "Striker scores twice in")
TEXTS = [f"{STORIES[at % 3]} Town{at}" for at in range(300)]


def test_stories_of_an_even_sample_are_found_and_laid_out() -> None:
    found = first_look(TEXTS, most=100, runtime=Runtime())
    assert len(found.rows) == 100
    assert (found.rows[0], found.rows[-1]) == (0, 299)
    assert found.positions.shape == (100, 2)
    assert np.isfinite(found.positions).all()
    assert sum(size for _, size in found.stories) == 100
    assert len(found.stories) == 3
    for group in np.unique(found.groups):
        assert len({int(row) % 3 for row in found.rows[found.groups == group]}) == 1
    again = first_look(TEXTS, most=100, runtime=Runtime())
    assert np.array_equal(found.positions, again.positions)


@pytest.mark.parametrize("texts", [["One"], ["…", "!"], ["Same"] * 5, ["a b", "c d"]])
def test_hardly_any_words_are_no_problem(texts: list[str]) -> None:
    found = first_look(texts, most=100, runtime=Runtime())
    assert found.positions.shape == (len(texts), 2)
    assert np.isfinite(found.positions).all()
    assert sum(size for _, size in found.stories) == len(texts)
