"""Louvain: communities of the graph of links, by modularity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.groups.grouper import (
    CHAINING,
    GroupingInput,
    SliderRange,
    by_first_appearance,
    check_granularity,
    groupers,
)
from core.groups.link_graph import link_graph
from core.runtime import Runtime, igraph_seeded
from core.similarities import IntArray, Similarities


@dataclass(frozen=True, slots=True, eq=False)
class LouvainGroups:
    """Communities, computed at each cut.

    Attributes:
        similarities: Of the n headlines.
        resolution: See `Louvain`.
        seed: Of the order in which headlines are visited.
    """

    similarities: Similarities
    resolution: float
    seed: int

    def cut(self, granularity: float) -> IntArray:
        """Communities over links of at most `granularity`; see `Hierarchy.cut`."""
        check_granularity(granularity)
        graph = link_graph(self.similarities, granularity)
        with igraph_seeded(self.seed):
            found = graph.igraph().community_multilevel(weights="weight", resolution=self.resolution)
        return by_first_appearance(graph.labels(found.membership))


@groupers.register("louvain.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Louvain:
    """Communities of the links with a distance of at most the granularity, by modularity.

    Links are weighted by similarity. Seeded by the runtime; headlines are visited in an order that
    does not depend on the order of the rows.

    Source: Blondel et al. (2008), igraph's implementation.
    """

    summary: ClassVar[str] = "Communities in the network of links (Louvain)"
    usual: ClassVar[SliderRange] = CHAINING
    nested: ClassVar[bool] = False

    resolution: float = field(
        default=1.0, metadata={"help": "higher gives smaller groups", "low": 0.01, "high": 100.0}
    )

    def fit(self, given: GroupingInput, runtime: Runtime) -> LouvainGroups:
        """Keeps the similarities; see `Grouper.fit`."""
        return LouvainGroups(given.similarities, self.resolution, runtime.seed)
