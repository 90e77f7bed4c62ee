"""Counts, searches and bounds of the consistency lab against plain loops over everything."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.consistency import score_matrix as score_matrix_module
from core.consistency.census import Census, census
from core.consistency.certificate import certify, least_changes
from core.consistency.clustering import disagreement, relax, search, solve_exactly
from core.consistency.repairs import RepairInput, repairs
from core.consistency.score_matrix import (
    best_changes,
    break_counts,
    commutative_test,
    is_transitive,
    score_matrix,
    worst_triangles,
)
from core.runtime import Runtime


@st.composite
def matrices(draw, most=9, *, symmetric=False):
    """Scores in tenths, so that ties and scores at the threshold come up, some pairs without a score."""
    n = draw(st.integers(0, most))
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    values = random.integers(0, 11, size=(n, n)).astype(np.float32) / np.float32(10)
    if symmetric or draw(st.booleans()):
        values = np.triu(values) + np.triu(values, k=1).T
    mask = random.random((n, n)) < draw(st.sampled_from([1.1, 0.8, 0.3]))
    threshold = draw(st.sampled_from([0.1, 0.3, 0.5, 0.7, 1.0]))
    return score_matrix(values, threshold, mask=mask & mask.T)


def triplets(scores):
    for i, j, k in combinations(range(len(scores)), 3):
        if scores.scored[i, j] and scores.scored[i, k] and scores.scored[j, k]:
            yield i, j, k


def linked(links, i, j, k):
    return int(links[i, j]) + int(links[i, k]) + int(links[j, k])


def counted(scores, links):
    by_links = [0, 0, 0, 0]
    for triplet in triplets(scores):
        by_links[linked(links, *triplet)] += 1
    return Census(len(scores), three=by_links[3], two=by_links[2], one=by_links[1], none=by_links[0])


def partitions(n):
    """All partitions of n headlines as labels."""

    def grow(labels):
        if len(labels) == n:
            yield np.array(labels, dtype=np.int64)
            return
        for label in range(max(labels, default=-1) + 2):
            yield from grow([*labels, label])

    yield from grow([])


def fewest_changes(scores, links):
    return min(
        int(np.triu(((labels[:, None] == labels[None, :]) != links) & scores.scored, k=1).sum())
        for labels in partitions(len(scores))
    )


@given(matrices())
def test_census_is_the_triple_loop(scores):
    assert census(scores.links, scored=scores.scored) == counted(scores, scores.links)


@given(matrices(most=12, symmetric=True))
def test_census_of_all_pairs_is_the_triple_loop(scores):
    everything = score_matrix(scores.probabilities, scores.threshold)
    wanted = counted(everything, everything.links)
    assert census(everything.links) == wanted


@given(matrices())
def test_commutative_test_is_the_plain_loop(scores):
    values, threshold = scores.probabilities, np.float32(scores.threshold)
    flipped, changes = [], []
    for i, j in combinations(range(len(scores)), 2):
        if scores.scored[i, j]:
            change = abs(float(values[i, j]) - float(values[j, i]))
            if (values[i, j] >= threshold) != (values[j, i] >= threshold):
                flipped.append(change)
            else:
                changes.append(change)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_matrix_module, "ROWS_AT_ONCE", 3)
        found = commutative_test(scores, most=3)
    np.testing.assert_array_equal(values[found.worst.left, found.worst.right], found.worst.forward)
    assert (found.pairs, found.flips) == (len(flipped) + len(changes), len(flipped))
    assert found.mean_change == (pytest.approx(np.mean(changes), abs=1e-6) if changes else None)
    worst = np.abs(found.worst.forward - found.worst.backward)
    np.testing.assert_allclose(worst, sorted(flipped, reverse=True)[:3], atol=1e-6)


@pytest.mark.parametrize("most", [1, 50, 400])
def test_worst_triangles_of_many_headlines_are_the_worst_of_all(most):
    """So many that they are looked at chunk by chunk, where the search must not end early."""
    random = np.random.default_rng(0)
    values = random.random((400, 400)).astype(np.float32)
    scores = score_matrix(np.triu(values) + np.triu(values, k=1).T, 0.9)
    links, listed = scores.links, scores.listed
    severities = []
    for centre in range(len(scores)):
        near = np.flatnonzero(links[centre])
        left, right = (near[side] for side in np.triu_indices(len(near), k=1))
        denied = ~links[left, right]
        weaker = np.minimum(listed[centre, left], listed[centre, right])
        severities += (weaker - listed[left, right])[denied].tolist()
    found = worst_triangles(scores, most=most)
    np.testing.assert_allclose(found.severity, sorted(severities, reverse=True)[:most], atol=1e-6)
    weaker = np.minimum(listed[found.centre, found.left], listed[found.centre, found.right])
    np.testing.assert_allclose(weaker - listed[found.left, found.right], found.severity, atol=1e-6)


@given(matrices(most=7), st.sampled_from([0.0, 0.3, 1.0]))
def test_smoothing_is_its_formula(scores, weight):
    values, threshold, scored = scores.probabilities.astype(np.float64), scores.threshold, scores.scored
    mean, middle = np.clip((values + values.T) / 2, 0.01, 0.99), min(max(threshold, 0.01), 0.99)
    odds = ((mean / (1 - mean)) / (middle / (1 - middle))) ** 4
    known, first = np.maximum(scored, np.eye(len(values))), np.where(scored, odds / (1 + odds), 0)
    np.fill_diagonal(first, 1)
    moved = first
    for _ in range(3):
        speaks = [[moved[i] @ moved[:, j] for j in range(len(values))] for i in range(len(values))]
        against = [
            [moved[i] @ (known - moved)[:, j] + (known - moved)[i] @ moved[:, j] for j in range(len(values))]
            for i in range(len(values))
        ]
        evidence = np.array(speaks) / np.maximum(np.add(speaks, np.divide(against, 2)), 1e-9)
        moved = np.where(scored, (1 - weight) * first + weight * evidence, np.eye(len(values)))
    back = np.where(moved < 0.5, 2 * moved * threshold, 1 - 2 * (1 - moved) * (1 - threshold))
    found = repairs.parse(f"triangle_smoothing.v1|weight:{weight}").repair(
        RepairInput(scores, None), Runtime()
    )
    limited = np.where(found.decisions, np.maximum(back, threshold), np.minimum(back, threshold))
    np.testing.assert_allclose(found.probabilities[scored], limited[scored], atol=1e-4)


@given(matrices(), st.integers(1, 12))
def test_worst_triangles_are_the_worst_of_all(scores, most):
    values, links = scores.listed, scores.links
    severities = []
    for i, j, k in triplets(scores):
        if linked(links, i, j, k) == 2:
            of_pairs = [(values[a, b], links[a, b]) for a, b in ((i, j), (i, k), (j, k))]
            weaker = min(value for value, link in of_pairs if link)
            severities.append(weaker - next(value for value, link in of_pairs if not link))
    found = worst_triangles(scores, most=most)
    np.testing.assert_allclose(found.severity, sorted(severities, reverse=True)[:most], atol=1e-6)
    named = list(zip(found.centre, found.left, found.right, strict=True))
    for centre, left, right in named:
        assert left < right
        assert links[centre, left] & links[centre, right] & scores.scored[left, right] & ~links[left, right]
    assert len({tuple(triangle) for triangle in named}) == len(found)


@given(matrices(most=8))
def test_break_counts_and_best_changes_are_a_recount(scores):
    links = scores.links
    of_headline = np.zeros(len(scores), int)
    for triplet in triplets(scores):
        if linked(links, *triplet) == 2:
            of_headline[list(triplet)] += 1
    np.testing.assert_array_equal(break_counts(links, scores.scored), of_headline)
    gains = {}
    for i, j in combinations(range(len(scores)), 2):
        if scores.scored[i, j]:
            changed = links.copy()
            changed[i, j] = changed[j, i] = not links[i, j]
            gains[i, j] = counted(scores, links).two - counted(scores, changed).two
    changes = best_changes(scores, most=5)
    assert changes.net.tolist() == sorted((gain for gain in gains.values() if gain > 0), reverse=True)[:5]
    for left, right, net in zip(changes.left, changes.right, changes.net, strict=True):
        assert gains[int(left), int(right)] == net


@settings(max_examples=60)
@given(matrices(most=7))
def test_least_changes_are_those_of_all_partitions(scores):
    links = scores.links
    fewest = fewest_changes(scores, links) if len(scores) else 0
    exact = least_changes(links, scores.scored, Runtime())
    assert exact.known == exact.at_least == fewest
    for sizes in ({"exact_up_to": 0}, {"exact_up_to": 0, "relaxed_up_to": 0}):
        bounded = least_changes(links, scores.scored, Runtime(), **sizes)
        assert bounded.at_least <= fewest <= bounded.known


@settings(max_examples=60)
@given(st.integers(2, 7), st.integers(0, 2**32 - 1))
def test_weighted_clustering_is_best_of_all_partitions(n, seed):
    weights = np.random.default_rng(seed).normal(size=(n, n))
    weights = weights + weights.T
    best = min(disagreement(weights, labels) for labels in partitions(n))
    _, labels = solve_exactly(weights)
    assert labels is not None
    assert disagreement(weights, labels) == pytest.approx(best, abs=1e-6)
    assert relax(weights)[0] <= best + 1e-6
    assert disagreement(weights, search(weights)) >= best - 1e-9


@settings(max_examples=40)
@given(matrices(), st.sampled_from(repairs.names()), st.integers(0, 2**32 - 1))
def test_repairs_keep_what_they_promise(scores, name, seed):
    groups = np.random.default_rng(seed).integers(0, 3, size=len(scores))
    recipe = repairs.parse(name)
    repaired = recipe.repair(RepairInput(scores, groups), Runtime())
    after = score_matrix(repaired.probabilities, scores.threshold, mask=scores.scored)
    assert commutative_test(after).flips == 0
    np.testing.assert_array_equal(after.links, repaired.decisions)
    assert not np.any(repaired.decisions & ~scores.scored)
    if recipe.transitive:
        assert repaired.labels is not None
    if repaired.labels is not None:
        together = repaired.labels[:, None] == repaired.labels[None, :]
        np.testing.assert_array_equal(repaired.decisions, together & scores.scored)
        assert is_transitive(repaired.decisions, scores.scored)
        assert census(repaired.decisions, scored=scores.scored).two == 0
        least = least_changes(scores.links, scores.scored, Runtime())
        certificate = certify(scores.links, repaired.decisions, least)
        assert certificate.at_least <= certificate.known <= certificate.changed
        if name == "fewest_changes.v1":
            assert certificate.changed == fewest_changes(scores, scores.links)
