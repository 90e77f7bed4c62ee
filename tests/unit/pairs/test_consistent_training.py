"""Losses on order and on triangles make a pair model contradict itself less."""

import numpy as np
import pytest
import torch

from core.data.pair_sets.pair_set import PairSet
from core.pairs.cross_encoder.model import build
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.parts import Part
from research.training.pairs.cross_encoder import PairBatches, triangles
from tests.unit.pairs.conftest import context, shaken


def pair_set(size=10):
    headlines = context(size)
    left, right = np.triu_indices(size, 1)
    return PairSet(
        name="made",
        texts=tuple(headlines.texts),
        days=headlines.days,
        timelines=np.zeros(size, dtype=np.int64),
        left=left.astype(np.int64),
        right=right.astype(np.int64),
        labels=(np.random.default_rng(0).random(len(left)) < 0.4).astype(np.int64),
        parts=np.full(size, Part.TRAIN.value),
        groups=np.full(size, -1),
    )


def test_triangles_are_those_of_counting():
    left, right = np.array([3, 0, 1, 0, 2, 4]), np.array([0, 1, 3, 2, 1, 0])
    found = {frozenset(row) for row in triangles(left, right).tolist()}
    assert found == {frozenset({0, 1, 2}), frozenset({1, 3, 4})}
    assert triangles(left[:2], right[:2]).shape == (0, 3)


def contradictions(model, batches):
    """Mean change of the answer with the order, and mean shortfall of a triangle."""
    rows = np.arange(len(batches.pairs))
    with torch.no_grad():
        orders = [batches._batch(rows, np.full(len(rows), turned)) for turned in (False, True)]
        first, second = (batches._same(model(*order).float()) for order in orders)
        closed = first[batches.closed]
        short = torch.relu(closed.sum(1, keepdim=True) - 2 * closed - 1).sum(1)
        return {"symmetry": float((first - second).abs().mean()), "triples": float(short.mean())}


@pytest.mark.parametrize("loss", ["symmetry", "triples"])
def test_it_contradicts_itself_less(bases, loss):
    model = shaken(build(PairModelConfig(base=str(bases["bert"]), max_tokens=40, rank=4))).eval()
    batches = PairBatches.of(model, pair_set(), "cpu", closed=True)
    (weight, bias) = (
        model.trained()[name] for name in sorted(model.trained(), reverse=True) if "classifier" in name
    )
    with torch.no_grad():  # answers far from undecided, half of them "same event"
        weight.mul_(100.0)
        rows = np.arange(len(batches.pairs))
        logits = model(*batches._batch(rows, rows < 0))
        bias[1] -= (logits[:, 1] - logits[:, 0]).median()
    before = contradictions(model, batches)[loss]
    optimizer = torch.optim.Adam([value for value in model.parameters() if value.requires_grad], lr=3e-3)
    for epoch in range(6):
        for chosen in batches.shuffled(16, seed=0, epoch=epoch):
            optimizer.zero_grad()
            batches.loss(chosen, **{loss: 50.0}).backward()
            optimizer.step()
    assert contradictions(model, batches)[loss] < before / 2 > 0.005
