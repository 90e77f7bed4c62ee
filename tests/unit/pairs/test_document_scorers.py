"""The scorers of Dialogue 2021 against what they are made of: word vectors, a linear map, clusters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from core.arrays import Float32Array
from core.errors import InputError
from core.pairs.scorer import PairContext, ScoreScale
from core.pairs.scorers.baselines import Clustered
from core.pairs.scorers.cosine import Cosine, FastText, _word_vectors, documents, linear_map
from core.runtime import Runtime
from core.text.tokens import tokenize

TEXTS = ["storm shuts the airport", "bank raises rates", "storm at the airport", "rates raised by 39.8 %"]
BODIES = ["Flights were cancelled.", "", "Planes stay on the ground.", "Loans cost more."]


def context(size: int = 0, bodies: list[str] | None = None) -> PairContext:
    if not size:
        return PairContext(TEXTS, np.full(4, np.nan), np.empty((4, 0), np.float32), bodies=bodies or ())
    vectors = np.random.default_rng(1).normal(size=(size, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return PairContext([f"headline {row}" for row in range(size)], np.full(size, np.nan), vectors)


def whole(scorer: FastText | Cosine | Clustered, given: PairContext) -> Float32Array:
    every = slice(0, len(given))
    return scorer.prepare(given, Runtime()).block(every, every)


def test_an_article_follows_its_headline_as_far_as_asked() -> None:
    given = context(bodies=BODIES)
    assert documents(given, 0) == TEXTS
    assert documents(given, 7) == [
        f"{TEXTS[0]}. Flights",
        TEXTS[1],
        f"{TEXTS[2]}. Planes ",
        f"{TEXTS[3]}. Loans c",
    ]
    assert documents(context(), 7) == TEXTS


def test_fasttext_is_the_cosine_of_average_maximum_and_minimum() -> None:
    words = _word_vectors(tuple(sorted(TEXTS)), 12, 5)
    pooled = []
    for text in TEXTS:
        each = np.stack([words["_".join(token.form.split())] for token in tokenize(text)])
        pooled.append(np.concatenate([each.mean(0), each.max(0), each.min(0)]))
    rows = np.array(pooled) / np.linalg.norm(pooled, axis=1, keepdims=True)
    np.testing.assert_allclose(
        whole(FastText(dimensions=12, epochs=5), context()), np.clip(rows @ rows.T, 0, 1), atol=1e-6
    )


def test_clusters_are_those_of_scipy() -> None:
    given = context(40)
    distance = 1 - whole(Cosine(), given).astype(np.float64)
    np.fill_diagonal(distance, 0)
    expected = 1 - squareform(cophenet(linkage(squareform(distance, checks=False), "average")))
    np.testing.assert_allclose(whole(Clustered(base="cosine"), given), expected, atol=1e-5)


def test_clusters_of_too_many_headlines_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_DENSE_HEADLINES", "39")
    with pytest.raises(InputError, match="all pairs of 40 headlines"):
        Clustered(base="cosine").prepare(context(40), Runtime())


def test_the_map_learns_which_headline_an_article_has() -> None:
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


def test_a_scorer_without_a_scale_of_0_to_1_cannot_be_clustered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cosine, "scale", ScoreScale(low=-1.0))
    with pytest.raises(InputError, match="no tree"):
        Clustered(base="cosine")
