"""The type that carries similarities."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from core import similarities as module
from core.similarities import Similarities

MATRIX = np.array([[1, 0.5, 0], [0.5, 1, 0.2], [0, 0.2, 1]], dtype=np.float32)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_rows_pairs_and_edges(form, monkeypatch) -> None:
    monkeypatch.setattr(module, "_ROWS_AT_ONCE", 2)
    found = Similarities(form(MATRIX))
    assert len(found) == 3
    assert found.of(0, 1) == 0.5
    np.testing.assert_array_equal(found.row(1), MATRIX[1])
    left, right, values = found.edges(0.0)
    assert list(zip(left.tolist(), right.tolist(), values.tolist(), strict=True)) == [
        (0, 1, 0.5),
        (1, 2, pytest.approx(0.2)),
    ]
    assert found.edges(0.5)[0].tolist() == [0]
    assert [part.dtype for part in found.edges(0.9)] == [np.int64, np.int64, np.float32]
