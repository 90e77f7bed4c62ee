"""Figures of pairs are those of sentence-transformers' evaluators on the same pairs."""

import types

import numpy as np
import pytest

from core.data.pair_sets.load import load_pair_set
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.pairs.metrics import best_f1, pair_quality
from core.pairs.scorer import pair_scorers
from core.pairs.scoring import score_pairs
from core.runtime import Runtime

evaluation = pytest.importorskip("sentence_transformers.sentence_transformer.evaluation")
crossed = pytest.importorskip("sentence_transformers.cross_encoder.evaluation")


def iss(scorer):
    pairs = load_pair_set("iss")
    scores = score_pairs(pairs, pair_scorers.parse(scorer), Runtime(), encoder="minilm").scores
    sides = [[pairs.texts[row] for row in side.tolist()] for side in (pairs.left, pairs.right)]
    return sides, (pairs.labels == 1).astype(int).tolist(), scores


def agrees(theirs, labels, scores, *, precision="average_precision"):
    ours = pair_quality(labels, scores, theirs["f1_threshold"])
    assert best_f1(labels, scores) == pytest.approx(theirs["f1"], abs=1e-6)
    for name in ("f1", "precision", "recall"):
        assert ours[name].value == pytest.approx(theirs[name], abs=1e-6)
    assert ours["average_precision"].value == pytest.approx(theirs[precision], abs=1e-6)


def test_an_encoders_pairs_have_the_figures_of_binary_classification():
    (left, right), labels, scores = iss("cosine")
    texts = sorted({*left, *right})
    vectors = dict(zip(texts, encode_cached(texts, encoders.parse("minilm"), Runtime()), strict=True))
    model = types.SimpleNamespace(encode=lambda given, **_: np.stack([vectors[text] for text in given]))
    how = {"similarity_fn_names": ["cosine"], "write_csv": False}
    evaluator = evaluation.BinaryClassificationEvaluator(left, right, labels, **how)
    agrees(evaluator.compute_metrics(model)["cosine"], labels, scores, precision="ap")


def test_a_pair_scorers_pairs_have_the_figures_of_cross_encoders():
    sides, labels, scores = iss("levenshtein")
    evaluator = crossed.CrossEncoderClassificationEvaluator(
        list(zip(*sides, strict=True)), labels, write_csv=False
    )
    model = types.SimpleNamespace(
        num_labels=1,
        predict=lambda pairs, **_: scores,
        model_card_data=types.SimpleNamespace(set_evaluation_metrics=lambda *_, **__: None),
    )
    agrees(evaluator(model), labels, scores)
