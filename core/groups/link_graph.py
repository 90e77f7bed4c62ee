"""The graph of links that community methods work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.similarities import Float32Array, IntArray, Similarities


@dataclass(frozen=True, slots=True, eq=False)
class LinkGraph:
    """Links between headlines, which are renumbered so that the order of the rows plays no part.

    Attributes:
        place: Vertex of each headline, int64 [n]: the one with the heaviest links comes first.
        left: One end of each link, a vertex, int64 [m].
        right: The other end, int64 [m].
        weight: Similarity, float32 [m].
    """

    place: IntArray
    left: IntArray
    right: IntArray
    weight: Float32Array

    def igraph(self) -> Any:
        """As an `igraph.Graph` with the edge attribute `weight`."""
        import igraph

        ends = list(zip(self.left.tolist(), self.right.tolist(), strict=True))  # faster than an array
        graph = igraph.Graph(n=len(self.place), edges=ends, directed=False)
        graph.es["weight"] = self.weight.astype(np.float64).tolist()
        return graph

    def labels(self, communities: Sequence[int]) -> IntArray:
        """Community of each headline, int64 [n], from that of each vertex."""
        return np.asarray(communities, dtype=np.int64)[self.place]


def link_graph(similarities: Similarities, granularity: float) -> LinkGraph:
    """The links with a similarity of at least 1 - granularity.

    Vertices are sorted by the sum of their links' similarities, links by their vertices: methods
    that visit vertices in a seeded order then give the same groups for any order of the rows,
    unless two sums tie.
    """
    left, right, weight = similarities.edges(1.0 - granularity)
    size = len(similarities)
    exact = np.rint(weight.astype(np.float64) * 2**30)  # whole numbers: sums do not depend on order
    strength = np.bincount(left, exact, size) + np.bincount(right, exact, size)
    place = np.empty(size, dtype=np.int64)
    place[np.argsort(-strength, kind="stable")] = np.arange(size)
    low, high = np.minimum(place[left], place[right]), np.maximum(place[left], place[right])
    order = np.lexsort((high, low))
    return LinkGraph(place, low[order], high[order], weight[order])
