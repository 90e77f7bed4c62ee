"""Recurrent networks: probabilities that add up, stepping that equals learning, copying, coverage."""

import pytest
import torch

from research.neural.batches import batch_of
from research.neural.pointers import CoverageNetwork
from research.neural.vocabulary import START
from research.neural.words import article_words, split

from .examples import ARCHITECTURES, ARTICLES, HEADLINES, tiny_model


def batch(model, rows=slice(None)):
    pairs = zip(ARTICLES[rows], HEADLINES[rows], strict=True)
    return batch_of(
        [
            model.example(article_words(text, digits=True), split(headline, digits=True).forms)
            for text, headline in pairs
        ],
        model.vocabulary,
    )


def stepped(model, given):
    """Log-probabilities of the targets, [b, t], word by word; and the sums of all words', [b, t]."""
    step, state = model.network.begin(given.source)
    words = torch.full_like(given.targets[:, :1], START)
    chosen, sums = [], []
    for place in range(given.targets.shape[1]):
        scores, state = step(words, state)
        words = given.targets[:, place : place + 1]
        chosen.append(scores[:, 0].gather(1, words)[:, 0])
        sums.append(scores[:, 0].exp().sum(dim=-1))
    return torch.stack(chosen, dim=1), torch.stack(sums, dim=1)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_probabilities_add_up_and_stepping_equals_learning(architecture):
    model = tiny_model(architecture)
    given = batch(model)
    with torch.no_grad():
        scores, sums = stepped(model, given)
        network = model.module
        memory = network.read(given.source)
        inputs = network.decoder_inputs(
            memory, torch.cat([torch.full_like(given.targets[:, :1], START), given.targets[:, :-1]], dim=1)
        )
        hidden, _ = network.decoder(inputs, tuple(part[None] for part in memory.first))
        thought = network.think(memory, inputs, hidden)
        counted = network.counted(given.targets)
        learned = network.target_scores(memory, thought, given.targets)
        beside = float(network.learned_beside(given, thought, counted))
        loss = float(network.loss(given))
    assert torch.allclose(sums, torch.ones_like(sums), atol=1e-5)
    assert torch.allclose(scores[counted].exp(), learned[counted].exp(), atol=1e-6)
    assert loss == pytest.approx(-float(scores[counted].mean()) + beside, abs=1e-2)
    assert thought.attention.shape == (*given.targets.shape, given.source.words.shape[1])
    assert torch.allclose(thought.attention.sum(dim=-1), torch.ones(given.targets.shape), atol=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_weight_learns(architecture):
    model = tiny_model(architecture)
    model.network.loss(batch(model)).backward()
    still = [
        name
        for name, value in model.module.named_parameters()
        if value.grad is None or not bool(value.grad.abs().sum() > 0)
    ]
    assert not still


def test_unknown_words_can_be_copied_but_not_by_a_network_without_copying():
    for architecture in ARCHITECTURES:
        model = tiny_model(architecture, size=14)
        given = batch(model, slice(1, 2))
        unknown = given.source.extended[0] >= len(model.vocabulary)
        assert unknown.any()
        with torch.no_grad():
            step, state = model.network.begin(given.source)
            scores, _ = step(torch.tensor([[START]]), state)
        copied = scores[0, 0, len(model.vocabulary) :]
        assert bool(torch.isneginf(copied).all()) == (architecture == "s2s")
        assert copied.shape == (given.source.extra,)


def test_coverage_equals_a_plain_loop():
    model = tiny_model("pointer_coverage")
    network = model.module
    assert isinstance(network, CoverageNetwork)
    with torch.no_grad():
        network.covering.fill_(-1.3)
        given = batch(model)
        memory = network.read(given.source)
        hidden = torch.randn(len(ARTICLES), 3, network.settings.hidden)
        thought = network.think(memory, hidden, hidden)
        counted = torch.tensor([[True, True, True], [True, True, False], [True, False, False], [True] * 3])
        loss = float(network.learned_beside(given, thought, counted))
    total, words = 0.0, 0
    for row in range(len(ARTICLES)):
        length = int(given.source.lengths[row])
        coverage = [0.0] * length
        for place in range(3):
            scores = [
                float(hidden[row, place] @ memory.keys[row, at]) - 1.3 * coverage[at] for at in range(length)
            ]
            weights = torch.tensor(scores).softmax(dim=0)
            assert torch.allclose(thought.attention[row, place, :length], weights, atol=1e-5)
            if counted[row, place]:
                total += sum(min(float(w), c) for w, c in zip(weights, coverage, strict=True))
                words += 1
            coverage = [c + float(w) for w, c in zip(weights, coverage, strict=True)]
    assert loss == pytest.approx(total / words, abs=1e-5)
