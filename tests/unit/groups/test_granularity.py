"""Where the slider starts, against a plain reading of the measures."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest
from scipy import sparse

from core.arrays import IntArray
from core.groups.average_linkage import AverageLinkage
from core.groups.dendrogram import Dendrogram
from core.groups.granularity import (
    COARSE_CUTS,
    CUTS,
    NEARLY,
    SHAPE,
    SHARPNESS,
    choose_granularity,
)
from core.groups.grouper import GroupingInput
from core.runtime import Runtime
from core.similarities import Similarities

Matrix = npt.NDArray[np.float64]
TAU = 5.0


@dataclass(frozen=True, slots=True)
class Cuts:
    """A hierarchy that shows nothing but its cuts, as methods without a tree do."""

    tree: Dendrogram

    def cut(self, granularity: float) -> IntArray:
        return self.tree.cut(granularity)


@dataclass(frozen=True, slots=True)
class Made:
    matrix: Matrix  # similarities, faded in time
    fading: Matrix  # what the dates left of them
    likely: Matrix  # probability of each pair
    tree: Dendrogram

    def similarities(self, form: str) -> Similarities:
        matrix = self.matrix.astype(np.float32)
        return Similarities(matrix if form == "dense" else sparse.csr_matrix(matrix))

    def fade(self, rows: IntArray) -> npt.NDArray[np.float32]:
        return self.fading[rows].astype(np.float32)

    def sampled(self, rows: IntArray) -> tuple[IntArray, npt.NDArray[np.float32]]:
        return rows, self.likely[np.ix_(rows, rows)].astype(np.float32)


def made(size, seed):
    random = np.random.default_rng(seed)
    centres = random.normal(size=(max(2, size // 4), 6))
    vectors = centres[random.integers(0, len(centres), size)] + random.normal(0, 0.5, (size, 6))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    days = random.uniform(0, 12, size)
    fading = np.exp(-np.abs(days[:, None] - days[None, :]) / TAU)
    matrix = np.clip(vectors @ vectors.T, 0, 1) * fading
    np.fill_diagonal(matrix, 1.0)
    given = GroupingInput(Similarities(matrix.astype(np.float32)), vectors.astype(np.float32))
    likely = 1 / (1 + np.exp(-12 * (matrix - 0.6)))
    return Made(matrix, fading, likely, AverageLinkage().fit(given, Runtime()))


def plain_gaps(matrix, labels, rows):
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


def plain_promise(likely, labels, rows):
    """Pair F1 that is to be expected, from the pairs of some rows."""
    pairs = [(row, other) for row in rows for other in rows if row != other]
    inside = [pair for pair in pairs if labels[pair[0]] == labels[pair[1]]]
    promised = sum(likely[pair] for pair in inside)
    return float(2 * promised / (len(inside) + sum(likely[pair] for pair in pairs)))


def plain_shape(matrix, timeless, labels, rows):
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
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_curve_and_choice_are_those_of_the_definition(seed, nested, form, faded):
    given = made(30, seed)
    hierarchy = given.tree if nested else Cuts(given.tree)
    fade = given.fade if faded else None
    rows = np.arange(30)
    found = choose_granularity(hierarchy, given.similarities(form), *given.sampled(rows), fade=fade)
    timeless = np.clip(given.matrix / given.fading, 0, 1) if faded else given.matrix
    assert [cut for cut, _ in found.curve] == (CUTS if nested else COARSE_CUTS).tolist()
    for cut, promise in found.curve:
        assert promise == pytest.approx(plain_promise(given.likely, given.tree.cut(cut), rows), abs=1e-4)
    promises = dict(found.curve)
    assert found.promise == promises[found.granularity]
    shapes = {cut: plain_shape(given.matrix, timeless, given.tree.cut(cut), rows) for cut in promises}
    near = {cut for cut, promise in promises.items() if promise >= NEARLY * max(promises.values())}
    wanted = max(promises[cut] * shapes[cut] ** SHAPE for cut in near)
    assert found.promise * shapes[found.granularity] ** SHAPE == pytest.approx(wanted, abs=1e-4)
    assert shapes[found.shapeliest] == pytest.approx(max(shapes[cut] for cut in near), abs=1e-4)
    assert found.shapeliest in near


def test_dates_alone_do_not_keep_a_long_story_apart():
    """Two stories, each in two spells: cut at spells, only the dates hold the groups apart."""
    story, spell = np.arange(24) // 12, np.arange(24) // 6
    fading = np.where(spell[:, None] == spell[None, :], 1.0, 0.45)
    matrix = np.where(story[:, None] == story[None, :], 0.8, 0.05) * fading
    np.fill_diagonal(matrix, 1.0)
    given = Similarities(matrix.astype(np.float32))
    tree = AverageLinkage().fit(GroupingInput(given, np.zeros((24, 0), np.float32)), Runtime())
    assert len(set(tree.cut(0.40).tolist())) == 4
    assert len(set(tree.cut(0.80).tolist())) == 2
    likely = np.where(spell[:, None] == spell[None, :], 1.0, 0.35) * (story[:, None] == story[None, :])
    sampled = np.arange(24), likely.astype(np.float32)
    blind = choose_granularity(tree, given, *sampled)
    seeing = choose_granularity(tree, given, *sampled, fade=lambda rows: fading[rows].astype(np.float32))
    assert len(set(tree.cut(blind.granularity).tolist())) == 4
    assert len(set(tree.cut(seeing.granularity).tolist())) == 2


@pytest.mark.parametrize("nested", [True, False])
def test_without_a_likely_pair_every_headline_stays_alone(nested):
    matrix = np.maximum(np.full((7, 7), 0.6), np.eye(7)).astype(np.float32)
    given = Similarities(matrix)
    tree = AverageLinkage().fit(GroupingInput(given, np.zeros((7, 0), np.float32)), Runtime())
    unlikely = np.full((7, 7), 0.01, np.float32)
    found = choose_granularity(tree if nested else Cuts(tree), given, np.arange(7), unlikely)
    assert {promise for _, promise in found.curve} == {found.promise} == {0.0}
    assert len(set(tree.cut(found.granularity).tolist())) == 7
