"""Losses on order and on triangles make a pair model contradict itself less."""

from itertools import combinations

import numpy as np
import pytest
import torch

from core.data.pair_sets.pair_set import PairSet
from core.pairs.cross_encoder.model import build
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.parts import Part
from research.training.pairs.cross_encoder import PairBatches, chains
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


def test_triangles_are_of_near_headlines(bases):
    story, other = "storm hits coast", "bank cuts rates"
    near = chains([story, f"{story} again", other, f"the {story}", f"{other} again"], nearest=1)
    assert near.ravel().tolist() in ([1, 0, 4, 0, 2], [3, 0, 4, 0, 2])
    batches = PairBatches.of(
        build(PairModelConfig(base=str(bases["bert"]))), pair_set(), "cpu", triangles=True
    )
    drawn = batches.triangles(np.random.default_rng(0))
    assert len(drawn) > 4
    assert all(len(set(row)) == 3 for row in drawn.tolist())


def contradictions(model, batches):
    """Mean change of the answer with the order, and mean shortfall of a triangle."""
    left, right = batches.pairs.left, batches.pairs.right
    closed = np.array(list(combinations(range(len(batches.pairs.texts)), 3)))
    with torch.no_grad():
        orders = (batches._logits(*order).softmax(1)[:, 1] for order in ((left, right), (right, left)))
        same = batches.sides(closed).exp()
        short = torch.relu(same.sum(1, keepdim=True) - 2 * same - 1).sum(1)
        return {"symmetry": float((next(orders) - next(orders)).abs().mean()), "triples": float(short.mean())}


@pytest.mark.parametrize("loss", ["symmetry", "triples"])
def test_it_contradicts_itself_less(bases, loss):
    model = shaken(build(PairModelConfig(base=str(bases["bert"]), max_tokens=40, rank=4))).eval()
    batches = PairBatches.of(model, pair_set(), "cpu", triangles=True)
    (weight, bias) = (
        model.trained()[name] for name in sorted(model.trained(), reverse=True) if "classifier" in name
    )
    with torch.no_grad():  # answers far from undecided, half of them "same event"
        weight.mul_(100.0)
        logits = batches._logits(batches.pairs.left, batches.pairs.right)
        bias[1] -= (logits[:, 1] - logits[:, 0]).median()
    before = contradictions(model, batches)[loss]
    optimizer = torch.optim.Adam([value for value in model.parameters() if value.requires_grad], lr=3e-3)
    for epoch in range(6):
        for chosen in batches.shuffled(16, seed=0, epoch=epoch):
            optimizer.zero_grad()
            batches.loss(chosen, **{loss: 50.0}).backward()
            optimizer.step()
    assert contradictions(model, batches)[loss] < before / 2 > 0.005
