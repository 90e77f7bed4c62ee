"""Where the slider starts, against a plain reading of the measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse
from sklearn.metrics import silhouette_score

from core.groups import granularity
from core.groups.average_linkage import AverageLinkage
from core.groups.dendrogram import Dendrogram
from core.groups.granularity import FULL_TRUST, SHARPNESS, choose_granularity
from core.groups.grouper import GroupingInput, Hierarchy, SliderRange
from core.runtime import Runtime
from core.similarities import IntArray, Similarities

Matrix = npt.NDArray[np.float64]
USUAL = SliderRange(0.30, 0.90, 0.70)
TAU = 5.0


@dataclass(frozen=True, slots=True)
class Cuts:
    """A hierarchy that shows nothing but its cuts, as methods without a tree do."""

    tree: Dendrogram

    def cut(self, granularity: float) -> IntArray:
        return self.tree.cut(granularity)


@dataclass(frozen=True, slots=True)
class Made:
    """A timeline of some events.

    Attributes:
        matrix: Similarities, faded in time, [n, n].
        fading: What the dates left of them, [n, n].
        tree: Average linkage on them.
    """

    matrix: Matrix
    fading: Matrix
    tree: Dendrogram

    def similarities(self, form: str) -> Similarities:
        matrix = self.matrix.astype(np.float32)
        return Similarities(matrix if form == "dense" else sparse.csr_matrix(matrix))

    def fade(self, rows: IntArray) -> npt.NDArray[np.float32]:
        return self.fading[rows].astype(np.float32)


def made(size: int, seed: int) -> Made:
    random = np.random.default_rng(seed)
    centres = random.normal(size=(max(2, size // 4), 6))
    vectors = centres[random.integers(0, len(centres), size)] + random.normal(0, 0.5, (size, 6))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    days = random.uniform(0, 12, size)
    fading = np.exp(-np.abs(days[:, None] - days[None, :]) / TAU)
    matrix = np.clip(vectors @ vectors.T, 0, 1) * fading
    np.fill_diagonal(matrix, 1.0)
    given = GroupingInput(Similarities(matrix.astype(np.float32)), vectors.astype(np.float32))
    return Made(matrix, fading, AverageLinkage().fit(given, Runtime()))


def plain_gaps(matrix: Matrix, labels: IntArray, rows: IntArray) -> list[tuple[float, float]]:
    """(a, b) of each row: mean distance to the own group and to the nearest other; (0, 0) if alone."""
    gaps = []
    for row in rows:
        away = {
            group: [1 - matrix[row, other] for other in np.flatnonzero(labels == group) if other != row]
            for group in set(labels.tolist())
        }
        own = away.pop(int(labels[row]))
        gaps.append((np.mean(own), min(map(np.mean, away.values()))) if own else (0.0, 0.0))
    return gaps


def plain_score(matrix: Matrix, timeless: Matrix, labels: IntArray, rows: IntArray) -> float:
    """Silhouette × (separation × agreement) ** SHARPNESS as the module's head says it."""
    if len(set(labels.tolist())) in (1, len(labels)):
        return 0.0
    silhouette = np.mean([(b - a) / max(a, b, 1e-9) for a, b in plain_gaps(matrix, labels, rows)])
    separation = np.mean([b - a for a, b in plain_gaps(timeless, labels, rows)])
    pairs = [(row, other) for row in rows for other in range(len(labels)) if row != other]
    together = [float(labels[row] == labels[other]) for row, other in pairs]
    squared = [matrix[row, other] ** 2 for row, other in pairs]
    agreement = np.corrcoef(together, squared)[0, 1] if len(set(together)) > 1 else 0.0
    return float(max(silhouette, 0) * (max(separation, 0) * max(agreement, 0)) ** SHARPNESS)


@pytest.mark.parametrize("faded", [False, True])
@pytest.mark.parametrize("form", ["dense", "sparse"])
@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_curve_and_choice_are_those_of_the_definition(
    seed: int, nested: bool, form: str, faded: bool
) -> None:
    given = made(36, seed)
    hierarchy: Hierarchy = given.tree if nested else Cuts(given.tree)
    fade: Callable[[IntArray], npt.NDArray[np.float32]] | None = given.fade if faded else None
    found = choose_granularity(hierarchy, given.similarities(form), USUAL, fade=fade)
    timeless = np.clip(given.matrix / given.fading, 0, 1) if faded else given.matrix
    rows = np.arange(36)
    assert len(found.curve) == (61 if nested else 13)
    for cut, score in found.curve:
        assert score == pytest.approx(
            plain_score(given.matrix, timeless, given.tree.cut(cut), rows), abs=2e-5
        ), cut
    best = max(found.curve, key=lambda point: point[1])
    assert best[1] > 0
    silhouette = silhouette_score(1 - given.matrix, given.tree.cut(best[0]), metric="precomputed")
    assert found.trust == pytest.approx(min(1.0, silhouette / FULL_TRUST), abs=1e-4)
    expected = found.trust * best[0] + (1 - found.trust) * USUAL.typical
    assert found.granularity == pytest.approx(expected, abs=0.0051)


@pytest.mark.parametrize("nested", [True, False])
def test_past_scored_rows_evenly_spaced_headlines_are_measured(
    nested: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(granularity, "SCORED_ROWS", 9)
    given = made(33, 5)
    found = choose_granularity(given.tree if nested else Cuts(given.tree), given.similarities("dense"), USUAL)
    rows = np.array([0, 4, 8, 12, 16, 20, 24, 28, 32])
    scored = given.tree.leaves[rows] if nested else rows
    for cut, score in found.curve:
        wanted = plain_score(given.matrix, given.matrix, given.tree.cut(cut), scored)
        assert score == pytest.approx(wanted, abs=2e-5), cut


def test_dates_alone_do_not_keep_a_long_story_apart() -> None:
    """Two stories, each in two spells: cut at spells, only the dates hold the groups apart."""
    story, spell = np.arange(24) // 12, np.arange(24) // 6
    fading = np.where(spell[:, None] == spell[None, :], 1.0, 0.45)
    matrix = np.where(story[:, None] == story[None, :], 0.8, 0.05) * fading
    np.fill_diagonal(matrix, 1.0)
    given = Similarities(matrix.astype(np.float32))
    tree = AverageLinkage().fit(GroupingInput(given, np.zeros((24, 0), np.float32)), Runtime())
    assert len(set(tree.cut(0.40).tolist())) == 4
    assert len(set(tree.cut(0.80).tolist())) == 2
    blind = dict(choose_granularity(tree, given, USUAL).curve)
    found = choose_granularity(tree, given, USUAL, fade=lambda rows: fading[rows].astype(np.float32))
    seeing = dict(found.curve)
    assert blind[0.40] > 0.01
    assert seeing[0.40] < 1e-6
    assert seeing[0.80] > 0.01
    assert len(set(tree.cut(found.granularity).tolist())) == 2


@pytest.mark.parametrize("form", ["dense", "sparse"])
@pytest.mark.parametrize("nested", [True, False])
@pytest.mark.parametrize(
    "matrix",
    [np.ones((n, n)) for n in (0, 1, 2, 7)] + [np.eye(n) for n in (2, 3, 7)] + [np.full((5, 5), 0.95)],
    ids=["none", "one", "two alike", "all alike", "two apart", "three apart", "all apart", "one giant"],
)
def test_a_timeline_that_says_nothing_starts_at_the_typical_cut(
    matrix: Matrix, nested: bool, form: str
) -> None:
    matrix = matrix.astype(np.float32)
    np.fill_diagonal(matrix, 1.0)
    given = Similarities(matrix if form == "dense" else sparse.csr_matrix(matrix))
    tree = AverageLinkage().fit(GroupingInput(given, np.zeros((len(matrix), 0), np.float32)), Runtime())
    found = choose_granularity(tree if nested else Cuts(tree), given, USUAL)
    assert (found.granularity, found.trust) == (USUAL.typical, 0.0)
    assert {score for _, score in found.curve} == {0.0}
    assert [found.curve[0][0], found.curve[-1][0]] == [USUAL.low, USUAL.high]
