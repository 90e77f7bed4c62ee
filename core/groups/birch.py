"""BIRCH: groups as small balls of vectors."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.groups.grouper import Cuts, Grouper, GroupingInput, groupers
from core.runtime import Runtime

_LEAST_THRESHOLD = 1e-3  # below float32 noise between equal texts nothing would ever join


@groupers.register("birch.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Birch(Grouper):
    """Balls of vectors with a bounded radius; time and the pair scorer are ignored.

    The threshold comes from the granularity g as √g. The squared radius of a group of unit vectors
    with mean c is 1 - |c|², and |c|² is the mean cosine of all its pairs, each headline with itself
    included, so a radius of at most √g means a mean distance of at most g within the group.

    Headlines enter the tree sorted by their vectors, so that the order of the rows changes nothing.

    Source: Zhang, Ramakrishnan and Livny (1996), scikit-learn's implementation.
    """

    summary: ClassVar[str] = "Compact balls of meaning, whatever the dates (BIRCH)"

    branching: int = field(default=50, metadata={"help": "most children of a node", "low": 2, "high": 1_000})

    def fit(self, given: GroupingInput, runtime: Runtime) -> Cuts:
        if len(given.vectors) != len(given) or (len(given) > 0 and given.vectors.shape[1] == 0):
            raise InputError(
                "BIRCH groups vectors, and there is not one for each headline.",
                hint="Choose an encoder, or another grouping method.",
            )
        order = np.lexsort(given.vectors.T[::-1]) if len(given) else np.empty(0, np.int64)
        return Cuts(partial(self._balls, given.vectors[order], order.astype(np.int64)))

    def _balls(self, vectors: Float32Array, order: IntArray, granularity: float) -> IntArray:
        from sklearn.cluster import Birch as SklearnBirch

        labels = np.zeros(len(vectors), dtype=np.int64)
        if len(vectors) > 1:
            threshold = max(math.sqrt(granularity), _LEAST_THRESHOLD)
            tree = SklearnBirch(threshold=threshold, branching_factor=self.branching, n_clusters=None)
            labels[order] = tree.fit_predict(vectors)
        return labels
