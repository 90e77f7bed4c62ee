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


def encoder_of(texts):
    """What an evaluator asks of an encoder, with vectors that ours has of these texts."""
    import torch
    from sentence_transformers.util import cos_sim

    vectors = dict(zip(texts, encode_cached(texts, encoders.parse("minilm"), Runtime()), strict=True))

    def encode(given, **_):
        return torch.from_numpy(np.stack([vectors[text] for text in given]))

    return types.SimpleNamespace(
        encode=encode, encode_query=encode, encode_document=encode,
        similarity=cos_sim, similarity_fn_name="cosine",
        model_card_data=types.SimpleNamespace(set_evaluation_metrics=lambda *_, **__: None),
    )  # fmt: skip


def test_an_encoders_pairs_have_the_figures_of_binary_classification():
    (left, right), labels, scores = iss("cosine")
    model = encoder_of(sorted({*left, *right}))
    binary = types.SimpleNamespace(encode=lambda given, **_: model.encode(given).numpy())
    how = {"similarity_fn_names": ["cosine"], "write_csv": False}
    evaluator = evaluation.BinaryClassificationEvaluator(left, right, labels, **how)
    agrees(evaluator.compute_metrics(binary)["cosine"], labels, scores, precision="ap")


def test_all_pairs_have_the_figures_of_paraphrase_mining():
    (left, right), labels, scores = iss("cosine")
    texts = {str(at): text for at, text in enumerate(sorted({*left, *right}))}
    names = {text: name for name, text in texts.items()}
    assert len(labels) == len(texts) * (len(texts) - 1) // 2, "every pair is one of the set"
    same = [(names[a], names[b]) for a, b, label in zip(left, right, labels, strict=True) if label]
    evaluator = evaluation.ParaphraseMiningEvaluator(texts, same, top_k=len(texts), write_csv=False)
    theirs = evaluator(encoder_of(list(texts.values())))
    assert best_f1(labels, scores) == pytest.approx(theirs["f1"], abs=1e-6)
    ours = pair_quality(labels, scores, theirs["threshold"])
    for name in ("f1", "precision", "recall", "average_precision"):
        assert ours[name].value == pytest.approx(theirs[name], abs=1e-6)


def test_the_pairs_of_each_headline_have_the_average_precision_of_information_retrieval():
    (left, right), labels, scores = iss("cosine")
    texts = sorted({*left, *right})
    asked, corpus = texts[::2], texts[1::2]
    of_query = {text: [] for text in asked}
    for pair in zip(left, right, labels, scores, strict=True):
        for query, other in (pair[:2], pair[1::-1]):
            if query in of_query and other in corpus:
                of_query[query].append((other, *pair[2:]))
    relevant = {query: {other for other, label, _ in own if label} for query, own in of_query.items()}
    evaluator = evaluation.InformationRetrievalEvaluator(
        dict(zip(asked, asked, strict=True)), dict(zip(corpus, corpus, strict=True)), relevant,
        map_at_k=[len(corpus)], write_csv=False,
    )  # fmt: skip
    theirs = evaluator(encoder_of(texts))
    ours = []
    for own in (own for query, own in of_query.items() if relevant[query]):
        _, said, likeness = zip(*own, strict=True)
        quality = pair_quality(np.array(said), np.array(likeness, dtype=np.float32), 0.5)
        ours.append(quality["average_precision"].value)
    assert np.mean(ours) == pytest.approx(theirs[f"cosine_map@{len(corpus)}"], abs=1e-6)


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
