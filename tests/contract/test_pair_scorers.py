"""What every registered pair scorer promises."""

from __future__ import annotations

import numpy as np
import pytest

from core.pairs.scorer import PairContext, PairScorer, pair_scorers
from core.runtime import Runtime

NAMES = pair_scorers.names()


@pytest.fixture(params=NAMES)
def scorer(request: pytest.FixtureRequest) -> PairScorer:
    return pair_scorers.get(request.param)()


def context(size: int, seed: int = 0) -> PairContext:
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(size, 16)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    days = random.uniform(16_000, 16_020, size)
    days[::5] = np.nan
    words = np.array(["crew", "returns", "after", "alarm", "senate", "bill", "market", "falls", "3", "%"])
    texts = [" ".join(random.choice(words, 6)) for _ in range(size)]
    return PairContext(texts, days, vectors)


def test_golden_list() -> None:
    assert {"cosine.v1", "cosine_time.v1"} <= set(NAMES)


def test_summary_is_one_line(scorer: PairScorer) -> None:
    assert scorer.summary
    assert "\n" not in scorer.summary


def test_signature_reads_back(scorer: PairScorer) -> None:
    assert pair_scorers.parse(pair_scorers.signature(scorer)) == scorer


def test_shape_type_and_range(scorer: PairScorer) -> None:
    prepared = scorer.prepare(context(20), Runtime())
    block = prepared.block(slice(2, 9), slice(0, 20))
    assert block.shape == (7, 20)
    assert block.dtype == np.float32
    assert np.all((block >= scorer.scale.low) & (block <= scorer.scale.high))


def test_pairs_and_blocks_of_any_size_agree(scorer: PairScorer) -> None:
    prepared = scorer.prepare(context(20), Runtime())
    whole = prepared.block(slice(0, 20), slice(0, 20))
    left, right = (part.ravel() for part in np.mgrid[0:20, 0:20])
    np.testing.assert_allclose(prepared.pairs(left, right).reshape(20, 20), whole, atol=2e-6)
    np.testing.assert_allclose(prepared.block(slice(5, 6), slice(3, 8)), whole[5:6, 3:8], atol=2e-6)


def test_symmetry_where_declared(scorer: PairScorer) -> None:
    if scorer.scale.symmetric:
        whole = scorer.prepare(context(20), Runtime()).block(slice(0, 20), slice(0, 20))
        np.testing.assert_allclose(whole, whole.T, atol=2e-6)


def test_order_independence(scorer: PairScorer) -> None:
    given = context(20)
    order = np.random.default_rng(3).permutation(20)
    everything = (slice(0, 20), slice(0, 20))
    straight = scorer.prepare(given, Runtime()).block(*everything)
    shuffled = scorer.prepare(given.reordered(order), Runtime()).block(*everything)
    np.testing.assert_allclose(shuffled, straight[np.ix_(order, order)], atol=2e-6)


def test_fade_is_a_factor_for_any_two_shapes_that_broadcast(scorer: PairScorer) -> None:
    days = context(20).days
    fade = scorer.fade(days[:5, None], days[None, :])
    assert fade.shape == (5, 20)
    assert fade.dtype == np.float32
    assert np.all((fade >= 0) & (fade <= 1))
    assert np.all(fade[:, np.isnan(days)] == 1)
    assert np.all(fade[np.arange(5), np.arange(5)] == 1)
    np.testing.assert_array_equal(scorer.fade(days[None, :], days[:5, None]), fade)


def test_nothing_in_nothing_out(scorer: PairScorer) -> None:
    prepared = scorer.prepare(context(0), Runtime())
    nothing = np.empty(0, np.int64)
    assert prepared.pairs(nothing, nothing).shape == (0,)
    assert prepared.pairs(nothing, nothing).dtype == np.float32
    assert prepared.block(slice(0, 0), slice(0, 0)).shape == (0, 0)


def test_same_answer_twice(scorer: PairScorer) -> None:
    everything = (slice(0, 20), slice(0, 20))
    once, again = (scorer.prepare(context(20), Runtime()).block(*everything) for _ in range(2))
    np.testing.assert_array_equal(once, again)
