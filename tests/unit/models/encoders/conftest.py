"""A tiny BERT with random weights, and encoders that count what they are asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from core.arrays import Float32Array
from core.models.encoders.encoder import Encoder, EncoderRecipe, encoders
from core.models.networks.precision import half_or_whole
from core.runtime import Runtime
from tests.tiny_models import save_encoder

WORDS = ["storm", "hits", "coast", "bank", "cuts", "rates", "raises", "the", "a", "of"]


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory):
    return save_encoder(tmp_path_factory.mktemp("tiny_bert"), "bert", WORDS)


@dataclass(frozen=True, kw_only=True, slots=True)
class Counting(EncoderRecipe):
    """Keeps which texts were encoded, and where the model was loaded."""

    texts: ClassVar[list[str]] = []
    builds: ClassVar[list[Runtime]] = []

    weights = ()
    numbers = staticmethod(half_or_whole)
    dimensions = 8

    def build(self, runtime: Runtime) -> Encoder:
        self.builds.append(runtime)
        return _Counting(runtime)


@dataclass
class _Counting:
    runtime: Runtime
    dimensions = 8

    def encode(self, texts: Sequence[str]) -> Float32Array:
        rows = []
        for text in self.runtime.track(list(texts), "Counting"):
            Counting.texts.append(text)
            row = np.random.default_rng([0, *text.encode("utf-8", "surrogatepass")]).normal(size=8)
            rows.append(row / np.linalg.norm(row))
        return np.array(rows, dtype=np.float32).reshape(-1, 8)


@pytest.fixture
def counting(monkeypatch):
    """An encoder that has counted nothing so far, registered for the length of the test."""
    encoders.names()
    monkeypatch.setitem(encoders._recipes, "counting.v1", Counting)
    Counting.texts.clear()
    Counting.builds.clear()
    return Counting()
