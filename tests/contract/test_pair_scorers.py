"""What every registered pair scorer promises."""

import dataclasses

import numpy as np
import pytest

from core.errors import ModelUnavailableError
from core.pairs.context import PairContext
from core.pairs.scorer import Need, pair_scorers
from core.runtime import Runtime
from core.text.tokens import word_list

NAMES = pair_scorers.names()
SIZE = 12
EVERYTHING = (slice(0, SIZE), slice(0, SIZE))

ARITHMETIC = word_list(
    """annotators calibrated char_overlap cosine cosine_time event_similarity levenshtein lsa
    static_embeddings symmetric tfidf time_only token_overlap with_time"""
)
"""Scorers without a neural network: their scores do not depend on how pairs are batched, but for rounding."""

WORDS = word_list(
    "crew returns after alarm senate bill market falls 3 % storm shuts airport NASA delays launch of the "
    "station's new module bank raises rates twice"
)


@pytest.fixture(scope="module", params=NAMES)
def scorer(request, tiny_gpt2):
    """Every scorer with its defaults; one whose weights are not on this machine is left out.

    Language models are small ones with random weights: every pair of the contract costs seconds else.
    """
    recipe = pair_scorers.get(request.param)()
    if "language_model" in {field.name for field in dataclasses.fields(recipe)}:
        recipe = dataclasses.replace(recipe, language_model=f"causal.v1|model:{tiny_gpt2}")
    try:
        recipe.prepare(context(0), Runtime())
    except ModelUnavailableError as error:
        pytest.skip(error.message)
    return recipe


def context(size=SIZE, seed=0):
    """Headlines with all that a scorer may need; every fifth has no date."""
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(size, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    days = random.uniform(16_000, 16_020, size)
    days[::5] = np.nan
    return PairContext(
        texts=[" ".join(random.choice(WORDS, 6)) for _ in range(size)],
        days=days,
        vectors=vectors,
        bodies=[" ".join(random.choice(WORDS, 30)) for _ in range(size)],
        annotators=random.integers(-1, 3, (size, 5)),
    )


def tolerance(scorer):
    """What rounding may change: networks compute in bfloat16 and pad by batch."""
    return 2e-6 if pair_scorers.name_of(scorer).removesuffix(".v1") in ARITHMETIC else 1e-2


def prepared(scorer, given):
    return scorer.prepare(given, Runtime())


def test_it_describes_itself(scorer):
    assert scorer.scale.low < scorer.threshold < scorer.scale.high
    assert scorer.needs <= set(Need)


@pytest.mark.slow
def test_pairs_and_blocks_of_any_size_agree(scorer):
    ready = prepared(scorer, context())
    whole = ready.block(*EVERYTHING)
    np.testing.assert_array_equal(prepared(scorer, context()).block(*EVERYTHING), whole)
    assert whole.shape == (SIZE, SIZE)
    assert whole.dtype == np.float32
    assert np.isfinite(whole).all()
    assert np.all((whole >= scorer.scale.low) & (whole <= scorer.scale.high))
    left, right = (part.ravel() for part in np.mgrid[0:SIZE, 0:SIZE])
    near = tolerance(scorer)
    np.testing.assert_allclose(ready.pairs(left, right).reshape(SIZE, SIZE), whole, atol=near)
    np.testing.assert_allclose(ready.block(slice(5, 6), slice(3, 8)), whole[5:6, 3:8], atol=near)
    if scorer.scale.symmetric:
        np.testing.assert_allclose(whole, whole.T, atol=near)


@pytest.mark.slow
def test_order_independence(scorer):
    given = context()
    order = np.random.default_rng(3).permutation(SIZE)
    straight = prepared(scorer, given).block(*EVERYTHING)
    shuffled = prepared(scorer, given.take(order)).block(*EVERYTHING)
    np.testing.assert_allclose(shuffled, straight[np.ix_(order, order)], atol=tolerance(scorer))


def test_fade_is_a_factor_for_any_two_shapes_that_broadcast(scorer):
    days = context(20).days
    fade = scorer.fade(days[:5, None], days[None, :])
    assert fade.shape == (5, 20)
    assert fade.dtype == np.float32
    assert np.all((fade >= 0) & (fade <= 1))
    assert np.all(fade[:, np.isnan(days)] == 1)
    assert np.all(fade[np.arange(5), np.arange(5)] == 1)
    np.testing.assert_array_equal(scorer.fade(days[None, :], days[:5, None]), fade)


def test_no_headline_and_one(scorer):
    ready = prepared(scorer, context(0))
    nothing = np.empty(0, np.int64)
    assert ready.pairs(nothing, nothing).shape == (0,)
    assert ready.pairs(nothing, nothing).dtype == np.float32
    assert ready.block(slice(0, 0), slice(0, 0)).shape == (0, 0)
    alone = prepared(scorer, context(1)).block(slice(0, 1), slice(0, 1))
    assert alone.shape == (1, 1)
    assert np.isfinite(alone).all()
