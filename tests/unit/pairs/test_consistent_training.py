"""Losses on order and on triangles make a pair model contradict itself less."""

from itertools import combinations

import numpy as np
import pytest
import torch

from core.pairs.cross_encoder.model import build
from core.pairs.cross_encoder.tokens import PairModelConfig
from research.training.pairs.pair_batches import PairBatches, chains
from tests.unit.pairs.conftest import context, shaken
from tests.unit.pairs.pair_worlds import pair_set


@pytest.fixture
def pairs():
    headlines = context(10)
    left, right = np.triu_indices(10, 1)
    labels = np.random.default_rng(0).random(len(left)) < 0.4
    return pair_set(tuple(headlines.texts), left, right, labels, days=headlines.days)


def test_triangles_are_of_near_headlines(bases, pairs):
    story, other = "storm hits coast", "bank cuts rates"
    near = chains([story, f"{story} again", other, f"the {story}", f"{other} again"], nearest=1)
    assert near.ravel().tolist() in ([1, 0, 4, 0, 2], [3, 0, 4, 0, 2])
    model = build(PairModelConfig(base=str(bases["bert"])))
    batches = PairBatches.of(model, pairs, "cpu", triangles=True)
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


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["symmetry", "triples"])
def test_it_contradicts_itself_less(bases, pairs, loss):
    model = shaken(build(PairModelConfig(base=str(bases["bert"]), max_tokens=40, rank=4))).eval()
    batches = PairBatches.of(model, pairs, "cpu", triangles=True)
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
