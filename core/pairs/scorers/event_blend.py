"""Meaning, words, names, numbers and time, and the groups around a pair, weighed by a trained model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from core.pairs.features.additive import Additive, probability
from core.pairs.features.families import PairFeatures, by_day_and_wording
from core.pairs.features.linkage import Linkage
from core.pairs.scorer import (
    Formula,
    Need,
    PairContext,
    PreparedScorer,
    ScorePart,
    pair_scorers,
    require_vectors,
)
from core.pairs.scorers.event_similarity import EventSimilarity
from core.pairs.selection import PairList, Selection, Tile
from core.pairs.trained import EVENT_BLEND, MODEL, EventModel, TrainedScorer, read_model
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

LINKED_HEADLINES = 6_000
"""Timelines above it are scored without their groups: a tree over more takes minutes and gigabytes."""

Block = Callable[[slice, slice], Float32Array]
"""Scores of all pairs of two ranges of headlines."""

AS_IT_IS = Additive(weights={"pair": 1.0}, usual={"pair": 0.0}, bias=0.0)
"""The last sum where there are no groups: the pair's own log odds."""

_ROWS = 1_024
_EDGE = np.float32(1e-4)  # keeps the log odds of a group's similarity finite


@dataclass(frozen=True, slots=True, eq=False)
class ReadTimeline:
    """A timeline as far as no weight is needed.

    Attributes:
        places: Where each headline of the context stands in the order that is used inside, int64 [n].
        features: Of a pair by itself.
        similar: Average linkage of `event_similarity.v1`; None where the timeline is too long for it.
    """

    places: IntArray
    features: PairFeatures
    similar: Linkage | None


@dataclass(frozen=True, slots=True, eq=False)
class PairEvidence:
    """What is known of the pairs of one timeline; pairs are asked for by place.

    Attributes:
        model: The weights.
        timeline: See `ReadTimeline`.
        groups: Average linkage of the probabilities by a pair's own features; None where `similar` is.
    """

    model: EventModel
    timeline: ReadTimeline
    groups: Linkage | None

    @property
    def last(self) -> Additive:
        """The sum that gives the score."""
        return AS_IT_IS if self.groups is None else self.model.grouped

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """Name and value of everything that the last sum is made of."""
        yield "pair", self.model.direct.log_odds(self.timeline.features.values(at))
        if self.groups is not None and self.timeline.similar is not None:
            united = np.clip(self.groups.at(at), _EDGE, 1 - _EDGE)
            yield "groups", np.log(united / (1 - united))
            yield "similar groups", self.timeline.similar.at(at)

    def score(self, at: Selection) -> Float32Array:
        """Probability of one event, float32 of the selection's shape."""
        return probability(self.last.log_odds(self.values(at)))

    def prepared(self) -> Formula:
        """The scorer of the headlines in the order of the context."""
        return Formula(lambda at: self.score(at.renumbered(self.timeline.places)))

    def parts(self, at: Selection) -> tuple[ScorePart, ...]:
        """What each feature adds to the log odds of one pair, the weightiest first, then a usual pair's."""
        last, direct = self.last, self.model.direct
        added = {name: float(amount[0]) for name, amount in last.amounts(self.values(at))}
        del added["pair"]
        inner = last.weights["pair"]
        for name, amount in direct.amounts(self.timeline.features.values(at)):
            added[name] = inner * float(amount[0])
        usual = last.bias + inner * (direct.bias - last.usual["pair"])
        found = sorted(added.items(), key=lambda item: -abs(item[1]))
        return (*(ScorePart(name, amount) for name, amount in found), ScorePart("any pair", usual))


def look(context: PairContext, runtime: Runtime) -> ReadTimeline:
    """Reads a timeline.

    Args:
        context: Headlines with vectors, in any order.
        runtime: Progress and stop.
    """
    order = by_day_and_wording(list(context.texts), context.days)
    ordered = context.reordered(order)
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    similar = None
    if len(order) <= LINKED_HEADLINES:
        prepared = EventSimilarity().prepare(ordered, runtime)
        similar = Linkage.of(_all_pairs(prepared.block, len(order), runtime))
    return ReadTimeline(places, PairFeatures.of(ordered), similar)


def weigh(model: EventModel, timeline: ReadTimeline, runtime: Runtime) -> PairEvidence:
    """Weighs the evidence, and groups the timeline by it.

    Raises:
        Cancelled: The runtime's stop was set.
    """
    groups = None
    if timeline.similar is not None:

        def block(rows: slice, columns: slice) -> Float32Array:
            return probability(model.direct.log_odds(timeline.features.values(Tile(rows, columns))))

        groups = Linkage.of(_all_pairs(block, len(timeline.places), runtime))
    return PairEvidence(model, timeline, groups)


def _all_pairs(block: Block, size: int, runtime: Runtime) -> Float32Array:
    """A full matrix, float32 [size, size], from blocks of rows."""
    whole = np.empty((size, size), dtype=np.float32)
    for start in runtime.track(range(0, size, _ROWS), "Weighing evidence"):
        rows = slice(start, min(start + _ROWS, size))
        whole[rows] = block(rows, slice(0, size))
    return whole


@pair_scorers.register("event_blend.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventBlend(TrainedScorer):
    """Probability that two headlines tell one event, from all that the timeline says of them.

    Two sums of features, each passed through the logistic function. The first weighs what the pair
    itself shows: cosine, words and names by their rarity in the timeline, numbers that agree or
    conflict, days apart. The second adds how alike the groups are that
    unite the two in average linkage, once of the first sum's probabilities and once of
    `event_similarity.v1`. Every feature is symmetric and every weight has the sign that it should
    have: agreement never lowers a sum, and days never raise one.

    A missing date is a feature of its own. Trained on the training parts of UCI, AllSides, ECB+
    and Emergent; models/event_blend/README.md has the figures, docs/decisions/0009-learned-scorer.md
    the reasons.
    """

    summary: ClassVar[str] = "All evidence on a pair and on the groups around it, weighed by a trained model"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})

    model: str = field(default=EVENT_BLEND, metadata=MODEL)
    window_days: float = field(
        default=30.0,
        metadata={
            "help": "in grouping, headlines further apart than this are not compared",
            "low": 0.0,
            "high": 100_000.0,
        },
    )

    @property
    def threshold(self) -> float:
        """Probability from which a pair is called the same event; the model's folder has it."""
        return read_model(self.model).threshold

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        """Reads the headlines and groups the timeline.

        Raises:
            InputError: The context has no vectors.
            ModelUnavailableError: There is no such model, or it is damaged.
            Cancelled: The runtime's stop was set.
        """
        require_vectors(context)
        return weigh(read_model(self.model), look(context, runtime), runtime).prepared()

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        """What each feature adds to the log odds, the weightiest first; they sum up to the score's."""
        runtime = Runtime()
        evidence = weigh(read_model(self.model), look(context, runtime), runtime)
        pair = PairList(np.array([left]), np.array([right]))
        return evidence.parts(pair.renumbered(evidence.timeline.places))
