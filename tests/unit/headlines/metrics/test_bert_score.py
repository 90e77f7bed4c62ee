"""BERTScore against the bert-score library on the same model, and by hand."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import bert_score
import numpy as np
import pytest
from bert_score.utils import model2layers

from core.errors import InputError, ModelUnavailableError
from core.headlines.metrics.contextual import LAYERS, BertScore, layer_of, match
from core.headlines.metrics.metric import MetricInput, headline_metrics
from core.models.networks.token_states import Tokens
from core.runtime import Runtime

HEADLINES = ["bank cuts rates", "the storm hits!", "a storm", "bank cuts rates", "coast, 1,200 hits"]
REFERENCES = [
    ["the bank cuts rate"],
    ["storm hits the coast", "a storm"],
    ["bank cuts rates"],
    ["bank cuts rates"],
    ["the coast hits", "1200 hits", "bank."],
]
WRITTEN = MetricInput(headlines=HEADLINES, references=REFERENCES, articles=[""] * 5)


def by_library(folder: Path, layer: int, idf: bool) -> np.ndarray:
    found = bert_score.score(
        HEADLINES, REFERENCES, model_type=str(folder), num_layers=layer, idf=idf, nthreads=0, device="cpu"
    )
    return np.stack([column.numpy() for column in found], axis=1)


def by_us(folder: Path, layer: int, idf: bool, written: MetricInput = WRITTEN) -> np.ndarray:
    metric = BertScore(encoder=str(folder), layer=layer, idf=idf)
    return metric.values(metric.statistics(written, Runtime()))


@pytest.mark.parametrize("idf", [False, True])
@pytest.mark.parametrize("layer", [3, 1])
def test_is_the_librarys_on_bert(tiny_bert: Path, layer: int, idf: bool) -> None:
    np.testing.assert_allclose(by_us(tiny_bert, layer, idf), by_library(tiny_bert, layer, idf), atol=2e-6)


@pytest.mark.parametrize("idf", [False, True])
def test_is_the_librarys_on_roberta(tiny_roberta: Path, idf: bool) -> None:
    """transformers 5 forgets the space that bert-score asks for: it is asked where the tokenizer adds it."""
    ours = by_us(tiny_roberta, 2, idf)
    if '"add_prefix_space": true' in (tiny_roberta / "tokenizer_config.json").read_text():
        np.testing.assert_allclose(ours, by_library(tiny_roberta, 2, idf), atol=2e-6)
    else:
        spaced = MetricInput(
            headlines=[f" {one}" for one in HEADLINES], references=REFERENCES, articles=WRITTEN.articles
        )
        np.testing.assert_allclose(by_us(tiny_roberta, 2, idf, spaced), ours, atol=2e-6)
        assert np.abs(ours - by_library(tiny_roberta, 2, idf)).max() > 1e-3


def test_layers_of_known_models_are_bert_scores() -> None:
    assert {name: model2layers[name] for name in LAYERS} == LAYERS
    assert layer_of("roberta-large", 0) == layer_of("FacebookAI/roberta-large", 0) == 17
    assert layer_of("roberta-large", 3) == 3
    assert layer_of("minilm", 0) == 0


def by_hand(*rows: tuple[int, list[float]]) -> tuple[Tokens, np.ndarray]:
    tokens = Tokens(tuple(i for i, _ in rows), tuple(range(len(rows))), tuple("x" for _ in rows))
    return tokens, np.array([vector for _, vector in rows], dtype=np.float32)


def test_match_by_hand() -> None:
    """Two tokens against one and a half: cosines 1, 0 | 0.6, 0.8."""
    ours, our_vectors = by_hand((1, [1.0, 0.0]), (2, [0.6, 0.8]))
    theirs, their_vectors = by_hand((1, [1.0, 0.0]), (3, [0.0, 1.0]))
    pair = (ours, our_vectors, theirs, their_vectors)
    np.testing.assert_allclose(match(pair, defaultdict(lambda: 1.0)), [0.9, 0.9, 0.9], atol=1e-6)
    weighted = match(pair, {1: 3.0, 2: 1.0, 3: 0.0})
    np.testing.assert_allclose(weighted, [0.95, 1.0, 2 * 0.95 / 1.95], atol=1e-6)
    assert np.isnan(match(pair, defaultdict(float))).all()


def test_names_and_labels_name_the_encoder(tiny_bert: Path) -> None:
    """A folder is called a folder, whatever its name."""
    for encoder, label, name in (
        ("minilm", "all-MiniLM-L6-v2", "minilm"),
        ("FacebookAI/roberta-large", "FacebookAI/roberta-large", "facebookai_roberta_large"),
        (str(tiny_bert), f"folder {tiny_bert.name}", tiny_bert.name),
    ):
        columns = BertScore(encoder=encoder).columns
        assert [column.label for column in columns] == [
            f"BERTScore {what} ({label})" for what in ("precision", "recall", "F1")
        ]
        assert [column.name for column in columns] == [f"bert_score_{end}_{name}" for end in ("p", "r", "f1")]
    assert "not rescaled" in BertScore().signature_text()
    assert "not on this machine" in BertScore(encoder="roberta-large").signature_text()


def test_what_cannot_be_is_refused(tiny_bert: Path, tmp_path: Path, make) -> None:
    given = make(["a"], [["a"]])
    with pytest.raises(ModelUnavailableError, match="roberta-large"):
        BertScore(encoder="roberta-large").statistics(given, Runtime())
    with pytest.raises(ModelUnavailableError, match="3 layers, not 4"):
        BertScore(encoder=str(tiny_bert), layer=4).statistics(given, Runtime())
    for signature in ("bert_score|encoder:", "bert_score|layer:-1"):
        with pytest.raises(InputError):
            headline_metrics.parse(signature)
    with pytest.raises(ModelUnavailableError, match="not a model"):
        BertScore(encoder=str(tmp_path)).statistics(given, Runtime())


def test_a_model_that_writes_is_refused(tiny_bert: Path, tmp_path: Path, make) -> None:
    from transformers import BartConfig, BartModel

    shape = dict.fromkeys(("encoder_layers", "decoder_layers", "encoder_attention_heads"), 1)
    BartModel(
        BartConfig(vocab_size=60, d_model=16, encoder_ffn_dim=16, decoder_ffn_dim=16, **shape)
    ).save_pretrained(tmp_path)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((tiny_bert / name).read_bytes())
    with pytest.raises(ModelUnavailableError, match="no vectors of words"):
        BertScore(encoder=str(tmp_path)).statistics(make(["a"], [["a"]]), Runtime())
