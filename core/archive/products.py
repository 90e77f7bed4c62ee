"""Exact products of pairs of vectors, one after the other where they lie; compiled."""

from __future__ import annotations

import numba
import numpy as np

from core.similarities import Float32Array, Int32Array, IntArray


@numba.njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def reaching(
    vectors: Float32Array, left: IntArray, right: IntArray, floor: np.float32, fade: float
) -> Int32Array:
    """The pairs whose cosine reaches a floor, of those whose second row comes later; int32 [3, m]: both rows
    and the bits of the float32 product of cosine and fade.

    Added up in double precision and rounded once, so that the order of the sum, which differs between
    processors, tells in no bit but by rare chance.

    Args:
        vectors: Unit vectors, float32 [n, d].
        left: First rows of the pairs, [k].
        right: Second rows, [k].
        floor: Least cosine.
        fade: What a cosine is multiplied with.
    """
    found = np.empty((3, len(left)), np.int32)
    scores = np.empty(len(left), np.float32)
    count = 0
    for pair in range(len(left)):
        one, other = left[pair], right[pair]
        if one >= other:
            continue
        total = 0.0
        for axis in range(vectors.shape[1]):
            total += np.float64(vectors[one, axis]) * np.float64(vectors[other, axis])
        cosine = np.float32(total)
        if cosine >= floor:
            found[0, count], found[1, count] = one, other
            scores[count] = np.float32(cosine * fade)
            count += 1
    found[2] = scores.view(np.int32)
    return found[:, :count].copy()
