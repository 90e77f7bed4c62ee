"""Scores of the scorers that know time, against their formulas, pair by pair."""

import math

import numpy as np
import pytest

from core.pairs.context import PairContext
from core.pairs.scorers.event_similarity import LEAST_NEIGHBOURHOOD, SAME_EVENT, EventSimilarity
from core.runtime import Runtime
from core.text.word_vectors import word_vectors

WORDS = ["storm", "airport", "closes", "bank", "raises", "rates", "rocket", "starts", "minister", "resigns"]
WORDS += ["fire", "museum"]
EVERYTHING = (slice(0, 30), slice(0, 30))


def context(seed=0):
    random = np.random.default_rng(seed)
    kinds = random.integers(0, 6, 30)
    vectors = random.normal(size=(6, 8))[kinds] + random.normal(0, 0.4, (30, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [
        " ".join([WORDS[2 * kind], WORDS[2 * kind + 1], *random.choice(WORDS, 2)]) for kind in kinds.tolist()
    ]
    days = random.uniform(18_000, 18_012, 30)
    days[random.random(30) < 0.15] = np.nan
    return PairContext(texts, days, vectors.astype(np.float32))


def plain(scorer, given):
    n = len(given)
    words = word_vectors(given.texts).toarray().astype(np.float64)
    vectors = given.vectors.astype(np.float64)
    blend = (1 - scorer.lexical) * vectors @ vectors.T + scorer.lexical * words @ words.T
    fade, inside = np.ones((n, n)), np.ones((n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            gap = abs(np.floor(given.days[i]) - np.floor(given.days[j]))
            apart = 0 if math.isnan(gap) else gap
            fade[i, j] = math.exp(-apart / scorer.tau_days)
            inside[i, j] = apart <= scorer.window_days
    event = np.count_nonzero((blend * fade >= SAME_EVENT) & inside) / n
    k = min(n - 1, max(scorer.nearest, int(scorer.per_event * event)))
    near = np.array([np.mean(sorted(np.delete(blend[i], i))[-k:]) for i in range(n)])
    near = np.maximum(near, LEAST_NEIGHBOURHOOD)
    weight = (near / near.mean()) ** (-scorer.strength / 2)
    return np.clip(blend * weight[:, None] * weight[None, :] * fade, 0, 1)


@pytest.mark.parametrize(
    "scorer",
    [
        EventSimilarity(),
        EventSimilarity(nearest=2, per_event=1.5),
        EventSimilarity(lexical=1.0, strength=2.0, tau_days=1.0, window_days=3.0, nearest=1, per_event=3.0),
        EventSimilarity(lexical=0.0, strength=0.0),
    ],
)
def test_event_similarity_is_its_formula(scorer):
    given = context()
    found = scorer.prepare(given, Runtime()).block(*EVERYTHING)
    np.testing.assert_allclose(found, plain(scorer, given), atol=1e-5)


GERMAN = ["Zentralbank hebt die Zinsen wieder an", "Ein Sturm schließt den Flughafen von Hamburg"]
ENGLISH = ["Central bank raises rates again for savers", "Rocket starts from the desert with a crew of three"]


def test_words_are_not_missed_across_languages():
    texts = [*GERMAN, *ENGLISH] * 4
    vectors = np.eye(4, 8, dtype=np.float32)[[0, 1, 0, 3] * 4]
    days = np.full(16, 18_000.0)
    scorer = EventSimilarity(strength=0.0)
    scores = scorer.prepare(PairContext(texts, days, vectors), Runtime()).block(slice(0, 16), slice(0, 16))
    assert scores[0, 2] == pytest.approx(1.0)  # the same said in German and in English
    assert scores[0, 1] < 0.1
    names = [part.name for part in scorer.parts(PairContext(texts, days, vectors), 0, 2, 1.0)]
    assert "shared words" not in names
    # In one language other words still tell events apart.
    english = PairContext([ENGLISH[0], ENGLISH[1]] * 4, days[:8], np.eye(1, 8, dtype=np.float32)[[0] * 8])
    assert scorer.prepare(english, Runtime()).block(slice(0, 1), slice(1, 2))[0, 0] < 0.8


def test_parts_make_the_score():
    scorer, given = EventSimilarity(), context()
    scores = scorer.prepare(given, Runtime()).block(*EVERYTHING)
    made = 0
    for left, right in zip(*np.nonzero((scores > 0) & (scores < 1)), strict=True):
        if left == right:
            continue
        meaning, words, neighbourhood, time = scorer.parts(
            given, int(left), int(right), float(scores[left, right])
        )
        blend = (1 - scorer.lexical) * meaning.value + scorer.lexical * words.value
        assert blend * neighbourhood.value * time.value == pytest.approx(scores[left, right], rel=1e-4)
        assert 0.2 < neighbourhood.value < 5
        made += 1
    assert made > 100
