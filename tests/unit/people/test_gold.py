import numpy as np
import pandas as pd
import pytest

from core.data.pair_sets.pair_alpha import pair_alpha, pair_alphas
from core.data.pair_sets.simulated import Faults, with_faults
from core.groups.quality import best_groups
from core.people.agreement import group_agreement
from core.people.gold import gold_groups, gold_labels, telling, with_intervals
from core.statistics.bootstrap import RESAMPLES
from core.statistics.dawid_skene import information, posterior
from tests.unit.people.test_agreement import timeline_of


def votes(draw, *, items=200, skills=(0.9, 0.8, 0.8, 0.7, 0.6), answers=3, missing=0.3):
    truth = draw.integers(0, answers, items)
    right = draw.random((items, len(skills))) < np.array(skills)
    codes = np.where(right, truth[:, None], draw.integers(0, answers, right.shape))
    codes[draw.random(codes.shape) < missing] = -1
    some = (codes >= 0).any(axis=1)
    return truth[some], codes[some]


def groups_by_time(draw, count):
    sizes = []
    while sum(sizes) < count:
        sizes.append(min(int(draw.zipf(1.8)), 15))
    groups = np.repeat(np.arange(len(sizes)), sizes)[:count]
    return groups[np.argsort(np.arange(count) + draw.normal(0, 8, count), kind="stable")]


def partitions(count):
    if not count:
        return [[]]
    return [[*rest, group] for rest in partitions(count - 1) for group in range(max(rest, default=-1) + 2)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_without_trust_in_advance_it_is_crowd_kits_dawid_and_skene():
    from crowdkit.aggregation import DawidSkene

    _, codes = votes(np.random.default_rng(3))
    items, people = np.nonzero(codes >= 0)
    table = pd.DataFrame({"task": items, "worker": people, "label": codes[items, people]})
    theirs = DawidSkene(n_iter=100, tol=-1).fit(table)
    ours = posterior(codes, 3, trust=0, right=0, tolerance=0)
    np.testing.assert_allclose(ours.labels, theirs.probas_.sort_index()[[0, 1, 2]], atol=1e-6)
    errors = theirs.errors_.sort_index()[[0, 1, 2]].to_numpy().reshape(5, 3, 3).transpose(0, 2, 1)
    np.testing.assert_allclose(ours.confusions, errors, atol=1e-6)


@pytest.mark.slow
def test_a_label_with_a_probability_is_right_as_often_as_that():
    chances, right, worth, inside = [], [], [], []
    for seed in range(12):
        truth, codes = votes(np.random.default_rng(seed), answers=2)
        gold = gold_labels(codes, 2, resamples=60)
        chances += [figure.value for figure in gold.chances]
        right += (gold.chosen == truth).tolist()
        for person, figure in enumerate(gold.people):
            answered = codes[:, person] >= 0
            worth.append(abs(figure.value - (codes[:, person] == truth)[answered].mean()))
            inside.append(figure.low <= (codes[:, person] == truth)[answered].mean() <= figure.high)
    assert calibration_error(chances, right) < 0.03
    assert np.mean(worth) < 0.03
    assert np.mean(inside) > 0.9


def calibration_error(chances, right):
    bins = np.minimum((np.array(chances) * 10).astype(int), 9)
    table = pd.DataFrame({"bin": bins, "chance": chances, "right": np.array(right, dtype=float)})
    means = table.groupby("bin").agg(chance=("chance", "mean"), right=("right", "mean"), n=("right", "size"))
    return float(((means.chance - means.right).abs() * means.n).sum() / len(table))


@pytest.mark.parametrize(
    ("people", "faults", "most"),
    [
        (2, Faults(0.15, 0.1, 0.05), 0.13),  # of two people nobody knows who is right
        (3, Faults(0.15, 0.1, 0.05), 0.08),
        (5, Faults(0.15, 0.1, 0.05), 0.06),
        (5, Faults(0.05, 0.03, 0.02), 0.03),
        (8, Faults(0.3, 0.2, 0.1), 0.08),
    ],
)
def test_a_group_with_a_probability_is_a_gold_group_as_often_as_that(people, faults, most):
    chances, right = [], []
    for seed in range(10):
        draw = np.random.default_rng(seed)
        gold = groups_by_time(draw, 120)
        groups = np.stack([with_faults(gold, draw, faults) for _ in range(people)], axis=1)
        found = gold_groups(groups, resamples=0)
        known = {tuple(np.flatnonzero(gold == group)) for group in np.unique(gold)}
        for group, figure in enumerate(found.chances):
            chances.append(figure.value)
            right.append(tuple(np.flatnonzero(found.groups == group)) in known)
    assert calibration_error(chances, right) < most
    sure = np.array(chances) > 0.9
    assert np.array(right)[sure].mean() > 0.85


def test_the_groups_are_nearly_always_those_of_highest_expected_f1():
    """All partitions of up to eight headlines, by brute force."""
    draw = np.random.default_rng(1)
    every = {count: np.array(partitions(count)) for count in range(4, 9)}
    short = []
    for _ in range(100):
        count = int(draw.integers(4, 9))
        left, right = np.triu_indices(count, 1)
        some = draw.random(len(left)) < 0.8
        some[0] = True
        pairs = draw.beta(0.5, 0.7, some.sum())
        _, value = best_groups(count, left[some], right[some], pairs)
        joined = every[count][:, left] == every[count][:, right]
        values = 2 * (joined[:, some] @ pairs) / (joined.sum(axis=1) + pairs.sum())
        short.append(values.max() - value)
    assert min(short) > -1e-9
    assert np.mean(np.array(short) < 1e-9) > 0.9
    assert np.mean(short) < 0.002


def test_two_people_who_differ_leave_a_pair_in_doubt_and_a_third_decides():
    two = np.array([[0, 0], [0, 0], [0, 1], [1, 2], [1, 2], [2, 3]])
    doubt = gold_groups(two, resamples=0)
    pairs = dict(zip(zip(doubt.left.tolist(), doubt.right.tolist(), strict=True), doubt.pairs, strict=True))
    assert 0.2 < pairs[0, 2] < 0.8
    assert pairs[0, 1] > 0.9
    third = gold_groups(np.column_stack([two, two[:, 1]]), resamples=0)
    assert third.groups.tolist() == [0, 0, 1, 2, 2, 3]


@pytest.mark.parametrize("groups", [[[0, 1], [1, 2], [2, 0]], [[0, 0], [0, -1], [2, 0], [-1, -1]]])
def test_little_is_grouped_without_an_error(groups):
    found = gold_groups(np.array(groups))
    assert len(found.groups) == len(groups)


def test_alpha_of_pairs_is_krippendorffs_where_headlines_and_people_count_once_or_not():
    import krippendorff

    draw = np.random.default_rng(5)
    groups = draw.integers(0, 4, (12, 4))
    groups[draw.random(groups.shape) < 0.2] = -1
    left, right = np.triu_indices(12, 1)
    both = (groups[left] >= 0) & (groups[right] >= 0)
    answers = np.where(both, groups[left] == groups[right], np.nan)
    theirs = krippendorff.alpha(reliability_data=answers.T, level_of_measurement="nominal")
    found = pair_alpha(groups, resamples=RESAMPLES)
    assert found.value == pytest.approx(theirs, abs=1e-12)
    assert found.low < found.value < found.high
    part = np.array([[1.0] * 8 + [0.0] * 4])
    without = pair_alphas(groups, part, np.array([1.0, 1.0, 1.0, 0.0]))[0]
    assert without == pytest.approx(pair_alpha(groups[:8, :3]).value, abs=1e-12)


@pytest.mark.slow
def test_intervals_of_agreement_hold_the_value_and_shrink_with_more_groups():
    widths = []
    for count in (60, 240):
        draw = np.random.default_rng(0)
        gold = groups_by_time(draw, count)
        timeline = timeline_of(np.stack([with_faults(gold, draw) for _ in range(4)], axis=1))
        figures = with_intervals(group_agreement(timeline))
        for figure in figures.values():
            assert figure.low < figure.value < figure.high
        widths.append(figures["alpha"].high - figures["alpha"].low)
    assert widths[1] < widths[0]


def test_information_is_the_mutual_information_of_label_and_answer():
    from sklearn.metrics import mutual_info_score

    confusion = np.array([[0.8, 0.2], [0.1, 0.9]])
    joint = np.array([[0.3], [0.7]]) * confusion
    expected = mutual_info_score(None, None, contingency=joint * 1e6) / np.log(2)
    assert information(np.array([[0.3, 0.7]]), confusion)[0] == pytest.approx(expected, abs=1e-9)
    assert information(np.array([[1.0, 0.0]]), confusion)[0] == pytest.approx(0, abs=1e-12)


def test_the_doubtful_item_is_asked_first_and_a_settled_one_never():
    agreed = [[-1, 0, 0, 0], [-1, 1, 1, 1]] * 20
    codes = np.array([*agreed, [-1, 0, 1, -1], [-1, 1, 0, -1], [0, -1, 1, -1]])
    assert telling(codes, 2, 0) == [40, 41]
