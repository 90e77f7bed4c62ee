"""Meaning, words, names, numbers and time, and the groups around a pair, weighed by a trained model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from core.pairs.event_evidence import Evidence, look, weigh
from core.pairs.event_model import FOLDER, read_model
from core.pairs.features.selection import PairList, Tile
from core.pairs.scorer import (
    Need,
    PairContext,
    Part,
    PreparedScorer,
    ScoreScale,
    pair_scorers,
    require_vectors,
)
from core.pairs.trained_head import MODEL, head_folder
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

_PAIRS_AT_ONCE = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class PreparedEventBlend:
    """Evidence over headlines in an order of its own.

    Attributes:
        evidence: See `Evidence`.
    """

    evidence: Evidence

    def pairs(self, left: IntArray, right: IntArray) -> Float32Array:
        """Scores of the pairs (left[k], right[k]), float32 [m], 0 to 1."""
        places = self.evidence.timeline.places
        scores = np.empty(len(left), dtype=np.float32)
        for start in range(0, len(left), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            scores[part] = self.evidence.score(PairList.of(places[left[part]], places[right[part]]))
        return scores

    def block(self, rows: slice, columns: slice) -> Float32Array:
        """Scores of two ranges of headlines, float32 [rows, columns], 0 to 1."""
        places = self.evidence.timeline.places
        return self.evidence.score(Tile(places[rows], places[columns]))


@pair_scorers.register("event_blend.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventBlend:
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
    scale: ClassVar[ScoreScale] = ScoreScale(low=0.0, high=1.0, symmetric=True)
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})

    model: str = field(default=FOLDER, metadata=MODEL)
    window_days: float = field(
        default=30.0,
        metadata={
            "help": "in grouping, headlines further apart than this are not compared",
            "low": 0.0,
            "high": 100_000.0,
        },
    )

    @property
    def weights(self) -> tuple[Path, ...]:
        """The model's folder; see `core.models.weights.taking_part`."""
        return (head_folder(self.model),)

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
        model = read_model(self.model)
        return PreparedEventBlend(weigh(model, look(context, runtime), runtime))

    def fade(self, left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> Float32Array:
        """1: the days apart are weighed, they are no factor."""
        return np.ones(np.broadcast_shapes(left.shape, right.shape), dtype=np.float32)

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[Part, ...]:
        """What each feature adds to the log odds, the weightiest first; they sum up to the score's."""
        runtime = Runtime()
        evidence = weigh(read_model(self.model), look(context, runtime), runtime)
        places = evidence.timeline.places
        return evidence.parts(PairList.of(places[[left]], places[[right]]))
