"""DBSCAN: groups grow from headlines that have enough neighbours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.groups.grouper import (
    CHAINING,
    GroupingInput,
    SliderRange,
    by_first_appearance,
    check_granularity,
    groupers,
)
from core.runtime import Runtime
from core.similarities import IntArray, Similarities


@dataclass(frozen=True, slots=True, eq=False)
class DbscanGroups:
    """Groups, computed at each cut.

    Attributes:
        similarities: Of the n headlines.
        min_samples: See `Dbscan`.
    """

    similarities: Similarities
    min_samples: int

    def cut(self, granularity: float) -> IntArray:
        """Groups with a neighbourhood of radius `granularity`; see `Hierarchy.cut`."""
        from scipy import sparse
        from scipy.sparse.csgraph import connected_components

        check_granularity(granularity)
        size = len(self.similarities)
        left, right, weight = self.similarities.edges(1.0 - granularity)
        neighbours = np.bincount(left, minlength=size) + np.bincount(right, minlength=size)
        core = neighbours + 1 >= self.min_samples
        between = core[left] & core[right]
        links = sparse.coo_matrix(
            (np.ones(int(between.sum()), np.int8), (left[between], right[between])), shape=(size, size)
        )
        labels = connected_components(links, directed=False)[1].astype(np.int64)
        labels[~core] = -1
        ends = np.concatenate((np.stack((left, right)), np.stack((right, left))), axis=1)
        strength = np.concatenate((weight, weight))
        edge = core[ends[0]] & ~core[ends[1]]
        inside, outside, strength = ends[0][edge], ends[1][edge], strength[edge]
        order = np.lexsort((-inside, strength))  # the last assignment stands: the strongest link
        labels[outside[order]] = labels[inside[order]]
        return by_first_appearance(labels)


@groupers.register("dbscan.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Dbscan:
    """Density-based groups; the granularity is the radius (eps) of a neighbourhood.

    A headline with at least `min_samples` headlines within the radius, itself counted, is a core;
    linked cores are together, and a headline that is not a core joins the core most like it
    (earliest of equals), so that the groups do not depend on the order of the rows. What is near
    no core is noise.

    Source: Ester et al. (1996); the border rule is that of DBSCAN revisited (Schubert et al. 2017)
    made deterministic.
    """

    summary: ClassVar[str] = "Groups grow from headlines with several close neighbours (DBSCAN)"
    usual: ClassVar[SliderRange] = CHAINING
    nested: ClassVar[bool] = False

    min_samples: int = field(
        default=3,
        metadata={"help": "headlines in a neighbourhood that make a group", "low": 1, "high": 1_000},
    )

    def fit(self, given: GroupingInput, runtime: Runtime) -> DbscanGroups:
        """Keeps the similarities; see `Grouper.fit`."""
        return DbscanGroups(given.similarities, self.min_samples)
