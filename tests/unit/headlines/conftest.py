"""Tiny random models of every architecture that generators run, with tokenizers made on the spot."""

import copy
import csv
import gzip
from pathlib import Path
from typing import Any

import pytest

from core.headlines.metrics import MetricInput
from tests.tiny_models import SPECIAL, save_network, save_writer, stand_for_flan_t5


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A folder with a tiny random model of an architecture; the same for the same name."""
    made: dict[str, Path] = {}

    def folder(name):
        if name not in made:
            made[name] = save_writer(tmp_path_factory.mktemp(name), name)
        return made[name]

    return folder


@pytest.fixture(scope="session")
def adapter(tiny_llama, tmp_path_factory):
    import torch

    from core.headlines.generator import headline_generators
    from core.models.language_models.causal import AdapterConfig
    from core.models.networks.low_rank import add_low_rank, llama_layers, write_adapter
    from core.runtime import Runtime

    folder = tmp_path_factory.mktemp("adapter")
    about = AdapterConfig(
        **{"base": f"causal.v1|model:{tiny_llama}", "rank": 2, "alpha": 2.0, "first_block": 0},
        **{"article_tokens": 60, "headline_tokens": 20, "before": "<|endoftext|>", "end": "\n"},
    )
    base: Any = headline_generators.parse(about.base).build(Runtime(half=False))
    model = copy.deepcopy(base.model.model)
    add_low_rank(model, llama_layers(model, 0), rank=about.rank, scale=about.alpha / about.rank, seed=0)
    torch.manual_seed(0)
    for name, value in model.named_parameters():
        if name.endswith("lora_B"):
            value.data = torch.randn_like(value)
    write_adapter(model, folder)
    about.write(folder)
    return folder


@pytest.fixture(scope="session")
def flan_in_training(tiny_t5):
    """A tiny T5 with random low-rank updates beside its layers."""
    import torch
    from transformers import T5ForConditionalGeneration

    from core.models.networks.low_rank import add_low_rank, t5_layers

    model: Any = T5ForConditionalGeneration.from_pretrained(tiny_t5)
    add_low_rank(model, t5_layers(model), rank=2, scale=0.5, seed=0)
    torch.manual_seed(0)
    for name, value in model.named_parameters():
        if "lora" in name:
            # As they are kept: in half precision.
            value.data = torch.randn_like(value).half().float()
    return model.eval()


@pytest.fixture
def flan_adapter(tiny_t5, flan_in_training, tmp_path_factory, monkeypatch):
    """A folder with these updates; their base stands in the place of FLAN-T5-small."""
    from core.headlines.hub import FlanT5Adapter
    from core.models.networks.flan_t5 import NAME
    from core.models.networks.low_rank import write_adapter

    stand_for_flan_t5(monkeypatch, tiny_t5)
    folder = tmp_path_factory.mktemp("flan_adapter")
    write_adapter(flan_in_training, folder)
    FlanT5Adapter(base=NAME, rank=2, alpha=1.0, article_tokens=60, headline_tokens=20).write(folder)
    return folder


@pytest.fixture(scope="session")
def make():
    def written(headlines, references=None, articles=None, **more):
        n = len(headlines)
        references = [[]] * n if references is None else references
        articles = [""] * n if articles is None else articles
        return MetricInput(headlines=headlines, references=references, articles=articles, **more)

    return written


@pytest.fixture(scope="session")
def real(shared):
    """The items of the SemEval-2024 file with two systems' headlines."""
    with gzip.open(shared / "data/numeval2024/dev_headlines_two_systems.csv.gz", "rt", encoding="utf-8") as f:
        return list(csv.DictReader(f))


LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
SHAPE = {
    "num_hidden_layers": 3,
    "max_position_embeddings": 66,
    "initializer_range": 0.5,  # large weights, so that context matters
}


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory):
    """A three-layer BERT of width 16 with random weights that cuts words into pieces."""
    from transformers import BertTokenizer

    folder = tmp_path_factory.mktemp("tiny_bert")
    words = ["bank", "cuts", "rate", "storm", "hits", "coast", "the", "##s", ",", ".", "!"]
    pieces = [*SPECIAL, *words, *LETTERS]
    pieces += [f"##{sign}" for sign in LETTERS if sign != "s"]
    vocabulary = {piece: i for i, piece in enumerate(pieces)}
    BertTokenizer(vocab=vocabulary, model_max_length=64).save_pretrained(folder)
    save_network(folder, "bert", len(pieces), **SHAPE)
    return folder
