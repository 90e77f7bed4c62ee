"""Pieces of a feature sum up to it."""

from __future__ import annotations

import numpy as np

from core.pairs.features.bends import bent, pieces, whole

BENDS = {"meaning": (0.4, 0.7)}


def test_pieces_sum_up_to_the_feature_and_have_its_sign() -> None:
    given = np.linspace(-1, 1, 41, dtype=np.float32)
    found = dict(bent([("meaning", given), ("days", given)], BENDS))
    assert found.keys() == pieces({"meaning": 1, "days": -1}, BENDS).keys()
    amounts = {name: float(values[30]) for name, values in found.items()}
    assert whole(amounts) == {"meaning": float(np.float32(0.5)), "days": float(np.float32(0.5))}
    parts = [values for name, values in found.items() if name != "days"]
    np.testing.assert_allclose(np.sum(parts, axis=0), given, atol=1e-6)
    assert set(pieces({"meaning": -1}, BENDS).values()) == {-1}
