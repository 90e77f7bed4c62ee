"""Meaning, words, names, numbers and time, and the groups around a pair: a probability of one event."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple

import numpy as np

from core.arrays import BoolArray, Float32Array, IntArray
from core.pairs import trained
from core.pairs.context import PairContext, require_vectors
from core.pairs.features.additive import (
    USUAL_SHARE,
    Additive,
    Bends,
    Linkage,
    bent,
    level_of,
    log_odds,
    probability,
    whole,
)
from core.pairs.features.families import EXCHANGED, Family, Values, timeline_features
from core.pairs.scorer import Formula, Need, PreparedScorer, ScorePart, pair_scorers
from core.pairs.scorers.event_similarity import EventSimilarity, Timeless
from core.pairs.selection import PairList, Selection, Tile
from core.pairs.trained import MODEL, TrainedScorer
from core.runtime import Runtime
from core.text.language import languages_differ

EVENT_BLEND: Final = "event_blend"  # kind of the model, and name of the one that ships

LINKED_HEADLINES = 6_000  # timelines above it are scored without groups: that takes minutes and gigabytes

SAMPLED_HEADLINES: Final = 2_000  # headlines whose pairs with each other say what a level promises

CROWDED: Final = "meaning and words, crowds apart"
BENDS: Final[Bends] = {"meaning": (0.4, 0.7), "words": (0.2, 0.5), CROWDED: (0.3, 0.6)}
GROUP_BENDS: Final[Bends] = {"pair": (-2.0, 2.0), "groups": (-2.0, 2.0), "similar groups": (0.2, 0.4)}
"""Where weights change; set by eye on training timelines, at about the quartiles of pairs worth a look."""

EXCHANGED_RATIO: Final = np.float32(-4.0)
"""Greatest log ratio where one fact is all that was exchanged: one to fifty even where half of all pairs are
of one event. Set by hand: public sets hold few such pairs, and none was written to tell two events apart."""

USUAL_LEVEL: Final = np.float32(log_odds(USUAL_SHARE))
"""Log odds before a pair is read: one pair in seven reports one event, as in HLGD."""

_ROWS = 1_024
_EDGE = np.float32(1e-4)  # keeps the log odds of a group's similarity finite


_APART: Final = "in grouping, headlines further apart than this are not compared"
GROUPING_WINDOW: Final = {"help": _APART, "low": 0.0, "high": 100_000.0}


@dataclass(frozen=True, slots=True)
class EventModel:
    """Weights and threshold of `event_blend`; they are small enough to stand in pair_model.json."""

    direct: Additive
    grouped: Additive
    threshold: float
    kind: str = EVENT_BLEND


def read_model(model: str) -> EventModel:
    """The model of `event_blend` in a folder, or the one that ships."""
    return trained.read(trained.head_folder(model), EventModel, EVENT_BLEND)


@dataclass(frozen=True, slots=True, eq=False)
class TimelineEvidence:
    """A timeline as far as no weight is needed."""

    places: IntArray
    features: Family
    alike: Timeless
    similar: Linkage | None

    def values(self, at: Selection) -> Values:
        """Name and value of everything that a pair shows by itself; pairs are asked for by place."""
        yield from bent(self.features(at), BENDS)
        yield from bent([(CROWDED, self.alike(at))], BENDS)

    def grouped(self, pair: Float32Array, groups: Linkage, at: Selection) -> Values:
        """Name and value of what the last sum is made of."""
        united = np.clip(groups.at(at), _EDGE, 1 - _EDGE)
        values = [("pair", pair), ("groups", np.log(united / (1 - united)))]
        if self.similar is not None:
            values.append(("similar groups", self.similar.at(at)))
        yield from bent(values, GROUP_BENDS)


class Direct(NamedTuple):
    """Log likelihood ratios of all pairs, where one fact was exchanged, and their average linkage."""

    ratios: Float32Array
    exchanged: BoolArray
    groups: Linkage


def direct_ratios(
    direct: Additive, values: Iterable[tuple[str, Float32Array]]
) -> tuple[Float32Array, Float32Array]:
    """Log ratios of some pairs, and 1 where one fact was exchanged; both float32 of the selection's shape."""
    exchanged: list[Float32Array] = []

    def others() -> Values:
        for name, value in values:
            if name == EXCHANGED:
                exchanged.append(value)
            else:
                yield name, value

    return direct.log_odds(others()), exchanged[0]


def weigh_pairs(direct: Additive, timeline: TimelineEvidence, runtime: Runtime) -> Direct:
    size = len(timeline.places)
    ratios = np.zeros((size, size), dtype=np.float32)
    exchanged = np.zeros((size, size), dtype=np.bool_)
    for start in runtime.track(range(0, size, _ROWS), "Weighing evidence"):
        rows, columns = slice(start, min(start + _ROWS, size)), slice(start, size)
        forward, swapped = direct_ratios(direct, timeline.values(Tile(rows, columns)))
        _mirror(ratios, forward, rows)
        _mirror(exchanged, swapped > 0, rows)
    return Direct(ratios, exchanged, Linkage.of(probability(ratios + USUAL_LEVEL)))


def _mirror(whole: np.ndarray, block: np.ndarray, rows: slice) -> None:
    height = block.shape[0]
    square = np.triu(block[:, :height])
    whole[rows, rows] = square | square.T if whole.dtype == np.bool_ else square + np.triu(square, 1).T
    whole[rows, rows.stop :] = block[:, height:]
    whole[rows.stop :, rows] = block[:, height:].T


@dataclass(frozen=True, slots=True, eq=False)
class PairEvidence:
    """What is known of the pairs of one timeline; pairs are asked for by place."""

    model: EventModel
    timeline: TimelineEvidence
    direct: Direct | None
    ratios: Float32Array | None

    def score(self, at: Selection) -> Float32Array:
        """Probability of one event, float32 of the selection's shape."""
        if self.ratios is None:
            ratios = capped(*direct_ratios(self.model.direct, self.timeline.values(at)))
        else:
            ratios = np.asarray(self.ratios[at.sides(np.arange(len(self.ratios)))])
        return probability(ratios + USUAL_LEVEL)

    def prepared(self) -> Formula:
        return Formula(lambda at: self.score(at.renumbered(self.timeline.places)))

    def parts(self, at: PairList) -> tuple[ScorePart, ...]:
        """What each feature adds to the log odds of one pair, the weightiest first, then a usual pair's."""
        direct, last = self.model.direct, self.model.grouped
        own = {name: value.copy() for name, value in self.timeline.values(at)}
        exchanged = float(own.pop(EXCHANGED)[0])
        added = {name: float(amount[0]) for name, amount in direct.amounts(own.items())}
        pair = np.array([sum(added.values()) + direct.bias], dtype=np.float32)
        usual, above = direct.bias, 0.0
        if self.direct is not None:
            values = self.timeline.grouped(pair, self.direct.groups, at)
            amounts = whole({name: float(amount[0]) for name, amount in last.amounts(values)})
            above, usual = amounts.pop("pair") - float(pair[0]), direct.bias + last.bias
            added |= amounts
        by_feature = whole(added)
        if exchanged:
            cap(by_feature, sum(by_feature.values()) + usual + above)
        return weightiest_first(by_feature, usual + above + float(USUAL_LEVEL))


def cap(added: dict[str, float], total: float) -> None:
    """Takes away what a log ratio may not reach where one fact was exchanged."""
    if total > EXCHANGED_RATIO:
        added[EXCHANGED] = float(EXCHANGED_RATIO) - total


def weightiest_first(added: Mapping[str, float], usual: float) -> tuple[ScorePart, ...]:
    ordered = sorted(added.items(), key=lambda item: -abs(item[1]))
    return (*(ScorePart(name, amount) for name, amount in ordered), ScorePart("any pair", usual))


def look(context: PairContext, runtime: Runtime) -> TimelineEvidence:
    order = context.by_day_and_wording
    ordered = context.take(order)
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    scorer = EventSimilarity()
    alike = scorer.timeless(ordered, runtime)
    similar, size = None, len(order)
    if size <= LINKED_HEADLINES:
        faded, similarities = scorer.faded(alike, ordered), np.empty((size, size), dtype=np.float32)
        for start in runtime.track(range(0, size, _ROWS), "Comparing headlines"):
            rows = slice(start, min(start + _ROWS, size))
            similarities[rows] = faded.block(rows, slice(0, size))
        similar = Linkage.of(similarities)
    return TimelineEvidence(places, timeline_features(ordered), alike, similar)


def weigh(model: EventModel, timeline: TimelineEvidence, runtime: Runtime) -> PairEvidence:
    """Weighs the evidence, and groups a timeline of at most `LINKED_HEADLINES` by it."""
    if timeline.similar is None:
        return PairEvidence(model, timeline, None, None)
    return PairEvidence(model, timeline, *weigh_groups(model, timeline, runtime))


def weigh_groups(
    model: EventModel, timeline: TimelineEvidence, runtime: Runtime
) -> tuple[Direct, Float32Array]:
    """What pairs say by themselves, and log ratios of all pairs with the groups around them, [n, n]."""
    size = len(timeline.places)
    direct = weigh_pairs(model.direct, timeline, runtime)
    ratios = np.empty_like(direct.ratios)
    for start in runtime.track(range(0, size, _ROWS), "Weighing groups"):
        rows, columns = slice(start, min(start + _ROWS, size)), slice(start, size)
        pair = direct.ratios[rows, columns]
        values = timeline.grouped(pair.copy(), direct.groups, Tile(rows, columns))
        _mirror(ratios, capped(model.grouped.log_odds(values), direct.exchanged[rows, columns]), rows)
    return direct, ratios


def sampled_rows(context: PairContext) -> IntArray:
    """Rows of `SAMPLED_HEADLINES` headlines at most, evenly spaced by day and wording, ascending, [k]."""
    order = context.by_day_and_wording
    count = min(len(order), SAMPLED_HEADLINES)
    return np.sort(order[np.linspace(0, len(order) - 1, count).round().astype(np.int64)])


def sampled_probabilities(context: PairContext, runtime: Runtime) -> tuple[IntArray, Float32Array]:
    """The sampled rows and probabilities that each two are one event; NaN between two languages."""
    rows = sampled_rows(context)
    timeline = look(context.take(rows), runtime)
    _, ratios = weigh_groups(read_model(EVENT_BLEND), timeline, runtime)
    scores = probability(ratios + np.float32(level_of(ratios[np.triu_indices(len(rows), 1)])))
    languages = context.languages[rows]
    scores = scores[np.ix_(timeline.places, timeline.places)]
    scores[languages_differ(languages[:, None], languages)] = np.nan
    return rows, scores


def capped(ratios: Float32Array, exchanged: np.ndarray) -> Float32Array:
    return np.where(exchanged > 0, np.minimum(ratios, EXCHANGED_RATIO), ratios)


@pair_scorers.register("event_blend.v3")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventBlend(TrainedScorer):
    """Probability that two headlines report one event, from all that the timeline says of them.

    Two sums of features, each a log likelihood ratio: of what the pair itself shows (cosine, words and names
    by their rarity, numbers that agree or conflict, days apart), and of how alike the groups are that unite
    the two in average linkage, of the first sum's probabilities and of `event_similarity.v2`. The probability
    is as where one pair in seven reports one event, whatever else the file holds. Every weight has the sign
    that it should have; where one fact was exchanged, the ratio is at most `EXCHANGED_RATIO`; a missing date
    is a feature of its own.

    Trained on UCI, AllSides, NeuS, ECB+ and Emergent; models/event_blend/README.md has the figures,
    docs/decisions/0009-learned-scorer.md and docs/decisions/0017-level-of-a-timeline.md the reasons.
    """

    summary: ClassVar[str] = "All evidence on a pair and on the groups around it, weighed by a trained model"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})

    model: str = field(default=EVENT_BLEND, metadata=MODEL)
    window_days: float = field(default=30.0, metadata=GROUPING_WINDOW)

    @property
    def threshold(self) -> float:
        return read_model(self.model).threshold

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        return self.weigh(context, runtime).prepared()

    def weigh(self, context: PairContext, runtime: Runtime) -> PairEvidence:
        require_vectors(context)
        return weigh(read_model(self.model), look(context, runtime), runtime)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        evidence = self.weigh(context, Runtime())
        pair = PairList(np.array([left]), np.array([right]))
        return evidence.parts(pair.renumbered(evidence.timeline.places))
