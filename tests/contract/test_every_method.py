"""Every registered method can be imported, says what it is, and has a signature that reads back."""

import dataclasses

import pytest

from core.maps.projector import projectors
from core.models.encoders.encoder import encoders
from core.pairs.scorer import pair_scorers
from core.text.tokens import word_list
from research.catalogue import REGISTRIES, left_out, summary_of

KEPT = {
    encoders.kind: "minilm.v1 transformers_encoder.v1 use_multilingual.v1",
    projectors.kind: "pca.v1 umap.v1 umap_direct.v1",
    pair_scorers.kind: """
    annotators.v1 calibrated.v1 catboost_pairs.v1 char_overlap.v1 cosine.v1 cosine_time.v1
    event_blend.v3 event_pair.v1 event_similarity.v1 finetuned.v1 finetuned_content.v1 finetuned_day_prefix.v1
    finetuned_time.v1 headline_swap.v1 levenshtein.v1 lsa.v1 mrpc_zero_shot.v1 pair_classifier.v1
    perplexity.v1 siamese.v1 siamese_pooled.v1 static_embeddings.v1 symmetric.v1
    tfidf.v1 time_only.v1 token_overlap.v1 with_time.v1
    """,
}
"""Names that are there at least: one that vanishes breaks links, signatures and saved settings."""


def test_no_file_is_left_out():
    assert left_out() == []


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_every_method_says_what_it_is(registry):
    assert set(registry.names()) >= set(word_list(KEPT.get(registry.kind, "")))
    for name in registry.names():
        recipe = registry.parse(name)
        assert summary_of(recipe), name
        assert "\n" not in summary_of(recipe), name
        signature = registry.signature(recipe)
        assert signature.startswith(name)
        assert registry.parse(signature) == recipe, name
        for field in dataclasses.fields(recipe):
            assert field.metadata.get("help"), f"{name} {field.name}"
