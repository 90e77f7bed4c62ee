"""Which pair scorers there are at least: a name that vanishes breaks links, signatures and saved settings."""

from core.pairs.scorer import pair_scorers
from core.text.tokens import word_list

NAMES = word_list(
    """
    annotators.v1 calibrated.v1 catboost_pairs.v1 char_overlap.v1 cosine.v1 cosine_time.v1
    event_blend.v3 event_pair.v1 event_similarity.v1 finetuned.v1 finetuned_content.v1 finetuned_day_prefix.v1
    finetuned_time.v1 headline_swap.v1 levenshtein.v1 lsa.v1 mrpc_zero_shot.v1 pair_classifier.v1
    perplexity.v1 siamese.v1 siamese_pooled.v1 static_embeddings.v1 symmetric.v1
    tfidf.v1 time_only.v1 token_overlap.v1 with_time.v1
    """
)


def test_no_name_has_vanished():
    assert set(pair_scorers.names()) >= set(NAMES)
