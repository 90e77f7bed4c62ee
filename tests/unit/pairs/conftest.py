"""What the tests of pairs share: a cache, and tiny random encoders of several architectures."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.pairs.context import PairContext
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.runtime import Runtime
from core.text.tokens import word_list
from tests.tiny_models import save_encoder


@pytest.fixture
def runtime(tmp_path):
    return Runtime(cache=tmp_path)


WORDS = word_list("storm hits coast bank cuts rates raises the a of crew returns alarm 0 1 2 3 4 5 6 7 8 9")


@pytest.fixture(scope="session")
def bases(tmp_path_factory):
    return {
        # Weights far apart, so that a classifier tells texts from each other.
        kind: save_encoder(tmp_path_factory.mktemp(kind), kind, WORDS, initializer_range=0.1)
        for kind in ("bert", "electra")
    }


def shaken(model):
    """The model with its trained weights moved: updates a little, the head a lot."""
    import torch

    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for name, part in model.trained().items():
            head = any(layer in name for layer in ("classifier", "pooler", "_layer"))
            part.add_((0.3 if head else 0.05) * torch.randn(part.shape, generator=generator))
    return model.eval()


@pytest.fixture
def trained(bases, tmp_path):
    """Writes the folder of a pair model with random weights: (kind, **config) to its path."""
    from core.pairs.cross_encoder.model import build, save

    def make(kind: str = "bert", **given: Any) -> Path:
        config = PairModelConfig(base=str(bases[kind]), max_tokens=40, rank=4)
        folder = tmp_path / f"{kind}-{len(list(tmp_path.iterdir()))}"
        save(shaken(build(replace(config, **given))), folder)
        return folder

    return make


def context(size=8, seed=0):
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, int(random.integers(1, 9)))) for _ in range(size)]
    return PairContext(
        texts=texts,
        days=random.integers(16_000, 16_009, size).astype(np.float64),
        vectors=np.empty((size, 0), np.float32),
        bodies=[" ".join(random.choice(WORDS, int(random.integers(5, 40)))) for _ in range(size)],
    )
