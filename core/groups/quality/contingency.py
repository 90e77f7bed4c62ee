"""How two groupings of the same headlines meet: the table that every measure of groups reads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Contingency:
    """The cells of the table groups × gold groups that hold at least one headline.

    Attributes:
        group: Group of each cell, int64 [m], from 0.
        gold: Gold group of each cell, int64 [m], from 0.
        count: Headlines in each cell, int64 [m], at least 1.
        group_sizes: Headlines in each group, int64 [groups].
        gold_sizes: Headlines in each gold group, int64 [gold groups].
    """

    group: IntArray
    gold: IntArray
    count: IntArray
    group_sizes: IntArray
    gold_sizes: IntArray

    @property
    def total(self) -> int:
        """Headlines in the table."""
        return int(self.gold_sizes.sum())


def contingency(groups: IntArray, gold: IntArray) -> Contingency:
    """The table of two labellings, int64 [n] each, any numbering."""
    _, left = np.unique(groups, return_inverse=True)
    _, right = np.unique(gold, return_inverse=True)
    width = int(right.max(initial=-1)) + 1
    cells, count = np.unique(left * width + right, return_counts=True)
    return Contingency(
        group=(cells // max(width, 1)).astype(np.int64),
        gold=(cells % max(width, 1)).astype(np.int64),
        count=count.astype(np.int64),
        group_sizes=np.bincount(left).astype(np.int64),
        gold_sizes=np.bincount(right).astype(np.int64),
    )


def expected_mutual_information(table: Contingency) -> float:
    """Mean mutual information, in nats, of random groupings with the same sizes.

    The sum runs over pairs of distinct sizes, of which there are at most √(2n) on each side, rather
    than over pairs of groups.

    Source: Vinh, Epps and Bailey (2010), equation 24a: the cell of groups of sizes a and b has a
    hypergeometric count.
    """
    total = table.total
    log_factorial = np.concatenate(([0.0], np.cumsum(np.log(np.arange(1, total + 1)))))
    sizes, times = np.unique(table.group_sizes, return_counts=True)
    gold_sizes, gold_times = np.unique(table.gold_sizes, return_counts=True)
    expected = 0.0
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
        expected += time * float(np.dot(np.repeat(gold_times, spans), information * np.exp(log_chance)))
    return expected
