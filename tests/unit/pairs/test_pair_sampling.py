"""Pairs drawn from what systems join stand for all pairs of the timeline."""

import numpy as np
import pytest

from core.data.timelines.load import load
from core.errors import InputError
from research.benchmark.pairs.sampling import sample_pairs

N = 40


@pytest.fixture(scope="module")
def timeline():
    return load("\n".join(("title", *(f"Headline {row}" for row in range(N)), "")).encode(), "news.csv")


@pytest.fixture(scope="module")
def groupings():
    rows = np.arange(N)
    return {"wide": rows // 8, "narrow": rows // 3}


def test_every_stratum_is_drawn_and_says_who_joins_it(timeline, groupings):
    table = sample_pairs(timeline, groupings, count=30, others=10)
    counts = table["joined_by"].value_counts()
    assert set(counts.index) == {"wide, narrow", "wide", "narrow", ""}
    assert counts[["wide, narrow", "wide", "narrow"]].tolist() == [12, 12, 6]  # only six are narrow alone
    assert not table.duplicated(["headline_a", "headline_b"]).any()
    for a, b, joined in table[["headline_a", "headline_b", "joined_by"]].itertuples(index=False):
        left, right = (int(text.split()[1]) for text in (a, b))
        expected = [name for name, ids in groupings.items() if ids[left] == ids[right]]
        assert joined == ", ".join(expected)


@pytest.mark.slow
def test_weights_estimate_the_number_of_pairs_without_bias(timeline, groupings):
    gold = np.arange(N) // 4
    true = N // 4 * 6
    estimates = []
    for seed in range(300):
        table = sample_pairs(timeline, groupings, count=20, others=10, seed=seed)
        assert table["weight"].sum() == pytest.approx(N * (N - 1) / 2)
        sides = (table[f"headline_{side}"].str.split().str[1].astype(int).to_numpy() for side in "ab")
        left, right = (gold[rows] for rows in sides)
        estimates.append(table["weight"][left == right].sum())
    error = np.std(estimates) / len(estimates) ** 0.5
    assert abs(np.mean(estimates) - true) < 4 * error


def test_fewer_pairs_than_asked_are_all_drawn(timeline):
    alone = np.arange(N)
    alone[1] = 0
    table = sample_pairs(timeline, {"one pair": alone}, count=50, others=10**6)
    assert len(table) == N * (N - 1) // 2
    assert (table["weight"] == 1).all()


def test_a_system_that_joins_nothing_is_refused(timeline):
    with pytest.raises(InputError):
        sample_pairs(timeline, {"nothing": np.arange(N)}, count=5, others=5)
