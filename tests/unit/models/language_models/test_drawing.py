"""Drawing words by their probability."""

from __future__ import annotations

import numpy as np
import torch

from core.models.language_models.writing.choices import drawn

DRAWS = np.linspace(0.0, 0.999, 300)


def draw(scores: torch.Tensor, top_p: float = 1.0) -> np.ndarray:
    return drawn(scores.expand(len(DRAWS), -1), DRAWS, temperature=1.0, top_p=top_p)


def test_words_are_drawn_as_often_as_they_are_likely() -> None:
    shares = np.array([0.5, 0.1, 0.3, 0.1])
    counts = np.bincount(draw(torch.from_numpy(np.log(shares))), minlength=4)
    np.testing.assert_allclose(counts / len(DRAWS), shares, atol=0.01)
    assert set(draw(torch.from_numpy(np.log(shares)), top_p=0.6)) == {0, 2}


def test_what_is_equal_but_for_rounding_is_drawn_alike() -> None:
    plain = torch.zeros(50)
    random = np.random.default_rng(0)
    for _ in range(5):
        rounded = plain + torch.from_numpy(random.normal(scale=1e-6, size=50).astype(np.float32))
        different = np.mean(draw(rounded) != draw(plain))
        assert different < 0.02, "only a draw between two words may fall to the other"
