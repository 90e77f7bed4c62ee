"""What joins two headlines; measures of groups against scikit-learn and a table worked by hand."""

from itertools import pairwise, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform
from sklearn import metrics as sk

from core.errors import InputError
from core.groups.dendrogram import Dendrogram
from core.groups.joins import TreeJoins
from core.groups.links import strongest_chain, why
from core.groups.quality import quality
from core.similarities import Similarities


def random_similarities(n, seed, *, levels=0):
    values = np.random.default_rng(seed).random((n, n), dtype=np.float32)
    values = (values + values.T) / 2
    if levels:
        values = np.round(values * levels) / levels
    np.fill_diagonal(values, 1.0)
    return Similarities(values.astype(np.float32))


def as_sparse(given_):
    return Similarities(sparse.csr_matrix(given_.matrix))


def brute_force(matrix, left, right):
    """The greatest weakest link over all simple chains, and the fewest steps with it."""
    others = [i for i in range(len(matrix)) if i not in (left, right)]
    found = []
    for length in range(len(others) + 1):
        for between in permutations(others, length):
            chain = [left, *between, right]
            found.append((min(matrix[a, b] for a, b in pairwise(chain)), -(length + 1)))
    strength, steps = max(found)
    return float(strength), -steps


@settings(max_examples=60)
@given(st.integers(2, 6), st.integers(0, 10_000), st.sampled_from([0, 3, 10]))
def test_chain_is_the_strongest_and_the_shortest(n, seed, levels):
    given_ = random_similarities(n, seed, levels=levels)
    expected = brute_force(given_.matrix, 0, n - 1)
    for similarities in (given_, as_sparse(given_)):
        chain = strongest_chain(similarities, np.arange(n), 0, n - 1)
        assert (chain[0], chain[-1], len(set(chain))) == (0, n - 1, len(chain))
        strength = min(similarities.of(a, b) for a, b in pairwise(chain))
        assert (strength, len(chain) - 1) == pytest.approx(expected)


def test_chain_stays_inside_the_group():
    matrix = np.eye(4, dtype=np.float32)
    for a, b, value in ((0, 1, 0.9), (1, 3, 0.9), (0, 2, 0.5), (2, 3, 0.4)):
        matrix[a, b] = matrix[b, a] = value
    link = why(Similarities(matrix), [7, 8, 7, 7], 0, 3, granularity=0.55)
    assert link.together
    assert [(s.left, s.right, s.below) for s in link.chain] == [(0, 2, False), (2, 3, True)]
    assert link.group_similarity == pytest.approx((0.5 + 0.4 + 0.0) / 3)


def test_apart_shows_what_is_missing():
    matrix = np.eye(4, dtype=np.float32)
    for a, b, value in ((0, 1, 0.8), (2, 3, 0.7), (1, 2, 0.3)):
        matrix[a, b] = matrix[b, a] = value
    merges = linkage(squareform(1 - matrix.astype(float), checks=False), "average")
    link = why(
        Similarities(matrix), np.array([0, 0, 1, 1]), 0, 3, TreeJoins(Dendrogram(4, merges)), granularity=0.6
    )
    assert not link.together
    assert [(s.left, s.right, s.below) for s in link.chain] == [(0, 1, False), (1, 2, True), (2, 3, False)]
    assert link.group_similarity == pytest.approx(0.3 / 4)
    assert link.joins_at == pytest.approx(1 - 0.3 / 4)
    assert link.similarity == 0.0


@pytest.mark.parametrize("seed", range(2))
def test_the_height_of_a_join_is_the_cophenetic_distance(seed):
    given_ = random_similarities(9, seed)
    distances = squareform(1 - given_.matrix.astype(float), checks=False)
    merges = linkage(distances, "average")
    expected = squareform(cophenet(merges))
    joins = TreeJoins(Dendrogram(9, merges))
    assert [[joins.height(a, b) for b in range(9)] for a in range(9)] == pytest.approx(expected)


def noisy(size, gold_groups, seed):
    random = np.random.default_rng(seed)
    gold = random.integers(0, gold_groups, size)
    labels = np.where(random.random(size) < 0.6, gold, random.integers(0, 2 * gold_groups, size))
    return labels, gold


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("size", "gold_groups"), [(2, 2), (200, 15), (900, 400), (700, 2)])
def test_equals_scikit_learn(size, gold_groups, seed):
    labels, gold = noisy(size, gold_groups, seed)
    found = quality(labels, gold)
    for name, theirs in {
        "ami": sk.adjusted_mutual_info_score,
        "ari": sk.adjusted_rand_score,
        "v_measure": sk.v_measure_score,
        "homogeneity": sk.homogeneity_score,
        "completeness": sk.completeness_score,
    }.items():
        if found[name].value is not None:
            assert found[name].value == pytest.approx(theirs(gold, labels), abs=1e-9), name
        else:
            assert size == 2


def test_worked_by_hand():
    # gold {a, b, c} {d, e}; found {a, b} {c, d, e}
    found = quality([0, 0, 1, 1, 1], ["x", "x", "x", "y", "y"])
    # B-cubed precision: a 1, b 1, c 1/3, d 2/3, e 2/3; recall: a 2/3, b 2/3, c 1/3, d 1, e 1
    assert found["bcubed_precision"].value == pytest.approx((1 + 1 + 1 / 3 + 2 / 3 + 2 / 3) / 5)
    assert found["bcubed_recall"].value == pytest.approx((2 / 3 + 2 / 3 + 1 / 3 + 1 + 1) / 5)
    p, r = 11 / 15, 11 / 15
    assert found["bcubed_f1"].value == pytest.approx(2 * p * r / (p + r))
    # pairs found ab cd ce de; gold ab ac bc de; both ab de
    assert found["pair_precision"].value == pytest.approx(2 / 4)
    assert found["pair_recall"].value == pytest.approx(2 / 4)
    assert found["pair_f1"].value == pytest.approx(0.5)
    assert (found.judged, found.unjudged, found.groups, found.gold_groups) == (5, 0, 2, 2)


def test_headlines_without_gold_are_left_out_and_counted():
    gold = ["a", None, "a", "b", "", float("nan"), pd.NA, pd.NaT]
    found = quality([0, 0, 0, 1, 2, 2, 2, 2], gold)
    assert (found.judged, found.unjudged) == (3, 5)
    assert found["pair_f1"].value == 1.0


@pytest.mark.parametrize(("gold", "reason"), [([None, None], "no headline"), (["a", None], "only one")])
def test_too_little_gold_is_undefined_with_a_reason(gold, reason):
    for score in quality([0, 1], gold, resamples=10).scores.values():
        assert score.value is None
        assert score.low is None
        assert reason in score.reason
    with pytest.raises(InputError, match="gold"):
        quality([0], gold)


def test_undefined_pairs_say_why():
    apart = quality([0, 1, 2], ["a", "a", "b"])
    assert apart["pair_precision"].value is None
    assert "grouped together" in apart["pair_precision"].reason
    assert apart["pair_recall"].value == 0
    assert apart["pair_f1"].value == 0
    alone = quality([0, 0, 1], ["a", "b", "c"])
    assert alone["pair_recall"].value is None
    assert alone["pair_precision"].value == 0
    both = quality([0, 1, 2], ["a", "b", "c"])
    assert both["pair_f1"].value is None
    assert both["ami"].value is None
    assert both["ari"].value is None
    assert both["ami"].reason
    assert both["v_measure"].value == 1


@pytest.mark.parametrize("seed", range(3))
def test_groups_that_chance_makes_too_are_no_better_in_any_resample(seed):
    """Every headline alone tells nothing of the gold groups, however large those are that were drawn."""
    gold = np.repeat(np.arange(12), [1, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11])
    for labels in (np.arange(len(gold)), np.zeros(len(gold), dtype=np.int64)):
        found = quality(labels, gold, resamples=500, seed=seed)
        assert found["ami"].interval == (0.0, 0.0)
        assert found["ari"].interval == (0.0, 0.0)
    shuffled = np.random.default_rng(seed).permutation(np.arange(len(gold)) % 12)
    low, high = quality(shuffled, gold, resamples=500, seed=seed)["ami"].interval
    assert -0.5 < low < 0.1
    assert -0.1 < high < 0.5


def test_intervals_hold_the_value_and_repeat():
    labels, gold = noisy(400, 40, 2)
    found = quality(labels, gold, resamples=200, seed=3)
    for score in found.scores.values():
        assert score.low is not None
        assert score.high is not None
        assert score.low <= score.value <= score.high
    assert quality(labels, gold, resamples=200, seed=3) == found
    assert quality(labels, gold, resamples=200, seed=4) != found
    assert quality([0, 0, 1], ["a", "a", "a"], resamples=50)["pair_recall"].interval == (None, None)
