"""What a headline model writes: batches, wishes, unknown words, odd articles."""

import torch

from core.headlines.generator import Wishes
from core.models.language_models.language_model import Length
from core.runtime import Runtime
from research.neural.model import BeamSearchSettings, NeuralWriter
from research.neural.search import HeadlineLimits

from .examples import ARTICLES, tiny_model


def texts(found):
    return [[one.text for one in row] for row in found]


def test_lengths_are_kept():
    writer = NeuralWriter(tiny_model("pointer"))
    for wishes, least, most in (
        (Wishes(length=Length.SHORT), 1, 6),
        (Wishes(length=Length.LONG), 10, 100),
        (Wishes(most_words=2), 1, 2),
        (Wishes(length=Length.LONG, most_words=12, sample=True), 10, 12),
    ):
        for row in texts(writer.write(ARTICLES, wishes, Runtime())):
            assert least <= len(row[0].split()) <= most


def test_the_sign_for_unknown_words_is_written_only_where_asked():
    model = tiny_model("s2s", size=14)
    with torch.no_grad():
        model.module.bias[1] = 50.0
    plain = texts(NeuralWriter(model).write(ARTICLES, Wishes(), Runtime()))
    assert not any("unk" in row[0].lower() for row in plain)
    open_search = BeamSearchSettings(limits=HeadlineLimits(unknown=True, repeat=0, once=False, most_steps=5))
    loud = texts(NeuralWriter(model, open_search).write(ARTICLES, Wishes(), Runtime()))
    assert all("unk" in row[0].lower() for row in loud)
