"""What the map is coloured by."""

from __future__ import annotations

import numpy as np

from core.events.export import typicality


def test_a_headline_is_as_typical_as_it_is_close_to_the_middle_of_its_group() -> None:
    vectors = np.array([[1, 0], [0, 1], [1, 0], [0, 1], [1, 0]], dtype=np.float32)
    found = typicality(vectors, np.array([7, 7, 3, 5, 3]))
    assert np.allclose(found[[0, 1, 2, 4]], [np.sqrt(0.5), np.sqrt(0.5), 1.0, 1.0])
    assert np.isnan(found[3])
