"""How alike candidates are to each other."""

from __future__ import annotations

import pytest

from core.headlines.numeral_safety import likenesses


@pytest.mark.parametrize(
    ("headlines", "expected"),
    [
        ([], []),
        (["One alone"], [0.0]),
        (["Dogs Bark", "dogs bark"], [1.0, 1.0]),
        (["Dogs", "Dogs"], [0.5, 0.5]),
        (["Dogs bark loud", "Dogs bark", "Cats"], [0.3667, 0.3667, 0.0]),
    ],
)
def test_words_and_pairs_are_shared(headlines: list[str], expected: list[float]) -> None:
    assert likenesses(headlines) == pytest.approx(expected, abs=1e-4)
