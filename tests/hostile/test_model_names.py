"""What no folder or file can be called, in every field of a method that takes a text: one clear sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.consistency.studies.subject import open_headlines
from core.data.articles.articles import article_sources
from core.data.articles.load import open_articles
from core.data.pair_sets.load import load_pair_set
from core.data.pair_sets.pair_set import pair_sources
from core.errors import CoreError
from core.headlines.generator import headline_generators
from core.headlines.metrics.metric import headline_metrics
from core.headlines.selection import headline_selectors
from core.models.encoders.encoder import encoders
from core.numerals.entailing.rereading import claim_readers
from core.numerals.question import numeral_attachers
from core.pairs.scorer import PairContext, pair_scorers
from core.pairs.scoring.fingerprints import fingerprint_of
from core.runtime import Runtime
from research.benchmark.headlines.generation import model_facts
from tests.hostile.sentences import faults

NAMES = ("m" * 300, "m/" * 3_000, "~nosuchuser/x", "~nosuchuser", "a\x00b", "\ud800", "/dev/null/x", " ")
CONTEXT = PairContext(
    texts=["Storm hits coast", "Storm hits 5"],
    days=np.zeros(2),
    vectors=np.eye(2, 384, dtype=np.float32),
    bodies=["", ""],
    annotators=np.zeros((2, 2), dtype=np.int64),
)
USES: dict[Any, Callable[[Any], object]] = {
    encoders: lambda recipe: recipe.fingerprint,
    pair_scorers: lambda recipe: recipe.prepare(CONTEXT, Runtime()),
    headline_generators: lambda recipe: recipe.check(),
    headline_selectors: lambda recipe: recipe.check(),
    headline_metrics: lambda recipe: (recipe.signature_text(), recipe.columns),
    numeral_attachers: lambda recipe: recipe.check(),
    claim_readers: lambda recipe: recipe.check(),
    article_sources: lambda recipe: (recipe.find(), recipe.load()),
    pair_sources: lambda recipe: (recipe.find(), recipe.load()),
}


def fields_of_text() -> list[Any]:
    """Every field that takes any text: registry, name of the method, name of the field."""
    return [
        pytest.param(registry, name, field.name, id=f"{name} {field.name}")
        for registry in USES
        for name in registry.names()
        for field in dataclasses.fields(registry.get(name))
        if str(field.type) == "str" and not field.metadata.get("choices")
    ]


def refused(call: Callable[[], object]) -> list[str]:
    """What is wrong with the sentence that a call is answered with; [] also where it gives no sentence."""
    try:
        call()
    except CoreError as error:
        return faults(error.message, error.hint)
    return []


@pytest.mark.parametrize(("registry", "name", "field"), fields_of_text())
def test_a_name_that_nothing_can_have(registry: Any, name: str, field: str) -> None:
    for text in NAMES:

        def use(text: str = text) -> None:
            recipe = dataclasses.replace(registry.get(name)(), **{field: text})
            fingerprint_of(name, recipe)
            if registry is headline_generators:
                model_facts(recipe)
            USES[registry](recipe)

        assert refused(use) == []


@pytest.mark.parametrize("opens", [open_articles, load_pair_set, open_headlines])
def test_a_file_that_nothing_can_be(opens: Callable[[str], object]) -> None:
    for text in NAMES[:-1]:
        assert refused(lambda text=text: opens(text)) == []
