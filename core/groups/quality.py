"""How good groups are: AMI, ARI, V-measure, B-cubed and pairs against gold groups, or their expected F1."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import InputError
from core.runtime import igraph_seeded
from core.statistics.bootstrap import FEWEST, RESAMPLES, Figure, bootstrap_sums
from core.text.tokens import word_list

Gold = Sequence[Hashable] | IntArray
MEASURES: tuple[str, ...] = word_list(  # higher is better, 1 is perfect, and chance gives 0 for AMI and ARI
    """ami ari v_measure homogeneity completeness bcubed_precision bcubed_recall bcubed_f1 pair_precision
    pair_recall pair_f1"""
)
_ZERO = 1e-12  # an adjusted measure whose denominator is this small is 0 / 0
_ALIKE = "chance alone gives the same groups: all headlines are together, or all are apart, in both"
_REASONS: Mapping[str, str] = {
    "ami": _ALIKE,
    "ari": _ALIKE,
    "pair_precision": "no two headlines with gold groups were grouped together",
    "pair_recall": "no two headlines share a gold group",
    "pair_f1": "no two headlines are together, in the groups or in the gold groups",
}


@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """The cells of the table groups × gold groups that hold at least one headline."""

    group: IntArray  # group of each cell, int64 [m], from 0
    gold: IntArray  # gold group of each cell, int64 [m], from 0
    count: IntArray  # headlines in each cell, int64 [m], at least 1
    group_sizes: IntArray  # headlines in each group, int64 [groups]
    gold_sizes: IntArray  # headlines in each gold group, int64 [gold groups]

    @property
    def total(self) -> int:
        return int(self.gold_sizes.sum())


def expected_information(table: Contingency) -> FloatArray:
    """Mean mutual information of random groupings, in nats; Vinh et al. (2010), equation 24a."""
    total = table.total
    log_factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, total + 1)))))
    sizes, times = np.unique(table.group_sizes, return_counts=True)
    gold_sizes, size_of = np.unique(table.gold_sizes, return_inverse=True)
    expected = np.zeros(len(gold_sizes))
    for size, time in zip(sizes.tolist(), times.tolist(), strict=True):
        least = np.maximum(1, size + gold_sizes - total)
        most = np.minimum(size, gold_sizes)
        spans = most - least + 1
        other = np.repeat(gold_sizes, spans)
        starts = np.cumsum(spans) - spans
        both = np.arange(int(spans.sum())) - np.repeat(starts - least, spans)
        log_chance = (
            log_factorial[size]
            + log_factorial[other]
            + log_factorial[total - size]
            + log_factorial[total - other]
            - log_factorial[total]
            - log_factorial[both]
            - log_factorial[size - both]
            - log_factorial[other - both]
            - log_factorial[total - size - other + both]
        )
        information = both / total * np.log(total * both / (size * other))
        expected += time * np.add.reduceat(information * np.exp(log_chance), starts)
    return np.asarray(expected[size_of])


@dataclass(frozen=True, slots=True)
class GroupQuality:
    scores: Mapping[str, Figure]  # by measure, in the order of `MEASURES`
    judged: int  # headlines that have a gold group; only these are measured
    unjudged: int  # headlines without one, left out
    groups: int  # groups among the judged headlines
    gold_groups: int

    def __getitem__(self, name: str) -> Figure:
        return self.scores[name]


def quality(
    labels: IntArray | Sequence[int], gold: Gold, *, resamples: int = 0, seed: int = 0
) -> GroupQuality:
    """Measures groups against gold groups, numbers or any labels; -1, None, NaN or "" where there is none.

    Sources: AMI with the arithmetic mean, Vinh, Epps and Bailey (2010); ARI, Hubert and Arabie (1985);
    V-measure, Rosenberg and Hirschberg (2007), 1 where there is nothing to be known; B-cubed, Bagga and
    Baldwin (1998), each headline its own companion; pairs of distinct headlines, with F1 = 2TP / (2TP + FP +
    FN).
    """
    table = _judged_table(labels, gold)
    scores = _scores(table)
    if resamples:
        drawn = _drawn(table, resamples, seed)
        units, kind = len(table.gold_sizes), "gold groups"
        scores = {
            name: Figure.resampled(of.value, drawn[name], units=units, unit=kind, reason=of.reason)
            for name, of in scores.items()
        }
    return GroupQuality(
        scores=scores,
        judged=table.total,
        unjudged=len(gold) - table.total,
        groups=len(table.group_sizes),
        gold_groups=len(table.gold_sizes),
    )


def pair_counts(labels: IntArray | Sequence[int], gold: Gold) -> tuple[float, float, float]:
    """Pairs of judged headlines: together in groups and gold, in the groups, in the gold groups."""
    table = _judged_table(labels, gold)
    both, grouped, wanted = (
        float((sizes * (sizes - 1) // 2).sum())
        for sizes in (table.count, table.group_sizes, table.gold_sizes)
    )
    return both, grouped, wanted


def resampled(
    labels: IntArray | Sequence[int], gold: Gold, *, resamples: int = RESAMPLES, seed: int = 0
) -> Mapping[str, FloatArray]:
    """Each measure in resamples of the gold groups, NaN where undefined (Efron and Tibshirani 1993)."""
    # Headlines keep their companions, and gold groups what they add to AMI's expectation.
    return _drawn(_judged_table(labels, gold), resamples, seed)


def _judged_table(labels: IntArray | Sequence[int], gold: Gold) -> Contingency:
    numbers = np.asarray(labels, dtype=np.int64)
    codes = codes_of(gold)
    if len(numbers) != len(codes):
        message = f"There are {len(numbers)} labels and {len(codes)} gold groups."
        raise InputError(message, hint="Give one of each for every headline.")
    # The table of two labellings, int64 [n] each, any numbering.
    _, left = np.unique(numbers[codes >= 0], return_inverse=True)
    _, right = np.unique(codes[codes >= 0], return_inverse=True)
    width = int(right.max(initial=-1)) + 1
    cells, count = np.unique(left * width + right, return_counts=True)
    return Contingency(
        group=(cells // max(width, 1)).astype(np.int64),
        gold=(cells % max(width, 1)).astype(np.int64),
        count=count.astype(np.int64),
        group_sizes=np.bincount(left).astype(np.int64),
        gold_sizes=np.bincount(right).astype(np.int64),
    )


def codes_of(gold: Gold) -> IntArray:
    if isinstance(gold, np.ndarray) and gold.dtype.kind == "i":
        return gold.astype(np.int64)
    import pandas as pd

    known = [None if isinstance(group, str) and not group else group for group in gold]
    return pd.factorize(pd.Series(known, dtype=object))[0].astype(np.int64)


def _scores(table: Contingency) -> dict[str, Figure]:
    if table.total < 2:
        reason = "no headline has a gold group" if table.total == 0 else "only one headline has a gold group"
        return dict.fromkeys(MEASURES, Figure(None, reason))
    sums = _sums(table).sum(axis=0, keepdims=True)
    values = _measure(sums, table.total)
    first = {name: float(values[name][0]) for name in MEASURES}
    return {name: Figure(None, _REASONS[name]) if np.isnan(at) else Figure(at) for name, at in first.items()}


def _sums(table: Contingency) -> FloatArray:
    count = table.count.astype(np.float64)
    size, gold_size = table.group_sizes[table.group], table.gold_sizes[table.gold]
    total = table.total
    each = (
        np.ones_like(count),
        count / size,
        count / gold_size,
        (count - 1) / 2,
        (size - 1) / 2,
        (gold_size - 1) / 2,
        np.log(total / gold_size),
        np.log(total * count / (size * gold_size)),
        np.log(total / size),
    )
    groups = len(table.gold_sizes)
    added = [np.bincount(table.gold, count * value, groups) for value in each]
    return np.column_stack([*added, total * expected_information(table)])


def _measure(sums: FloatArray, total: int) -> dict[str, FloatArray]:
    n, precise, recalled, hits, pairs, gold_pairs, gold_entropy, information, entropy, by_chance = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        precision, recall = precise / n, recalled / n
        gold_h, found_h, shared = gold_entropy / n, entropy / n, information / n
        homogeneity = np.where(gold_h < _ZERO, 1.0, shared / gold_h)
        completeness = np.where(found_h < _ZERO, 1.0, shared / found_h)
        hits_by_chance = pairs * gold_pairs / (n * (total - 1) / 2)
        return {
            "ami": _adjusted(shared, by_chance / n, (gold_h + found_h) / 2),
            "ari": _adjusted(hits, hits_by_chance, (pairs + gold_pairs) / 2),
            "v_measure": _harmonic(homogeneity, completeness),
            "homogeneity": homogeneity,
            "completeness": completeness,
            "bcubed_precision": precision,
            "bcubed_recall": recall,
            "bcubed_f1": _harmonic(precision, recall),
            "pair_precision": hits / pairs,
            "pair_recall": hits / gold_pairs,
            "pair_f1": 2 * hits / (pairs + gold_pairs),
        }


def _adjusted(value: FloatArray, expected: FloatArray, most: FloatArray) -> FloatArray:
    nothing = _ZERO * np.maximum(1.0, np.abs(most))
    span, above = most - expected, value - expected
    above = np.where(np.abs(above) < nothing, 0.0, above)
    return np.where(np.abs(span) < nothing, np.nan, above / span)


def _harmonic(first: FloatArray, other: FloatArray) -> FloatArray:
    both = first + other
    return np.where(both < _ZERO, 0.0, 2 * first * other / np.where(both < _ZERO, 1.0, both))


def _drawn(table: Contingency, resamples: int, seed: int) -> Mapping[str, FloatArray]:
    if len(table.gold_sizes) < FEWEST:
        return dict.fromkeys(MEASURES, np.full(resamples, np.nan))
    sums = bootstrap_sums(_sums(table), resamples=resamples, seed=seed)
    return _measure(sums, table.total)


def best_groups(n: int, left: IntArray, right: IntArray, pairs: FloatArray) -> tuple[IntArray, float]:
    """The groups of n headlines whose pairs have the highest expected F1, int64 [n], and that F1."""
    # A pair raises F1 where it is likelier than half of it (Dinkelbach 1967): for rising F1, Leiden's method
    # (Traag et al. 2019) finds the groups whose pairs gain most above that. A pair that is not given is
    # apart.
    import igraph

    graph = igraph.Graph(n=n, edges=np.stack([left, right], axis=1))
    total, best, value, bar = float(pairs.sum()), np.arange(n), 0.0, 0.25
    while True:
        gains = {"objective_function": "CPM", "weights": pairs.tolist(), "resolution": bar}
        with igraph_seeded(0):
            groups = np.array(graph.community_leiden(**gains, n_iterations=-1).membership, dtype=np.int64)
        inside, sizes = groups[left] == groups[right], np.bincount(groups)
        joined = float((sizes * (sizes - 1) // 2).sum())
        f1 = 2 * float(pairs[inside].sum()) / max(joined + total, 1e-10)
        if f1 <= value + 1e-12:
            break
        best, value, bar = groups, f1, f1 / 2
    first: dict[int, int] = {}
    return np.array([first.setdefault(group, len(first)) for group in best.tolist()], dtype=np.int64), value


def exactly(groups: IntArray, left: IntArray, right: IntArray, pairs: FloatArray) -> FloatArray:
    """The probability that each group is exactly right, float64 [groups]; see `gold_groups`."""
    n, sizes = len(groups), np.bincount(groups)
    # how well each headline fits each group: the mean of its pairs with the others of that group
    rows, near = np.concatenate([left, right]), groups[np.concatenate([right, left])]
    keys, at = np.unique(rows * len(sizes) + near, return_inverse=True)
    row, group = keys // max(len(sizes), 1), keys % max(len(sizes), 1)
    own = groups[row] == group
    fit = np.bincount(at, weights=np.tile(pairs, 2), minlength=len(keys)) / np.maximum(sizes[group] - own, 1)
    fits = np.where(sizes[groups] > 1, 0.0, 1.0)
    fits[row[own]] = fit[own]
    worst, nearest = np.ones(len(sizes)), np.zeros(len(sizes))
    np.minimum.at(worst, groups, fits[:n])
    np.maximum.at(nearest, group[~own], fit[~own])
    return np.asarray(worst * (1 - nearest), dtype=np.float64)
