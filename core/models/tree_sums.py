"""Sums of boosted trees over many rows, compiled."""

import numba
import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.models.boosted_trees import BoostedTrees


def sums_of_trees(
    trees: BoostedTrees, rows: Float32Array, *, glance: int = 0, hopeless: float = -np.inf
) -> Float32Array:
    """As `BoostedTrees.predict`, quicker: what is below `hopeless` after `glance` trees keeps that sum."""
    questions = trees.columns, trees.borders, trees.values
    return _sums(np.ascontiguousarray(rows, dtype=np.float32), questions, trees.bias, (glance, hopeless))


@numba.njit(cache=True, nogil=True)
def _sums(
    rows: Float32Array,
    questions: tuple[IntArray, Float32Array, FloatArray],
    bias: float,
    glance: tuple[int, float],
) -> Float32Array:
    columns, borders, values = questions
    sums = np.empty(len(rows), dtype=np.float32)
    for row in range(len(rows)):
        total = bias
        for tree in range(len(values)):
            if tree == glance[0] and total < glance[1]:
                break
            leaf = 0
            for question in range(columns.shape[1]):
                leaf |= (rows[row, columns[tree, question]] > borders[tree, question]) << question
            total += values[tree, leaf]
        sums[row] = total
    return sums
