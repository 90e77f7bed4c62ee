"""What a headline model writes: batches, wishes, unknown words, odd articles."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch

from core.errors import Cancelled
from core.headlines.generator import Candidate, Wishes
from core.headlines.neural import writing
from core.headlines.neural.limits import Limits
from core.headlines.neural.model import HeadlineModel
from core.headlines.neural.writing import NeuralWriter, Search
from core.models.language_models.frames import Length
from core.runtime import Runtime

from .examples import ARCHITECTURES, ARTICLES, tiny_model

ODD = ("", "   ", "?!", "x", "<b>bold</b> & \x00 \U0001f600", "Погода в Москве 5 дней.", "a b " * 30_000)


def texts(found: Sequence[Sequence[Candidate]]) -> list[list[str]]:
    return [[one.text for one in row] for row in found]


def copying_model() -> HeadlineModel:
    """A pointer network that never writes from its vocabulary, but for the end."""
    model = tiny_model("pointer", size=14)
    with torch.no_grad():
        model.module.switch.weight.zero_()
        model.module.switch.bias.fill_(-4.0)
        model.module.key.weight.zero_()  # attends to every word alike
    return model


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("sample", [False, True])
def test_an_article_has_the_same_headlines_in_any_company(
    architecture: str, sample: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = NeuralWriter(tiny_model(architecture))
    wishes = Wishes(candidates=3, sample=sample)
    together = writer.write(ARTICLES, wishes, Runtime())
    alone = [writer.write([text], wishes, Runtime())[0] for text in ARTICLES]
    monkeypatch.setattr(writing, "ARTICLES_AT_ONCE", 2)
    turned = writer.write(ARTICLES[::-1], wishes, Runtime())[::-1]
    assert texts(together) == texts(alone) == texts(turned)
    for row, other in zip(together, alone, strict=True):
        assert [one.score for one in row] == pytest.approx([one.score for one in other], abs=1e-4)


@pytest.mark.parametrize("sample", [False, True])
def test_candidates_are_different_lines_best_first(sample: bool) -> None:
    found = NeuralWriter(tiny_model("pointer")).write(
        ARTICLES, Wishes(candidates=5, sample=sample, temperature=1.5, top_p=1.0), Runtime()
    )
    for row in found:
        lines = [one.text for one in row]
        assert 1 <= len(lines) <= 5
        assert len(set(lines)) == len(lines)
        assert all(line and line == line.strip() and "\n" not in line for line in lines)
        scores = [one.score for one in row]
        assert scores == sorted(scores, reverse=True)


def test_sampling_follows_the_seed() -> None:
    writer = NeuralWriter(tiny_model("copynet"))
    wishes = Wishes(candidates=4, sample=True, temperature=2.0, top_p=1.0)
    first = writer.write(ARTICLES, wishes, Runtime(seed=1))
    assert writer.write(ARTICLES, wishes, Runtime(seed=1)) == first
    assert writer.write(ARTICLES, wishes, Runtime(seed=2)) != first


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
    open_search = Search(limits=Limits(unknown=True, repeat=0, once=False, most_steps=5))
    loud = texts(NeuralWriter(model, open_search).write(ARTICLES, Wishes(), Runtime()))
    assert all("unk" in row[0].lower() for row in loud)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_odd_articles_have_one_candidate_at_least(architecture: str) -> None:
    found = texts(NeuralWriter(tiny_model(architecture)).write(ODD, Wishes(), Runtime()))
    assert [len(row) for row in found] == [1] * len(ODD)
    assert [row[0] for row in found[:3]] == [""] * 3
    assert all(row[0] for row in found[3:])
    assert NeuralWriter(tiny_model(architecture)).write([], Wishes(), Runtime()) == []


def test_it_can_be_stopped() -> None:
    runtime = Runtime()
    runtime.stop.set()
    with pytest.raises(Cancelled):
        NeuralWriter(tiny_model("s2s")).write(ARTICLES, Wishes(), runtime)
