import itertools
from typing import Any

import numpy as np
import pytest
import torch

from core.data.articles.articles import articles_of
from core.errors import InputError, ModelUnavailableError
from core.headlines.generator import GenerationOptions, headline_generators
from core.parts import Part
from core.runtime import Runtime
from research.neural import words
from research.neural.batches import ArticleExample, batch_of
from research.neural.search import BeamConstraints, HeadlineLimits, beam_search
from research.neural.vocabulary import END, SPECIALS, START, Vocabulary, cut, learn_byte_pairs
from research.neural.words import article_words, split
from research.runs.trainer import trainers
from tests.training_data import started

from .examples import ARCHITECTURES, ARTICLES, HEADLINES, tiny_model

WORDS = ("x", "y", "z")
VOCABULARY = Vocabulary((*SPECIALS, *WORDS))
LONGEST = 4


def table_decoder(rows, seed):
    """The next word depends on the last one and on how many there are; a table for each article."""
    size = len(VOCABULARY)
    tables = torch.randn(rows, LONGEST, size, size, generator=torch.Generator().manual_seed(seed)) * 2
    tables = tables.log_softmax(dim=-1)

    def step(words, state):
        place = state[0]
        each = torch.arange(rows)[:, None].expand(words.shape)
        return tables[each, place, words], (place + 1,)

    return step, (torch.zeros(rows, 1, dtype=torch.int64),), tables


def rules(rows, limits):
    examples = [ArticleExample(source=(4,), extra=(), written={})] * rows
    return BeamConstraints(limits, VOCABULARY, examples, 0, "cpu")


def listed(table, penalty, shortest):
    found = []
    for length in range(shortest, LONGEST):
        for row in itertools.product(range(4, 4 + len(WORDS)), repeat=length):
            chain = (START, *row, END)
            total = sum(float(table[at, chain[at], chain[at + 1]]) for at in range(length + 1))
            found.append((row, total / (length + 1) ** penalty))
    return sorted(found, key=lambda one: -one[1])


@pytest.mark.parametrize("penalty", [0.0, 0.7, 1.0, 2.0])
@pytest.mark.parametrize("shortest", [1, 2])
def test_a_wide_beam_finds_what_listing_finds(penalty, shortest):
    step, state, tables = table_decoder(5, seed=3)
    limits = HeadlineLimits(least_words=shortest, most_steps=LONGEST, repeat=0, once=False)
    found = beam_search(step, state, rules(5, limits), width=40, length_penalty=penalty)
    for row, table in zip(found, tables, strict=True):
        wanted = listed(table, penalty, shortest)
        assert [one.numbers for one in row] == [numbers for numbers, _ in wanted][: len(row)]
        assert [one.score for one in row] == pytest.approx(
            [score for _, score in wanted[: len(row)]], abs=1e-5
        )


def test_nothing_is_written_three_words_long_twice():
    def same(words, state):
        scores = torch.full((*words.shape, len(VOCABULARY)), -5.0)
        scores[..., 4] = -0.1
        return scores, state

    def written(repeat):
        limits = HeadlineLimits(most_steps=8, repeat=repeat, once=False)
        return beam_search(same, (torch.zeros(1, 1),), rules(1, limits), width=2)[0][0].numbers

    assert written(repeat=0) == (4,) * 7
    ruled = written(repeat=3)
    grams = list(zip(ruled, ruled[1:], ruled[2:], strict=False))
    assert len(grams) == len(set(grams))


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


TINY = {
    "embedding": 16, "cells": 24, "words_read": 12, "vocabulary": 100, "embeddings": "random",
    "optimizer": "adam", "learning_rate": 0.02, "batch_size": 16,
}  # fmt: skip
# Slow enough that every seed learns it to the end, so that no rounding of a processor decides.
LEARNED = TINY | {"learning_rate": 0.01, "epochs": 40, "patience": 0, "watched": 2}
NAMES = ["arden", "bellmoor", "corville", "dunwich", "eastham", "farleigh", "garston", "hadley"]


def copying_articles(count, *, new_names=False):
    """The name after "in" is the headline's first word; those of the validation part are new."""
    random = np.random.default_rng(0)
    texts, headlines, parts = [], [], []
    for row in range(count):
        part = Part.VALIDATION if row % 4 == 0 else Part.TRAIN
        name = str(random.choice(NAMES))
        if new_names or row % 2:
            name = "".join(random.choice(list("bdfgklmnprstvz"), 3)) + "ovia" + str(row)
        texts.append(f"a storm reached the people in {name} on day {row} .")
        headlines.append(f"{name} hit by storm")
        parts.append(part)
    return articles_of("storms", texts, references=[(one,) for one in headlines], parts=parts)


@pytest.mark.parametrize("trainer", [trainers.get("pointer.v1"), trainers.get("copynet.v1")])
def test_a_network_that_overfits_a_batch_copies_words_that_it_does_not_know(trainer, tmp_path):
    articles = copying_articles(20, new_names=True)
    run = started(tmp_path / "run")
    trainer(**LEARNED | {"epochs": 60, "vocabulary": 12}).train(articles, run, Runtime())
    generator: Any = headline_generators.parse(f"{trainer.architecture}.v1|model:{run.model}").build(
        Runtime()
    )
    learned = articles.part(Part.TRAIN)
    name = learned.references[0][0].split()[0]
    assert name not in generator.model.vocabulary.written
    found = generator.write(learned.texts[:1], GenerationOptions(), Runtime())
    assert found[0][0].text.lower() == f"{name} hit by storm"


def test_one_network_starts_from_another(tmp_path):
    articles = copying_articles(96)
    first = started(tmp_path / "first")
    trainers.get("pointer.v1")(epochs=1, **TINY).train(articles, first, Runtime())
    second = started(tmp_path / "second")
    trainer = trainers.get("pointer_coverage.v1")(epochs=1, start_from=str(first.model), **TINY)
    trainer.check(articles)
    trainer.train(articles, second, Runtime())
    assert second.about()["taken_over"] == first.about()["trained_weights"]
    assert (second.model / "vocabulary.txt").read_text() == (first.model / "vocabulary.txt").read_text()
    with pytest.raises(ModelUnavailableError):
        trainers.get("pointer_coverage.v1")(start_from=str(tmp_path / "nothing")).check(articles)
    with pytest.raises(InputError, match="no epoch"):
        trainers.get("pointer.v1")(epochs=0).check(articles)


def test_words_are_cut_into_byte_pairs_of_another_corpus_and_written_whole(tmp_path):
    corpus = tmp_path / "encyclopedia.txt"
    corpus.write_text("A storm is a disturbed state. Storms hit coasts; stormy seas are stormier.\n" * 20)
    byte_pairs = learn_byte_pairs(str(corpus), size=40, language="en")
    text = words.split("Stormiest Škoda storms hit 5k coasts", language="en")
    parts = cut(text, byte_pairs)
    assert len(parts.forms) > len(text.forms)
    assert "škoda" in parts.forms  # its first letter is not in the corpus
    style = words.LearnedStyle(title=True)
    assert words.join(parts.written, style) == words.join(text.written, style)

    articles, run = copying_articles(20), started(tmp_path / "run")
    trainer = trainers.get("transformer.v1")
    how = {**TINY, "epochs": 30, "pretraining_epochs": 0, "width": 32, "hidden": 32, "layers": 1}
    how = {name: value for name, value in how.items() if name in trainer.__dataclass_fields__}
    trainer(**how, byte_pairs=str(corpus)).train(articles, run, Runtime())
    generator: Any = headline_generators.parse(f"transformer.v1|model:{run.model}").build(Runtime())
    assert any(form.startswith(words.GLUE) for form in generator.model.vocabulary.written)
    headline = generator.write(articles.part(Part.TRAIN).texts[:1], GenerationOptions(), Runtime())[0][0].text
    assert words.GLUE not in headline
    assert headline
    with pytest.raises(InputError, match="no file"):
        trainer(byte_pairs=str(tmp_path / "none.txt")).check(articles)
