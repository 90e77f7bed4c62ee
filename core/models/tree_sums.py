"""Sums of boosted trees over many rows, compiled."""

from typing import Final

import numba
import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.models.boosted_trees import BoostedTrees

_BLOCK: Final = 256  # rows that ask a tree's questions together, many in one instruction


def sums_of_trees(
    trees: BoostedTrees, rows: Float32Array, *, glance: int = 0, hopeless: float = -np.inf
) -> Float32Array:
    """As `BoostedTrees.predict`, quicker: what is below `hopeless` after `glance` trees keeps that sum."""
    questions = trees.columns, trees.borders, trees.values
    columns = np.ascontiguousarray(rows.T, dtype=np.float32)
    return _sums(columns, questions, trees.bias, (min(glance, len(trees.values)), hopeless))


@numba.njit(cache=True, nogil=True)
def _add(
    total: FloatArray,
    block: Float32Array,
    questions: tuple[IntArray, Float32Array, FloatArray],
    some: tuple[int, int],
    count: int,
) -> None:
    """Adds what trees from the one of `some` up to the other say of the first `count` rows of a block."""
    columns, borders, values = questions
    leaves = np.empty(_BLOCK, dtype=np.uint16)
    for tree in range(some[0], some[1]):
        leaves[:count] = 0
        for question in range(columns.shape[1]):
            asked, border = block[columns[tree, question]], borders[tree, question]
            yes = np.uint16(1 << question)
            for row in range(count):
                leaves[row] |= yes if asked[row] > border else np.uint16(0)
        added = values[tree]
        for row in range(count):
            total[row] += added[leaves[row]]


@numba.njit(cache=True, nogil=True)
def _sums(
    columns: Float32Array,
    questions: tuple[IntArray, Float32Array, FloatArray],
    bias: float,
    glance: tuple[int, float],
) -> Float32Array:
    sums = np.empty(columns.shape[1], dtype=np.float32)
    block = np.empty((len(columns), _BLOCK), dtype=np.float32)
    total, places = np.empty(_BLOCK), np.empty(_BLOCK, dtype=np.int64)
    for start in range(0, len(sums), _BLOCK):
        count, left = min(_BLOCK, len(sums) - start), 0
        for column in range(len(block)):
            block[column, :count] = columns[column, start : start + count]
        total[:count] = bias
        _add(total, block, questions, (0, glance[0]), count)
        for row in range(count):
            sums[start + row] = total[row]
            if not total[row] < glance[1]:
                places[left], total[left] = start + row, total[row]
                for column in range(len(block)):
                    block[column, left] = block[column, row]
                left += 1
        _add(total, block, questions, (glance[0], len(questions[2])), left)
        for row in range(left):
            sums[places[row]] = total[row]
    return sums
