"""Groups by other libraries: communities of the graph of links (Louvain, Leiden), and BIRCH."""

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np

from core.arrays import Float32Array, IntArray
from core.errors import InputError
from core.groups.grouper import Cuts, Grouper, GroupingInput, groupers
from core.registry import number
from core.runtime import Runtime, igraph_seeded
from core.similarities import Similarities

_LEAST_THRESHOLD = 1e-3  # below float32 noise between equal texts nothing would ever join


@groupers.register("louvain.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Louvain(Grouper):
    """Communities of the links with a distance of at most the granularity, by modularity; seeded.

    Source: Blondel et al. (2008), igraph's implementation.
    """

    summary: ClassVar[str] = "Communities in the network of links (Louvain)"

    resolution: float = number(1.0, 0.01, 100.0, "higher gives smaller groups")

    def groups(self, given: GroupingInput, runtime: Runtime, granularity: float) -> IntArray:
        graph, place = _link_graph(given.similarities, granularity)
        with igraph_seeded(runtime.seed):
            communities = graph.community_multilevel(weights="weight", resolution=self.resolution)
        return np.asarray(communities.membership, dtype=np.int64)[place]


@groupers.register("leiden.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Leiden(Grouper):
    """As Louvain, with a refinement that keeps every community connected.

    Source: Traag, Waltman and van Eck (2019), igraph's implementation; modularity by Reichardt and Bornholdt
    (2006), with the resolution as its γ.
    """

    summary: ClassVar[str] = "Communities in the network of links, always connected (Leiden)"

    resolution: float = number(1.0, 0.01, 100.0, "higher gives smaller groups")
    rounds: int = field(default=2, metadata={"help": "times the groups are refined", "low": 1, "high": 100})

    def groups(self, given: GroupingInput, runtime: Runtime, granularity: float) -> IntArray:
        graph, place = _link_graph(given.similarities, granularity)
        with igraph_seeded(runtime.seed):
            communities = graph.community_leiden(
                objective_function="modularity",
                weights="weight",
                resolution=self.resolution,
                n_iterations=self.rounds,
            )
        return np.asarray(communities.membership, dtype=np.int64)[place]


def _link_graph(similarities: Similarities, granularity: float) -> tuple[Any, IntArray]:
    import igraph

    left, right, weight = similarities.edges(1.0 - granularity)
    size = len(similarities)
    exact = np.rint(weight.astype(np.float64) * 2**30)  # whole numbers: sums do not depend on order
    strength = np.bincount(left, exact, size) + np.bincount(right, exact, size)
    place = np.empty(size, dtype=np.int64)
    place[np.argsort(-strength, kind="stable")] = np.arange(size)
    low, high = np.minimum(place[left], place[right]), np.maximum(place[left], place[right])
    order = np.lexsort((high, low))
    ends = list(zip(low[order].tolist(), high[order].tolist(), strict=True))  # faster than an array
    graph = igraph.Graph(n=size, edges=ends, directed=False)
    graph.es["weight"] = weight[order].astype(np.float64).tolist()
    return graph, place


@groupers.register("birch.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Birch(Grouper):
    """Balls of vectors with a squared radius of at most the granularity; dates and scorer are ignored.

    The squared radius is 1 less the mean cosine of all pairs of a ball, whatever the order of the rows.

    Source: Zhang, Ramakrishnan and Livny (1996), scikit-learn's implementation.
    """

    summary: ClassVar[str] = "Compact balls of meaning, whatever the dates (BIRCH)"

    branching: int = field(default=50, metadata={"help": "most children of a node", "low": 2, "high": 1_000})

    def fit(self, given: GroupingInput, runtime: Runtime) -> Cuts:
        if len(given.vectors) != len(given) or (len(given) > 0 and given.vectors.shape[1] == 0):
            message = "BIRCH groups vectors, and there is not one for each headline."
            raise InputError(message, hint="Choose an encoder, or another grouping method.")
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
