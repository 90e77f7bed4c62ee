"""Candidate pairs: the blocked product against a plain double loop."""

import math
import threading
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from core import limits
from core.errors import Cancelled, InputError
from core.pairs import candidates
from core.pairs.candidates import score_candidates
from core.pairs.context import PairContext
from core.pairs.scorer import PairByPair, PairScorer, PreparedScorer, ScoreScale
from core.pairs.scorers.cosine import Cosine, CosineTime
from core.runtime import Runtime


def context(size, seed=0, *, undated=0.2, span=60.0):
    random = np.random.default_rng(seed)
    vectors = random.normal(0.3, 1.0, size=(size, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    days = random.uniform(16_000, 16_000 + span, size)
    days[random.random(size) < undated] = np.nan
    return PairContext([f"headline {row}" for row in range(size)], days, vectors)


def reference(given, tau, window):
    size = len(given)
    scores = np.eye(size)
    for i in range(size):
        for j in range(size):
            if i == j:
                continue
            apart = abs(given.days[i] - given.days[j])
            cosine = min(max(float(np.dot(given.vectors[i], given.vectors[j])), 0.0), 1.0)
            if math.isnan(apart):
                scores[i, j] = cosine
            elif apart <= window:
                scores[i, j] = cosine * math.exp(-apart / tau)
    return scores


@pytest.mark.parametrize("window", [0.0, 3.0, 14.0, 1_000.0])
@pytest.mark.parametrize("undated", [0.0, 0.3, 1.0])
def test_dense_equals_double_loop(window, undated, monkeypatch, runtime):
    monkeypatch.setattr(candidates, "_ROWS", 7)
    monkeypatch.setattr(candidates, "_COLUMNS", 11)
    given = context(60, undated=undated)
    found = score_candidates(CosineTime(tau_days=5.0, window_days=window), given, runtime)
    assert found.is_dense
    assert found.matrix.dtype == np.float32
    np.testing.assert_allclose(found.matrix, reference(given, 5.0, window), atol=2e-6)
    np.testing.assert_array_equal(found.matrix, found.matrix.T)
    np.testing.assert_array_equal(np.diag(found.matrix), 1.0)


@settings(max_examples=40)
@given(size=st.integers(0, 40), seed=st.integers(0, 999), undated=st.sampled_from([0.0, 0.2, 1.0]))
def test_sparse_holds_the_dense_pairs_above_the_floor(size, seed, undated):
    given = context(size, seed, undated=undated)
    scorer = CosineTime(window_days=10.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "_ROWS", 5)
        patch.setattr(candidates, "_COLUMNS", 6)
        dense = np.asarray(score_candidates(scorer, given, Runtime()).matrix)
        patch.setenv("HEADLINE_LAB_DENSE_HEADLINES", "1")
        sparse = score_candidates(scorer, given, Runtime(), floor=0.3)
    if size <= 1:
        assert sparse.is_dense
        return
    assert not sparse.is_dense
    kept = np.asarray(sparse.matrix.todense())
    assert kept.dtype == np.float32
    np.testing.assert_array_equal(kept, kept.T)
    np.testing.assert_array_equal(kept, np.where(dense >= 0.3, dense, 0.0))


def test_asymmetric_scores_are_averaged(runtime):
    @dataclass(frozen=True)
    class Asymmetric(PairScorer):
        summary: ClassVar[str] = ""
        scale: ClassVar[ScoreScale] = ScoreScale(symmetric=False)

        def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
            return PairByPair(9, lambda left, right: np.where(left < right, 0.2, 0.6).astype(np.float32))

    found = np.asarray(score_candidates(Asymmetric(), context(9), runtime).matrix)
    np.testing.assert_allclose(found[~np.eye(9, dtype=bool)], 0.4, atol=1e-7)


@pytest.mark.parametrize(("low", "high"), [(-0.5, 1.0), (0.0, 1.5)])
def test_scores_that_are_no_shares_are_refused(runtime, monkeypatch, low, high):
    monkeypatch.setattr(Cosine, "scale", ScoreScale(low=low, high=high))
    with pytest.raises(InputError, match=f"from {low} to {high}, not from 0 to 1"):
        score_candidates(Cosine(), context(3), runtime)


def test_too_many_pairs_are_refused(runtime, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_DENSE_HEADLINES", "1")
    monkeypatch.setenv(limits.CANDIDATE_PAIRS.variable, "10")
    with pytest.raises(InputError, match="More than 10 pairs"):
        score_candidates(Cosine(), context(50), runtime)


def test_progress_and_stop():
    seen: list[tuple[str, int, int]] = []
    score_candidates(Cosine(), context(10), Runtime(report=lambda *step: seen.append(step)))
    assert seen[-1][1] == seen[-1][2] > 0
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        score_candidates(Cosine(), context(10), Runtime(stop=stop))


def plain_pairs(given, floor):
    kept = {}
    for i in range(len(given)):
        for j in range(i + 1, len(given)):
            cosine = np.einsum("md,md->m", given.vectors[[i]], given.vectors[[j]])[0]
            if cosine >= np.float32(floor):
                kept[i, j] = float(cosine)
    return kept


@pytest.mark.parametrize("half", [True, False])
@pytest.mark.parametrize("floor", [0.3, 0.75])
def test_the_sieve_keeps_what_a_double_loop_keeps(half, floor, monkeypatch):
    monkeypatch.setattr(candidates, "in_half", lambda runtime: half)  # emulated where it does not
    given = context(70)
    sieve = candidates.Sieve(given.vectors, Runtime(half=half))
    left, right = sieve.may_reach(slice(0, 70), slice(0, 70), floor)
    left, right, cosines = sieve.reach(left[left < right], right[left < right], floor)
    assert dict(zip(zip(left, right, strict=True), cosines, strict=True)) == plain_pairs(given, floor)


@given(st.integers(0, 10_000))
@settings(max_examples=30)
def test_no_rounding_of_bfloat16_loses_a_pair(seed):
    random = np.random.default_rng(seed)
    vectors = random.normal(random.uniform(-1, 1), 1.0, (40, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rounded = torch.from_numpy(vectors).to(torch.bfloat16)
    off = (rounded @ rounded.T).float().numpy() - vectors @ vectors.T
    assert np.abs(off).max() < candidates.HALF_ERROR
