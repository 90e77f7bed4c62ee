"""Rows of unlike lengths through a BERT together: each gets the vectors that it gets alone."""

import json

import numpy as np
import pytest
import torch

from core.models.networks.bert import Bert
from core.models.weights import load_state, locate

DRAW = np.random.default_rng(4)
ROWS = [DRAW.integers(1_000, 20_000, length) for length in (5, 64, 1, 31, 200)]
FIRSTS = np.array([3, 20, 1, 31, 0])
ASKED = [[0, 4], [7], [0], [30, 2, 2], [199]]


def bert(*, eight_bits):
    folder = locate("minilm")
    settings = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return Bert(load_state(folder), settings, device="cpu", dtype=torch.float32, eight_bits=eight_bits)


@pytest.mark.parametrize("eight_bits", [False, True])
def test_each_row_has_the_vectors_that_it_has_alone(*, eight_bits):
    network = bert(eight_bits=eight_bits)
    with torch.inference_mode():
        together = network.vectors(ROWS, FIRSTS, ASKED)
        for row, first, asked, found in zip(ROWS, FIRSTS, ASKED, together, strict=True):
            alone = network.hidden(
                row[None], np.array([len(row)]), np.array([first]), asked=np.array([asked])
            )[0]
            # Sums of 8 bits are exact; in float32 the number of rows decides in which order is summed.
            torch.testing.assert_close(found, alone, rtol=0.0, atol=0.0 if eight_bits else 1e-5)
