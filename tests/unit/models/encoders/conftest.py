"""A tiny BERT with random weights, and encoders that count what they are asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from core.arrays import Float32Array
from core.models.encoders.encoder import Encoder, EncoderRecipe, encoders
from core.models.networks.batches import half_or_whole
from core.runtime import Runtime
from tests.tiny_models import save_encoder

WORDS = ["storm", "hits", "coast", "bank", "cuts", "rates", "raises", "the", "a", "of"]


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory):
    return save_encoder(tmp_path_factory.mktemp("tiny_bert"), "bert", WORDS)


class Tally:
    """Which texts were encoded, and how often the model was loaded."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.builds = 0
        self.fingerprint = "one"


TALLY = Tally()


@dataclass(frozen=True, kw_only=True, slots=True)
class Counting(EncoderRecipe):
    shift: int = field(default=0)

    weights = ()
    numbers = staticmethod(half_or_whole)
    dimensions = 8

    @property
    def fingerprint(self) -> str:
        return TALLY.fingerprint

    def build(self, runtime: Runtime) -> Encoder:
        TALLY.builds += 1
        return _Counting(self.shift, runtime)


class _Counting:
    dimensions = 8

    def __init__(self, shift: int, runtime: Runtime) -> None:
        self.shift = shift
        self.runtime = runtime

    def encode(self, texts: Sequence[str]) -> Float32Array:
        rows = []
        for text in self.runtime.track(list(texts), "Counting"):
            TALLY.texts.append(text)
            data = text.encode("utf-8", "surrogatepass")
            row = np.random.default_rng([self.shift, *data]).normal(size=8)
            rows.append(row / np.linalg.norm(row))
        return np.array(rows, dtype=np.float32).reshape(-1, 8)


@pytest.fixture
def tally(monkeypatch):
    """A fresh tally, with the counting encoder registered for the length of the test."""
    encoders.names()
    monkeypatch.setitem(encoders._recipes, "counting.v1", Counting)
    TALLY.__init__()
    return TALLY


@pytest.fixture
def counting(tally):
    return Counting
