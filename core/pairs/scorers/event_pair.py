"""The default: what two headlines say of each other, and nothing of the file around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array
from core.models.weights import hash_of
from core.pairs import model_file
from core.pairs.features.additive import Additive, Bends, bent, probability, whole
from core.pairs.features.families import EXCHANGED, Numerals, Swapped
from core.pairs.features.overlap import dice, incidence, sums
from core.pairs.scorer import (
    Formula,
    Need,
    PairContext,
    PreparedScorer,
    ScorePart,
    pair_scorers,
    require_vectors,
)
from core.pairs.scorers.event_blend import EXCHANGED_RATIO, capped, direct_ratios
from core.pairs.selection import PairList, Selection
from core.pairs.trained import MODEL, TrainedScorer, head_folder
from core.runtime import Runtime
from core.text.differences import read

if TYPE_CHECKING:
    from scipy import sparse

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

FARTHEST: Final = 30.0
"""Days beyond which it makes no more difference how many they are."""

UNKNOWN_GAP: Final = 1.0
FADE: Final = 5.0
"""Days after which meaning counts 1/e of what it counts on one day."""


@dataclass(frozen=True, slots=True)
class PairOdds:
    """What pair_model.json holds.

    Attributes:
        encoder: Signature of the encoder whose vectors it was trained on.
        odds: Weights of the features of a pair.
        threshold: Probability from which a pair is called the same event.
    """

    encoder: str
    odds: Additive
    threshold: float
    kind: str = EVENT_PAIR


@dataclass(frozen=True, slots=True, eq=False)
class PairReading:
    """Headlines, read each by itself.

    Attributes:
        words: 1 where a headline has a content word or a name; CSR [n, words].
        counts: Their number in each, float32 [n].
        days: Publication days, float64 [n]; NaN where unknown.
    """

    vectors: Float32Array
    words: sparse.csr_matrix
    counts: Float32Array
    numerals: Numerals
    swapped: Swapped
    days: npt.NDArray[np.float64]

    @staticmethod
    def of(texts: Sequence[str], days: npt.NDArray[np.float64], vectors: Float32Array) -> PairReading:
        readings = [read(text) for text in texts]
        words = incidence([[token.form for token in (*one.names, *one.words)] for one in readings])
        return PairReading(
            vectors, words, sums(words), Numerals.of(readings), Swapped.of(readings), np.floor(days)
        )

    def values(self, at: Selection) -> Iterator[tuple[str, Float32Array]]:
        """Name and value of each feature."""
        first, second = at.sides(self.days)
        gap = np.abs(first - second).astype(np.float32)
        missing = np.isnan(gap)
        gap[missing] = UNKNOWN_GAP
        gap = np.minimum(gap, np.float32(FARTHEST))
        yield "date missing", missing.astype(np.float32)
        meaning = at.inner(self.vectors)
        yield FADED, faded(meaning, gap)
        yield "days apart", gap
        yield "meaning", meaning
        shared, (left, right) = at.shared(self.words, self.words), at.sides(self.counts)
        yield "words", dice(shared, left + right)
        least = np.maximum(np.minimum(left, right), np.float32(1))
        yield "one contains the other", np.asarray(shared / least, dtype=np.float32)
        yield from self.numerals.values(at)
        yield from self.swapped.values(at)


def faded(meaning: Float32Array, gap: Float32Array) -> Float32Array:
    return np.asarray(meaning * np.exp(-gap / np.float32(FADE)), dtype=np.float32)


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
        return read_odds(self.model).threshold

    @property
    def encoder(self) -> str:
        return read_odds(self.model).encoder

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        require_vectors(context)
        return self.formula(read_odds(self.model).odds, context)

    @staticmethod
    def formula(odds: Additive, context: PairContext) -> Formula:
        reading = PairReading.of(context.texts, context.days, context.vectors)
        return Formula(lambda at: probability(capped(*direct_ratios(odds, bent(reading.values(at), BENDS)))))

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        odds, pair = read_odds(self.model).odds, context.reordered(np.array([left, right]))
        reading = PairReading.of(pair.texts, pair.days, pair.vectors)
        values = {
            name: value.copy() for name, value in reading.values(PairList(np.array([0]), np.array([1])))
        }
        exchanged = float(values.pop(EXCHANGED)[0])
        amounts = odds.amounts(bent(values.items(), BENDS))
        added = whole({name: float(amount[0]) for name, amount in amounts})
        total = sum(added.values()) + odds.bias
        if exchanged and total > EXCHANGED_RATIO:
            added[EXCHANGED] = float(EXCHANGED_RATIO) - total
        ordered = sorted(added.items(), key=lambda item: -abs(item[1]))
        return (
            *(ScorePart(name, amount) for name, amount in ordered),
            ScorePart("any pair", odds.bias),
        )


def read_odds(model: str) -> PairOdds:
    folder = head_folder(model)
    return _read(folder, hash_of(folder / model_file.FILE))


@lru_cache(maxsize=8)
def _read(folder: Path, _hash: str) -> PairOdds:
    return model_file.read(folder, PairOdds, EVENT_PAIR)
