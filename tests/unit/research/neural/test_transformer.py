"""The Transformer against PyTorch's own attention, one word at a time against all at once, and learning."""

import math
from typing import Any

import pytest
import torch
import torch.nn.functional as F  # noqa: N812

from core.headlines.generator import Wishes
from core.runtime import Runtime
from research.neural.batches import batch_of
from research.neural.model import NeuralWriter
from research.neural.transformer import PhraseAttention, renumbered
from research.neural.vocabulary import START
from research.neural.words import article_words, split

from .examples import ARTICLES, HEADLINES, tiny_model

SIZES = {"width": 16, "hidden": 24, "layers": 2, "places": 5}


def tiny(phrases="1 1", *, size=60, **settings):
    return tiny_model("transformer", size=size, wild=False, phrases=phrases, **{**SIZES, **settings})


def examples(model):
    return [
        model.example(article_words(text, digits=True), split(headline, digits=True).forms)
        for text, headline in zip(ARTICLES, HEADLINES, strict=True)
    ]


def test_heads_over_single_words_are_those_of_pytorch():
    torch.manual_seed(0)
    ours = PhraseAttention(16, (1, 1, 1, 1), 0.0)
    theirs = torch.nn.MultiheadAttention(16, 4, batch_first=True)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([ours.query.weight, ours.key.weight, ours.value.weight]))
        theirs.in_proj_bias.copy_(torch.cat([ours.query.bias, ours.key.bias, ours.value.bias]))
        theirs.out_proj.load_state_dict(ours.out.state_dict())
    asking, read = torch.randn(3, 5, 16), torch.randn(3, 7, 16)
    seen = torch.arange(7)[None] < torch.tensor([7, 4, 1])[:, None]
    found = ours(asking, *ours.project(read), seen[:, None, None])
    wanted, _ = theirs(asking, read, read, key_padding_mask=~seen)
    torch.testing.assert_close(found, wanted)


def test_a_phrase_is_a_convolution_over_keys_and_values():
    """Equation 4 of the report, with `conv1d` as the convolution."""
    torch.manual_seed(0)
    size, depth, length = 3, 4, 6
    ours = PhraseAttention(depth, (size,), 0.0)
    asking, read = torch.randn(1, 2, depth), torch.randn(1, length, depth)
    found = ours(asking, *ours.project(read), None)
    padded = F.pad(ours.key(read)[0].T, (size - 1, 0))
    # The newest key of a window meets the first part of the query.
    kernel = ours.query(asking)[0].view(2, size, depth).flip(1).transpose(1, 2)
    scores = F.conv1d(padded[None], kernel)[0] / math.sqrt(size * depth)
    parts = ours.value.weight.view(size, depth, depth), ours.value.bias.view(size, depth)
    inputs = F.pad(read[0].T, (size - 1, 0))
    biased = torch.zeros(length, depth)
    for back in range(size):
        biased[back:] += parts[1][back]
    values = F.conv1d(inputs[None], parts[0].flip(0).permute(1, 2, 0))[0].T + biased
    torch.testing.assert_close(found[0], ours.out(scores.softmax(dim=1) @ values))


@pytest.mark.parametrize("phrases", ["1 1", "1 2", "2 3"])
def test_word_by_word_is_all_at_once(phrases):
    """The search's decoder, which remembers keys and values, gives what the whole headline gives at once."""
    model = tiny(phrases)
    network: Any = model.network
    batch = batch_of(examples(model), model.vocabulary)
    with torch.no_grad():
        table, read = network.table(), network.read(batch.source)
        memory = network.encode(read, table)
        targets = renumbered(batch.targets, network.size, network.settings.places, None)
        before = torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)
        hidden = network.embed(before, table)
        for layer in network.decoder:
            hidden, _ = layer(hidden, layer.across.project(memory), read.seen)
        logits = network.scores(hidden, table)
        step, state = network.begin(batch.source)
        words = torch.full((len(before), 2), START)
        state = tuple(part.expand(-1, 2, *part.shape[2:]) for part in state)
        for place in range(before.shape[1]):
            scores, state = step(words, state)
            own = scores[:, 1]
            wanted = logits[:, place, : own.shape[1]].masked_fill(torch.isinf(own), -torch.inf)
            torch.testing.assert_close(own, wanted.log_softmax(dim=-1), rtol=1e-4, atol=1e-5)
            assert scores.shape[2] == network.size + batch.source.extra
            words = batch.targets[:, place : place + 1].expand(-1, 2)


def test_a_tiny_network_learns_its_headlines_by_heart():
    model = tiny("1 2", width=32, hidden=64, dropout=0.0, smoothing=0.0, first_sentence=False)
    batch = batch_of(examples(model), model.vocabulary)
    module = model.module.train()
    optimizer = torch.optim.Adam(module.parameters(), lr=1e-2)
    losses = []
    for _ in range(120):
        optimizer.zero_grad()
        loss = model.network.loss(batch)
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.2 < losses[0]
    module.eval()
    written = NeuralWriter(model).write(ARTICLES, Wishes(), Runtime())
    assert [found[0].text for found in written] == list(HEADLINES)
