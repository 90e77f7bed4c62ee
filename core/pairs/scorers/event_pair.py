"""The default: what two headlines say of each other, and nothing of the file around them."""

from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np

from core.arrays import Float32Array
from core.pairs import trained
from core.pairs.context import PairContext, require_vectors
from core.pairs.features.additive import Additive, Bends, bent, probability, whole
from core.pairs.features.families import EXCHANGED, Family, Values, numerals, swapped
from core.pairs.features.overlap import dice, incidence, sums
from core.pairs.scorer import Formula, Need, PreparedScorer, ScorePart, pair_scorers
from core.pairs.scorers.event_blend import GROUPING_WINDOW, cap, capped, direct_ratios, weightiest_first
from core.pairs.selection import PairList, Selection
from core.pairs.trained import MODEL, TrainedScorer
from core.runtime import Runtime
from core.text.differences import read

EVENT_PAIR: Final = "event_pair"
FADED: Final = "meaning of near days"
BENDS: Final[Bends] = {
    "meaning": (0.3, 0.5, 0.7),
    FADED: (0.3, 0.6),
    "words": (0.4,),
    "days apart": (1.0, 4.0, 10.0),
}
"""Where weights change."""

SIGNS: Final = {
    "meaning": 1,
    FADED: 1,
    "words": 1,
    "one contains the other": 1,
    "numbers agree": 1,
    "numbers conflict": -1,
    "days apart": -1,
    "date missing": 0,
}
"""Features, and the direction in which each may move the odds."""

FARTHEST: Final = 30.0  # days beyond which it makes no more difference how many they are

UNKNOWN_GAP: Final = 1.0
FADE: Final = 5.0  # days after which meaning counts 1/e of what it counts on one day


@dataclass(frozen=True, slots=True)
class PairOdds:
    """What pair_model.json holds."""

    encoder: str
    odds: Additive
    threshold: float
    kind: str = EVENT_PAIR


def pair_features(context: PairContext) -> Family:
    """Features of two headlines, each read by itself."""
    readings = [read(text) for text in context.texts]
    words = incidence([[token.form for token in (*reading.names, *reading.words)] for reading in readings])
    counts, whole_days = sums(words), np.floor(context.days)
    of_numbers, of_facts = numerals(readings), swapped(readings)

    def values(at: Selection) -> Values:
        first, second = at.sides(whole_days)
        gap = np.abs(first - second).astype(np.float32)
        missing = np.isnan(gap)
        gap[missing] = UNKNOWN_GAP
        gap = np.minimum(gap, np.float32(FARTHEST))
        yield "date missing", missing.astype(np.float32)
        meaning = at.inner(context.vectors)
        yield FADED, faded(meaning, gap)
        yield "days apart", gap
        yield "meaning", meaning
        shared, (left, right) = at.shared(words, words), at.sides(counts)
        yield "words", dice(shared, left + right)
        least = np.maximum(np.minimum(left, right), np.float32(1))
        yield "one contains the other", np.asarray(shared / least, dtype=np.float32)
        yield from of_numbers(at)
        yield from of_facts(at)

    return values


def faded(meaning: Float32Array, gap: Float32Array) -> Float32Array:
    return np.asarray(meaning * np.exp(-gap / np.float32(FADE)), dtype=np.float32)


def formula(odds: Additive, context: PairContext) -> Formula:
    features = pair_features(context)
    return Formula(lambda at: probability(capped(*direct_ratios(odds, bent(features(at), BENDS)))))


@pair_scorers.register("event_pair.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventPair(TrainedScorer):
    """Probability that two headlines report one event, from the two alone, in any language.

    One logistic regression over the cosine of `e5_siamese.v1`, content words in common, numbers that agree or
    conflict, one fact exchanged, and days apart; every weight has the sign that it should have. The
    probability is that where one pair in six reports one event. It does not depend on what else is in the
    file. A missing date is a feature of its own. models/event_pair/README.md has the figures.
    """

    summary: ClassVar[str] = "Meaning, words, numbers and days of the two headlines, any language (trained)"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})

    model: str = field(default=EVENT_PAIR, metadata=MODEL)
    window_days: float = field(default=30.0, metadata=GROUPING_WINDOW)

    @property
    def threshold(self) -> float:
        return read_odds(self.model).threshold

    @property
    def encoder(self) -> str:
        return read_odds(self.model).encoder

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        require_vectors(context)
        return formula(read_odds(self.model).odds, context)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        odds, pair = read_odds(self.model).odds, context.take(np.array([left, right]))
        features = pair_features(pair)(PairList(np.array([0]), np.array([1])))
        values = {name: value.copy() for name, value in features}
        exchanged = float(values.pop(EXCHANGED)[0])
        amounts = odds.amounts(bent(values.items(), BENDS))
        added = whole({name: float(amount[0]) for name, amount in amounts})
        if exchanged:
            cap(added, sum(added.values()) + odds.bias)
        return weightiest_first(added, odds.bias)


def read_odds(model: str) -> PairOdds:
    return trained.read(trained.head_folder(model), PairOdds, EVENT_PAIR)
