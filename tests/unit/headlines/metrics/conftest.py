"""Real headlines with references, and tiny encoders with random weights."""

import csv
import gzip

import pytest

from core.headlines.metrics.metric import MetricInput
from tests.tiny_models import SPECIAL, save_network


def written(headlines, references=None, articles=None, **more):
    """Headlines without references and articles where none are given."""
    n = len(headlines)
    return MetricInput(
        headlines=headlines,
        references=[[]] * n if references is None else references,
        articles=[""] * n if articles is None else articles,
        **more,
    )


@pytest.fixture(scope="session")
def make():
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
