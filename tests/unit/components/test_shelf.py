"""Opened files are kept by number and by size, the ones used last the longest."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from components.resources import Shelf
from components.sizes import megabytes
from core import limits
from core.similarities import Similarities


def test_the_shelf_is_bounded_by_number() -> None:
    shelf: Shelf[str] = Shelf(2)
    for name in ("a", "b"):
        shelf.put(name, name)
    shelf.get("a")
    shelf.put("c", "c")
    assert [shelf.get(name) for name in ("a", "b", "c")] == ["a", None, "c"]


def test_the_shelf_is_bounded_by_size_and_keeps_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.KEPT_MEGABYTES.variable, "3")
    shelf: Shelf[np.ndarray] = Shelf(30)
    for name in ("a", "b"):
        shelf.put(name, np.zeros(2_000_000, np.uint8))
    assert shelf.get("a") is None
    assert shelf.get("b") is not None
    shelf.put("larger than all", np.zeros(9_000_000, np.uint8))
    assert shelf.get("b") is None
    assert shelf.get("larger than all") is not None


def test_sizes_are_those_of_arrays_tables_and_sparse_matrices() -> None:
    block = np.zeros((500, 500), np.float32)
    assert megabytes(block) == 1.0
    assert megabytes([block, block]) == 1.0  # the same array is held once
    assert megabytes(Similarities(block)) == 1.0
    matrix = sparse.random(1000, 1000, density=0.01, format="csr", random_state=0, dtype=np.float32)
    held = matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes
    assert megabytes({"sparse": matrix}) == pytest.approx(held / 1e6)
    table = pd.DataFrame({"headline": ["Bank raises rates"] * 1000})
    assert megabytes(table) == pytest.approx(table.memory_usage(deep=True).sum() / 1e6)
