"""Candidate pairs: the blocked product against a plain double loop."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from core import limits
from core import similarities as module
from core.errors import Cancelled, InputError
from core.pairs import candidates
from core.pairs.candidates import candidate_pairs, score_candidates
from core.pairs.scorer import PairByPair, PairContext, PairScorer, PreparedScorer, ScoreScale
from core.pairs.scorers.cosine import Cosine, CosineTime
from core.runtime import Runtime
from core.similarities import Similarities


def context(size: int, seed: int = 0, *, undated: float = 0.2, span: float = 60.0) -> PairContext:
    random = np.random.default_rng(seed)
    vectors = random.normal(0.3, 1.0, size=(size, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    days = random.uniform(16_000, 16_000 + span, size)
    days[random.random(size) < undated] = np.nan
    return PairContext([f"headline {row}" for row in range(size)], days, vectors)


def reference(given: PairContext, tau: float, window: float) -> np.ndarray:
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
def test_dense_equals_double_loop(
    window: float, undated: float, monkeypatch: pytest.MonkeyPatch, runtime: Runtime
) -> None:
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
def test_sparse_holds_the_dense_pairs_above_the_floor(size: int, seed: int, undated: float) -> None:
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


def test_asymmetric_scores_are_averaged(runtime: Runtime) -> None:
    @dataclass(frozen=True)
    class Asymmetric(PairScorer):
        summary: ClassVar[str] = ""
        scale: ClassVar[ScoreScale] = ScoreScale(symmetric=False)

        def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
            return PairByPair(9, lambda left, right: np.where(left < right, 0.2, 0.6).astype(np.float32))

    found = np.asarray(score_candidates(Asymmetric(), context(9), runtime).matrix)
    np.testing.assert_allclose(found[~np.eye(9, dtype=bool)], 0.4, atol=1e-7)


def test_scale_outside_0_to_1_is_refused(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cosine, "scale", ScoreScale(low=-1.0, high=1.0, symmetric=True))
    with pytest.raises(InputError, match="from 0 to 1"):
        score_candidates(Cosine(), context(3), runtime)


def test_too_many_pairs_are_refused(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADLINE_LAB_DENSE_HEADLINES", "1")
    monkeypatch.setenv(limits.CANDIDATE_PAIRS.variable, "10")
    with pytest.raises(InputError, match="More than 10 pairs"):
        score_candidates(Cosine(), context(50), runtime)


def test_progress_and_stop() -> None:
    seen: list[tuple[str, int, int]] = []
    score_candidates(Cosine(), context(10), Runtime(report=lambda *step: seen.append(step)))
    assert seen[-1][1] == seen[-1][2] > 0
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        score_candidates(Cosine(), context(10), Runtime(stop=stop))


def plain_pairs(given: PairContext, window: float, floor: float) -> dict[tuple[int, int], float]:
    """Every pair, one after another."""
    found = {}
    for i in range(len(given)):
        for j in range(i + 1, len(given)):
            apart = abs(given.days[i] - given.days[j])
            cosine = np.einsum("md,md->m", given.vectors[[i]], given.vectors[[j]])[0]
            if not apart > window and cosine >= np.float32(floor):
                found[i, j] = float(cosine)
    return found


@pytest.mark.parametrize("half", [True, False])
@pytest.mark.parametrize(("window", "undated"), [(0.0, 0.0), (4.0, 0.2), (1_000.0, 0.0), (4.0, 1.0)])
@pytest.mark.parametrize("floor", [0.3, 0.75])
def test_candidate_pairs_equal_the_double_loop(
    half: bool, window: float, undated: float, floor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "_ROWS", 7)
    monkeypatch.setattr(candidates, "_COLUMNS", 11)
    monkeypatch.setattr(candidates, "in_half", lambda runtime: half)  # emulated where it does not
    given = context(70, undated=undated, span=30.0)
    found = candidate_pairs(
        given.vectors, given.days, window_days=window, floor=floor, runtime=Runtime(half=half)
    ).tocoo()
    expected = plain_pairs(given, window, floor)
    assert dict(zip(zip(found.row, found.col, strict=True), found.data, strict=True)) == expected


@given(st.integers(0, 10_000))
@settings(max_examples=30)
def test_no_rounding_of_bfloat16_loses_a_pair(seed: int) -> None:
    random = np.random.default_rng(seed)
    vectors = random.normal(random.uniform(-1, 1), 1.0, (40, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rounded = torch.from_numpy(vectors).to(torch.bfloat16)
    off = (rounded @ rounded.T).float().numpy() - vectors @ vectors.T
    assert np.abs(off).max() < candidates.HALF_ERROR


@pytest.mark.parametrize("size", [0, 1])
def test_candidate_pairs_of_next_to_nothing(size: int, runtime: Runtime) -> None:
    given = context(size)
    assert candidate_pairs(given.vectors, given.days, runtime=runtime).shape == (size, size)


@pytest.mark.parametrize("floor", [0.0, -0.5, 1.5, math.nan])
def test_a_floor_that_keeps_everything_or_nothing_is_refused(floor: float, runtime: Runtime) -> None:
    with pytest.raises(InputError, match="floor"):
        candidate_pairs(np.eye(2, dtype=np.float32), np.zeros(2), floor=floor, runtime=runtime)


def test_too_many_candidate_pairs_are_refused(monkeypatch: pytest.MonkeyPatch, runtime: Runtime) -> None:
    monkeypatch.setenv(limits.CANDIDATE_PAIRS.variable, "5")
    with pytest.raises(InputError, match="More than 5 pairs"):
        candidate_pairs(np.ones((9, 1), np.float32), np.zeros(9), runtime=runtime)


@pytest.mark.parametrize("scorer", [Cosine(), CosineTime()])
def test_no_vectors_are_refused(scorer: PairScorer, runtime: Runtime) -> None:
    given = PairContext(["a"], np.zeros(1), np.zeros((1, 0), np.float32))
    with pytest.raises(InputError, match="vector"):
        score_candidates(scorer, given, runtime)


MATRIX = np.array([[1, 0.5, 0], [0.5, 1, 0.2], [0, 0.2, 1]], dtype=np.float32)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_rows_pairs_and_edges(form, monkeypatch) -> None:
    monkeypatch.setattr(module, "_ROWS_AT_ONCE", 2)
    found = Similarities(form(MATRIX))
    assert len(found) == 3
    assert found.of(0, 1) == 0.5
    np.testing.assert_array_equal(found.row(1), MATRIX[1])
    left, right, values = found.edges(0.0)
    assert list(zip(left.tolist(), right.tolist(), values.tolist(), strict=True)) == [
        (0, 1, 0.5),
        (1, 2, pytest.approx(0.2)),
    ]
    assert found.edges(0.5)[0].tolist() == [0]
    assert [part.dtype for part in found.edges(0.9)] == [np.int64, np.int64, np.float32]
