"""What a headline model writes: batches, wishes, unknown words, odd articles."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from core.headlines.generator import HeadlineCandidate, Wishes
from core.models.language_models.language_model import Length
from core.runtime import Runtime
from research.neural.model import BeamSearchSettings, HeadlineModel, NeuralWriter
from research.neural.search import HeadlineLimits

from .examples import ARTICLES, tiny_model


def texts(found: Sequence[Sequence[HeadlineCandidate]]) -> list[list[str]]:
    return [[one.text for one in row] for row in found]


def copying_model() -> HeadlineModel:
    """A pointer network that never writes from its vocabulary, but for the end."""
    model = tiny_model("pointer", size=14)
    with torch.no_grad():
        model.module.switch.weight.zero_()
        model.module.switch.bias.fill_(-4.0)
        model.module.key.weight.zero_()  # attends to every word alike
    return model


def test_lengths_are_kept() -> None:
    writer = NeuralWriter(tiny_model("pointer"))
    for wishes, least, most in (
        (Wishes(length=Length.SHORT), 1, 6),
        (Wishes(length=Length.LONG), 10, 100),
        (Wishes(most_words=2), 1, 2),
        (Wishes(length=Length.LONG, most_words=12, sample=True), 10, 12),
    ):
        for row in texts(writer.write(ARTICLES, wishes, Runtime())):
            assert least <= len(row[0].split()) <= most


def test_unknown_words_are_copied_into_the_headline() -> None:
    writer = NeuralWriter(copying_model())
    wishes = Wishes(length=Length.LONG, sample=True, candidates=10, top_p=1.0)
    lines = " ".join(one.text for one in writer.write([ARTICLES[1]], wishes, Runtime())[0])
    assert "zorblatt" not in writer.model.vocabulary.numbers
    assert "Zorblatt" in lines
    assert "Quux" in lines


def test_the_sign_for_unknown_words_is_written_only_where_asked() -> None:
    model = tiny_model("s2s", size=14)
    with torch.no_grad():
        model.module.bias[1] = 50.0
    plain = texts(NeuralWriter(model).write(ARTICLES, Wishes(), Runtime()))
    assert not any("unk" in row[0].lower() for row in plain)
    open_search = BeamSearchSettings(limits=HeadlineLimits(unknown=True, repeat=0, once=False, most_steps=5))
    loud = texts(NeuralWriter(model, open_search).write(ARTICLES, Wishes(), Runtime()))
    assert all("unk" in row[0].lower() for row in loud)
