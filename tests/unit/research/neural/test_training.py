"""Training networks from scratch: they learn to copy, and a stopped run ends as one that was not."""

from typing import Any

import numpy as np
import pytest
import torch

from core.data.articles.articles import articles_of
from core.errors import Cancelled, InputError, ModelUnavailableError
from core.headlines.generator import Wishes, headline_generators
from core.parts import Part
from core.runtime import Runtime
from research.neural.model import WEIGHTS
from research.runs.checkpoint import read_tensors
from research.runs.run_folder import RunFolder
from research.training.headlines.neural import (
    CopyNetTrainer,
    CoverageTrainer,
    GrammemeTrainer,
    PointerTrainer,
)

TINY = {
    "embedding": 16,
    "cells": 24,
    "words_read": 12,
    "vocabulary": 100,
    "embeddings": "random",
    "optimizer": "adam",
    "learning_rate": 0.02,
    "batch_size": 16,
}
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


def started(path, watch=None):
    run = RunFolder(path, watch=watch)
    run.create({"kind": "headlines"})
    run.start()
    return run


@pytest.mark.parametrize("trainer", [PointerTrainer, CopyNetTrainer])
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
    found = generator.write(learned.texts[:1], Wishes(), Runtime())
    assert found[0][0].text.lower() == f"{name} hit by storm"


def test_a_stopped_run_ends_as_one_that_was_not(tmp_path):
    articles = copying_articles(96)
    trainer = CoverageTrainer(epochs=2, pretraining_epochs=1, dropout=0.2, **TINY)
    whole = started(tmp_path / "whole")
    trainer.train(articles, whole, Runtime(seed=3))

    def stop_in_the_middle(line):
        if line.get("step") == 7:
            broken.ask_to_stop()

    broken = started(tmp_path / "broken", stop_in_the_middle)
    with pytest.raises(Cancelled):
        trainer.train(articles, broken, Runtime(seed=3))
    again = RunFolder(tmp_path / "broken")
    again.start()
    trainer.train(articles, again, Runtime(seed=3))
    wanted = read_tensors(whole.model / WEIGHTS)
    for name, value in read_tensors(again.model / WEIGHTS).items():
        assert torch.equal(value, wanted[name]), name
    assert again.about()["validation"] == whole.about()["validation"]


def test_one_network_starts_from_another(tmp_path):
    articles = copying_articles(96)
    first = started(tmp_path / "first")
    PointerTrainer(epochs=1, **TINY).train(articles, first, Runtime())
    second = started(tmp_path / "second")
    trainer = CoverageTrainer(epochs=1, start_from=str(first.model), **TINY)
    trainer.check(articles)
    trainer.train(articles, second, Runtime())
    assert second.about()["taken_over"] == first.about()["trained_weights"]
    assert (second.model / "vocabulary.txt").read_text() == (first.model / "vocabulary.txt").read_text()
    with pytest.raises(ModelUnavailableError):
        CoverageTrainer(start_from=str(tmp_path / "nothing")).check(articles)
    with pytest.raises(InputError, match="no epoch"):
        PointerTrainer(epochs=0).check(articles)


@pytest.mark.parametrize(
    ("language", "text", "headline"),
    [
        ("ru", "В городе {name} сегодня прошёл сильный дождь, сообщили власти.", "В {name} прошёл дождь"),
        ("it", "Nella città di {name} oggi è caduta molta pioggia, dicono le autorità.", "A {name} piove"),
    ],
)
def test_other_languages_are_learned_and_written(language, text, headline, tmp_path):
    names = ["Тверь", "Омск", "Псков", "Рязань"] if language == "ru" else ["Roma", "Pisa", "Lecce", "Nuoro"]
    articles = articles_of(
        "rain",
        [f"{text.format(name=name)} {row}." for row in range(10) for name in names],
        references=[(headline.format(name=name),) for row in range(10) for name in names],
        parts=[Part.VALIDATION if row == 9 else Part.TRAIN for row in range(10) for _ in names],
    )
    run = started(tmp_path / "run")
    GrammemeTrainer(**LEARNED).train(articles, run, Runtime())
    recipe = headline_generators.parse(f"pointer_grammemes.v1|model:{run.model}|lead:textrank")
    writer: Any = recipe.build(Runtime())
    assert writer.model.config.language == language
    assert not writer.model.config.style.title
    found = writer.write([f"{text.format(name=names[1])} 9."], Wishes(), Runtime())[0][0].text
    assert found == headline.format(name=names[1])
