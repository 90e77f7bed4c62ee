"""The simple scorers against their formulas and the libraries that they stand for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from Levenshtein import ratio
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from core.arrays import Float32Array
from core.data.timelines import samples
from core.data.timelines.samples import load_sample
from core.errors import InputError
from core.pairs.context import PairContext
from core.pairs.features.documents import documents
from core.pairs.scorers import static_embeddings
from core.pairs.scorers.annotators import Annotators
from core.pairs.scorers.baselines import CharOverlap, Levenshtein, TokenOverlap
from core.pairs.scorers.clustered import Clustered
from core.pairs.scorers.cosine import Cosine
from core.pairs.scorers.fasttext import FastText, _word_vectors, linear_map
from core.pairs.scorers.static_embeddings import embed
from core.runtime import Runtime
from core.text.tokens import tokenize
from core.text.word_vectors import FUNCTION_WORDS, WORD, word_vectors

TEXTS = [
    "NASA delays spacewalk after ammonia leak", "Spacewalk delayed after NASA finds a leak of ammonia",
    "Bank raises rates for the third time", "BANK RAISES RATES", "Центробанк повысил ключевую ставку",
    "of the and", "!",
]  # fmt: skip


def context(texts, **more):
    return PairContext(texts, np.full(len(texts), np.nan), np.empty((len(texts), 0), np.float32), **more)


def whole(scorer, given):
    every = slice(0, len(given))
    return scorer.prepare(given, Runtime()).block(every, every)


def scores(scorer, texts):
    return whole(scorer, context(texts))


@given(st.lists(st.text(max_size=30), min_size=1, max_size=6))
def test_levenshtein_is_the_library_s_ratio(texts):
    expected = [[ratio(a, b) for b in texts] for a in texts]
    np.testing.assert_allclose(scores(Levenshtein(), texts), expected, atol=1e-6)


def test_char_overlap_is_dice_of_trigrams():
    counter = CountVectorizer(analyzer="char", ngram_range=(3, 3), binary=True, lowercase=False)
    plain = [" ".join(text.casefold().split()) for text in TEXTS[:6]]
    has = counter.fit_transform(plain).toarray()
    shared, sizes = has @ has.T, has.sum(axis=1)
    np.testing.assert_allclose(
        scores(CharOverlap(), TEXTS[:6]), 2 * shared / (sizes[:, None] + sizes[None, :]), atol=1e-6
    )


def test_token_overlap_is_jaccard():
    found = scores(TokenOverlap(), TEXTS)
    # nasa delay spacewalk ammonia leak; find is the only word that one of the two lacks.
    assert found[0, 1] == pytest.approx(5 / 6)
    assert found[2, 3] == pytest.approx(3 / 5)  # third and time are not shared
    assert found[5, 5] == 0  # nothing but function words
    assert scores(TokenOverlap(function_words=True), TEXTS)[5, 5] == 1


@pytest.mark.parametrize("name", samples.names())
def test_word_vectors_are_scikit_learn_s_to_the_bit(name):
    texts = load_sample(name).texts
    function_words = sorted(FUNCTION_WORDS)
    vectorizer = TfidfVectorizer(
        sublinear_tf=True, stop_words=function_words, token_pattern=WORD, dtype=np.float32
    )
    theirs, ours = vectorizer.fit_transform(texts), word_vectors(texts)
    assert ours.shape == theirs.shape
    assert (ours != theirs).nnz == 0


def test_static_embeddings_are_the_library_s():
    from wordllama.inference import WordLlamaInference

    pieces, table = static_embeddings._model("")
    # The library turns padding on in the tokenizer that it is given.
    library = WordLlamaInference(table, type(pieces.tokenizer).from_str(pieces.tokenizer.to_str()))
    np.testing.assert_allclose(embed(TEXTS), library.embed(TEXTS, norm=True), atol=1e-6)


def test_annotators_that_are_not_there():
    with pytest.raises(InputError, match="Nobody annotated"):
        Annotators().prepare(context(["a"]), Runtime())
    with pytest.raises(InputError, match="no annotator 3: 2 annotated"):
        Annotators(annotator=3).prepare(context(["a"], annotators=np.zeros((1, 2), np.int64)), Runtime())


ARTICLES = ["storm shuts the airport", "bank raises rates", "storm at the airport", "rates raised by 39.8 %"]


def vectors_alone(size):
    vectors = np.random.default_rng(1).normal(size=(size, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return PairContext([f"headline {row}" for row in range(size)], np.full(size, np.nan), vectors)


def test_an_article_follows_its_headline_as_far_as_asked():
    given = context(ARTICLES[:2], bodies=["Flights were cancelled.", ""])
    assert documents(given, 0) == ARTICLES[:2]
    assert documents(given, 7) == [f"{ARTICLES[0]}. Flights", ARTICLES[1]]
    assert documents(context(ARTICLES), 7) == ARTICLES


def test_fasttext_is_the_cosine_of_average_maximum_and_minimum():
    words = _word_vectors(ARTICLES, 12, 5)
    pooled = []
    for text in ARTICLES:
        each = np.stack([words["_".join(token.form.split())] for token in tokenize(text)])
        pooled.append(np.concatenate([each.mean(0), each.max(0), each.min(0)]))
    rows = np.array(pooled) / np.linalg.norm(pooled, axis=1, keepdims=True)
    found = scores(FastText(dimensions=12, epochs=5), ARTICLES)
    np.testing.assert_allclose(found, np.clip(rows @ rows.T, 0, 1), atol=1e-6)


def test_clusters_are_those_of_scipy():
    given = vectors_alone(40)
    distance = 1 - whole(Cosine(), given).astype(np.float64)
    np.fill_diagonal(distance, 0)
    expected = 1 - squareform(cophenet(linkage(squareform(distance, checks=False), "average")))
    np.testing.assert_allclose(whole(Clustered(base="cosine"), given), expected, atol=1e-5)


def test_clusters_of_too_many_headlines_are_refused(monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DENSE_HEADLINES", "39")
    with pytest.raises(InputError, match="all pairs of 40 headlines"):
        Clustered(base="cosine").prepare(vectors_alone(40), Runtime())


@pytest.mark.slow
def test_the_map_learns_which_headline_an_article_has():
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(80, 6))
    titles, articles = (
        np.hstack([shared, 3 * rng.normal(size=(80, 4))]).astype(np.float32) for _ in range(2)
    )

    def found(learned: Float32Array) -> float:
        first, second = (side @ learned for side in (titles, articles))
        second /= np.linalg.norm(second, axis=1, keepdims=True)
        return float(((first @ second.T).argmax(1) == np.arange(80)).mean())

    assert found(np.eye(10, dtype=np.float32)) < 0.2
    assert found(linear_map(titles, articles, Runtime())) > 0.5
