"""The simple scorers against their formulas and the libraries that they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from Levenshtein import ratio
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from core.arrays import Float32Array
from core.data.timelines import load
from core.errors import InputError, ModelUnavailableError
from core.pairs.features.overlap import FUNCTION_WORDS, WORD, word_vectors
from core.pairs.scorer import PairContext, PairScorer
from core.pairs.scorers import cosine
from core.pairs.scorers.baselines import Annotators, CharOverlap, Levenshtein, TokenOverlap
from core.pairs.scorers.cosine import embed
from core.runtime import Runtime

TEXTS = [
    "NASA delays spacewalk after ammonia leak",
    "Spacewalk delayed after NASA finds a leak of ammonia",
    "Bank raises rates for the third time",
    "BANK RAISES RATES",
    "Центробанк повысил ключевую ставку",
    "of the and",
    "!",
]
WORDS = ["bank", "rate", "storm", "rain", "vote", "crew", "leak", "deal", "fire", "court"]


def context(texts: list[str], annotators: np.ndarray | None = None) -> PairContext:
    nothing = np.empty((len(texts), 0), np.float32)
    if annotators is None:
        return PairContext(texts, np.full(len(texts), np.nan), nothing)
    return PairContext(texts, np.full(len(texts), np.nan), nothing, annotators=annotators)


def scores(scorer: PairScorer, texts: list[str]) -> Float32Array:
    return scorer.prepare(context(texts), Runtime()).block(slice(0, len(texts)), slice(0, len(texts)))


@given(st.lists(st.text(max_size=30), min_size=1, max_size=6))
def test_levenshtein_is_the_library_s_ratio(texts: list[str]) -> None:
    expected = [[ratio(a, b) for b in texts] for a in texts]
    np.testing.assert_allclose(scores(Levenshtein(), texts), expected, atol=1e-6)


def test_char_overlap_is_dice_of_trigrams() -> None:
    counter = CountVectorizer(analyzer="char", ngram_range=(3, 3), binary=True, lowercase=False)
    plain = [" ".join(text.casefold().split()) for text in TEXTS[:6]]
    has = counter.fit_transform(plain).toarray()
    shared, sizes = has @ has.T, has.sum(axis=1)
    np.testing.assert_allclose(
        scores(CharOverlap(), TEXTS[:6]), 2 * shared / (sizes[:, None] + sizes[None, :]), atol=1e-6
    )


def test_token_overlap_is_jaccard() -> None:
    found = scores(TokenOverlap(), TEXTS)
    # nasa delay spacewalk ammonia leak; find is the only word that one of the two lacks.
    assert found[0, 1] == pytest.approx(5 / 6)
    assert found[2, 3] == pytest.approx(3 / 5)  # third and time are not shared
    assert found[5, 5] == 0  # nothing but function words
    assert scores(TokenOverlap(function_words=True), TEXTS)[5, 5] == 1


@pytest.mark.parametrize("name", load.names())
def test_word_vectors_are_scikit_learn_s_to_the_bit(name: str) -> None:
    texts = load.load_sample(name).texts
    function_words = sorted(FUNCTION_WORDS)
    vectorizer = TfidfVectorizer(
        sublinear_tf=True, stop_words=function_words, token_pattern=WORD, dtype=np.float32
    )
    theirs, ours = vectorizer.fit_transform(texts), word_vectors(texts)
    assert ours.shape == theirs.shape
    assert (ours != theirs).nnz == 0


def test_static_embeddings_are_the_library_s() -> None:
    from wordllama.inference import WordLlamaInference

    pieces, table = cosine._model("")
    # The library turns padding on in the tokenizer that it is given.
    library = WordLlamaInference(table, type(pieces.tokenizer).from_str(pieces.tokenizer.to_str()))
    np.testing.assert_allclose(embed(TEXTS), library.embed(TEXTS, norm=True), atol=1e-6)


def test_damaged_embeddings_are_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("wordllama")
    (folder / "l2_supercat_256.safetensors").write_bytes(b"no weights")
    monkeypatch.setattr(cosine, "locate", lambda name: folder)
    cosine._model.cache_clear()
    try:
        with pytest.raises(ModelUnavailableError, match="cannot be read"):
            embed(["Rain"])
    finally:
        cosine._model.cache_clear()


@given(
    st.integers(1, 4).flatmap(
        lambda people: st.lists(
            st.lists(st.integers(-1, 2), min_size=people, max_size=people), min_size=1, max_size=6
        )
    )
)
def test_annotators_are_counted(rows: list[list[int]]) -> None:
    groups = np.array(rows, dtype=np.int64)
    given_context = context(["a"] * len(rows), groups)
    everything = slice(0, len(rows))
    found = Annotators().prepare(given_context, Runtime()).block(everything, everything)
    for i, first in enumerate(rows):
        for j, second in enumerate(rows):
            both = [(a, b) for a, b in zip(first, second, strict=True) if a >= 0 and b >= 0]
            expected = sum(a == b for a, b in both) / len(both) if both else 0.0
            assert found[i, j] == pytest.approx(expected)
    alone = Annotators(annotator=1).prepare(given_context, Runtime()).block(everything, everything)
    person = groups[:, 0]
    np.testing.assert_array_equal(alone, (person[:, None] == person[None, :]) & (person[:, None] >= 0))


def test_annotators_that_are_not_there() -> None:
    with pytest.raises(InputError, match="Nobody annotated"):
        Annotators().prepare(context(["a"]), Runtime())
    with pytest.raises(InputError, match="no annotator 3: 2 annotated"):
        Annotators(annotator=3).prepare(context(["a"], np.zeros((1, 2), np.int64)), Runtime())
