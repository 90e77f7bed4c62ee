"""Timelines of many shapes, drawn from the stories of a pair set, so that a model sees many contexts.

One set gives one context, and what it learns there (how broad an event is, how dense the days are) it
would carry to others. So stories are drawn together with those nearest to them in meaning, from one
narrow theme to none; they are whole, thinned to a few headlines, or mostly of one; and their dates are as
they stand, invented (bursts of stories within days or years, headlines of a story on the same and the
following days), or unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, IntArray
from core.data.pair_sets.drawing import Sampling, draw_pairs
from core.data.pair_sets.pair_set import PairSet
from core.pairs.features.additive import Additive
from core.pairs.scorer import PairContext

SIZES: Final = (40, 1_500)
"""Headlines of a timeline, drawn evenly on a log scale; HLGD's have 80 to 274."""

MOST_HEADLINES: Final = 2_000
"""Of a whole set, so that no set costs minutes."""

MOST_IN_STORY: Final = 60
REAL_DATES: Final = 0.45
"""Share of timelines that keep their dates, where the set has any."""

UNDATED: Final = 0.2

SPANS: Final = (3, 1_500)
"""Days that invented timelines last, drawn evenly on a log scale: from one theme of a few days to years."""

BURST_DAYS: Final = 4
"""Stories of one burst begin at most so many days before or after it: near enough to be negatives."""

PROMPTNESS: Final = (0.6, 0.75, 0.85)
"""Chance that a headline of a story is of its first day, or else of the next, and so on; drawn for each
timeline. About 60 % of positives are then of one day, and time alone reaches an F1 of about 0.6, as in HLGD
(0.585 and 0.654, table 3 of the paper); with slower stories a model would trust time too little."""

MOVED: Final = 0.25
"""Share of headlines that get a day of their own where the set gives all of a story one: as above."""

BLUR: Final = (0.0, 0.02, 0.05, 0.15, 1.0)
"""Noise on the cosines by which the nearest stories are chosen: from a narrow theme to none at all."""

POSITIVES: Final = 200
_DAY_ZERO: Final = 16_000.0


@dataclass(frozen=True, slots=True, eq=False)
class DrawnTimeline:
    """Headlines of one timeline, and pairs of them as the paper draws them.

    Attributes:
        stories: Number of each headline's story, int64 [n].
        left, right: Rows of each pair, int64 [m].
        labels: 1 or 0, int64 [m].
    """

    context: PairContext
    stories: IntArray
    left: IntArray
    right: IntArray
    labels: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Stories of one part of one set.

    Attributes:
        days: Days since 1970, float64 [n]; NaN where unknown.
        stories: Number of each headline's story, int64 [n], from 0.
        vectors: Unit vectors, float32 [n, d].
        centres: Unit mean vector of each story, float32 [stories, d].
    """

    texts: list[str]
    days: npt.NDArray[np.float64]
    stories: IntArray
    vectors: Float32Array
    centres: Float32Array

    @staticmethod
    def of(pairs: PairSet, vectors: Float32Array, rows: IntArray, rng: np.random.Generator) -> Pool:
        _, stories = np.unique(pairs.groups[rows], return_inverse=True)
        own = vectors[rows]
        centres = np.zeros((int(stories.max()) + 1, own.shape[1]), dtype=np.float32)
        np.add.at(centres, stories, own)
        centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), 1e-9)
        days = _unstamped(pairs.days[rows], stories, rng)
        return Pool([pairs.texts[row] for row in rows.tolist()], days, stories.astype(np.int64), own, centres)

    def whole(self, rng: np.random.Generator) -> DrawnTimeline:
        """All headlines as one timeline, with the dates that they have; of a large set some stories."""
        kept: list[IntArray] = []
        wanted = 0
        for story in rng.permutation(len(self.centres)).tolist():
            members = np.flatnonzero(self.stories == story)
            if wanted + len(members) <= MOST_HEADLINES or not kept:
                kept.append(members)
                wanted += len(members)
        rows = np.sort(np.concatenate(kept))
        return self._timeline(rows, self.days[rows], rng)

    def draw(self, rng: np.random.Generator) -> DrawnTimeline:
        """A timeline around a story that is drawn at random."""
        wanted = np.exp(rng.uniform(*np.log(SIZES)))
        nearness = self.centres @ self.centres[rng.integers(len(self.centres))]
        nearness = nearness + rng.normal(0, rng.choice(BLUR), len(nearness))
        sizes, kept = _story_sizes(len(self.centres), rng), []
        for story, size in zip(np.argsort(-nearness).tolist(), sizes.tolist(), strict=True):
            members = rng.permutation(np.flatnonzero(self.stories == story))
            kept.append(members[:size])
            if sum(map(len, kept)) >= wanted:
                break
        rows, kind = np.concatenate(kept), rng.random()
        if np.mean(np.isfinite(self.days)) > 0.5 and kind < REAL_DATES:
            days = self.days[rows]
        elif kind < 1 - UNDATED:
            days = _invented(list(map(len, kept)), rng)
        else:
            days = np.full(len(rows), np.nan)
        return self._timeline(rows, days, rng)

    def _timeline(
        self, rows: IntArray, days: npt.NDArray[np.float64], rng: np.random.Generator
    ) -> DrawnTimeline:
        sampling = Sampling(most_positives=POSITIVES, seed=int(rng.integers(2**31)))
        stories = self.stories[rows]
        left, right, labels = draw_pairs(np.zeros(len(rows), np.int64), days, stories, sampling)
        context = PairContext([self.texts[row] for row in rows.tolist()], days, self.vectors[rows])
        return DrawnTimeline(context, stories, left, right, labels)


def usable(drawn: DrawnTimeline) -> bool:
    """It has both kinds of pairs among those that the paper would draw."""
    return len(np.unique(drawn.labels)) == 2


def _story_sizes(count: int, rng: np.random.Generator) -> IntArray:
    kind = rng.choice(5, p=(0.25, 0.25, 0.2, 0.15, 0.15))
    if kind == 0:
        sizes = np.minimum(1 + rng.pareto(1.1, count), MOST_IN_STORY)
    elif kind in (1, 2):
        sizes = rng.geometric(0.5 if kind == 1 else 0.3, count)
    elif kind == 3:
        sizes = np.where(rng.random(count) < 0.6, 1, 1 + rng.geometric(0.4, count))
    else:
        sizes = np.full(count, np.iinfo(np.int32).max)
    return np.asarray(sizes, dtype=np.int64)


def _invented(sizes: list[int], rng: np.random.Generator) -> npt.NDArray[np.float64]:
    span = float(np.exp(rng.uniform(*np.log(SPANS))))
    fresh, prompt = rng.uniform(0.1, 0.6), rng.choice(PROMPTNESS)
    starts, bursts = np.zeros(len(sizes)), [float(rng.integers(0, max(int(span), 1)))]
    for story in rng.permutation(len(sizes)).tolist():
        if rng.random() < fresh:
            bursts.append(float(rng.integers(0, max(int(span), 1))))
            starts[story] = bursts[-1]
        else:
            starts[story] = rng.choice(bursts) + rng.integers(-BURST_DAYS, BURST_DAYS + 1)
    days = np.repeat(starts, sizes) + rng.geometric(prompt, sum(sizes)) - 1 + _DAY_ZERO
    if rng.random() < 0.1:
        days[rng.random(len(days)) < rng.uniform(0.05, 0.5)] = np.nan
    return days


def _unstamped(
    days: npt.NDArray[np.float64], stories: IntArray, rng: np.random.Generator
) -> npt.NDArray[np.float64]:
    firsts = np.unique(stories, return_index=True)[1][stories]
    if not np.isfinite(days).any() or np.any(days != days[firsts]):
        return days
    return days + np.where(rng.random(len(days)) < MOVED, rng.choice([-2, -1, -1, 1, 1, 2], len(days)), 0)


PENALTY: Final = 1e-3
"""Ridge penalty on the weights of standardised features, against a log loss in which
positives weigh a half."""

_STEPS: Final = 2_000


def fit_additive(
    signs: Mapping[str, int],
    values: npt.NDArray[np.float32],
    labels: npt.NDArray[np.bool_],
    weights: npt.NDArray[np.float64],
    offsets: npt.NDArray[np.float64],
) -> Additive:
    """Weights of the greatest penalised likelihood.

    The problem is convex with bounds, so the result does not depend on where the search starts.

    Args:
        signs: By name, in the order of the f features: 1 where one may only raise the odds, -1 where it may
            only lower them, else 0.
        values: float32 [m, f].
        labels: Same event, bool [m].
        weights: What each row counts, float64 [m]; both labels weigh something.
        offsets: Known log odds that are added to the sum of each row, float64 [m].
    """
    from scipy.optimize import minimize

    names = list(signs)
    kinds = np.stack([labels, ~labels]) * weights
    half = (kinds / (2 * kinds.sum(axis=1, keepdims=True))).sum(axis=0)
    mean = half @ values
    spread = np.sqrt(half @ (values - mean) ** 2) + 1e-6
    rows = ((values - mean) / spread).astype(np.float32)
    share = weights / (2 * kinds[0].sum())

    def loss(point: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        odds = rows @ point[1:].astype(np.float32) + point[0] + offsets
        errors = share * (1 / (1 + np.exp(-odds)) - labels)
        value = float(share @ (np.logaddexp(0, odds) - labels * odds)) + PENALTY * float(
            point[1:] @ point[1:]
        )
        return value, np.concatenate(
            [[errors.sum()], errors.astype(np.float32) @ rows + 2 * PENALTY * point[1:]]
        )

    bounds = [
        (None, None),
        *((0, None) if signs[n] > 0 else (None, 0) if signs[n] < 0 else (None, None) for n in names),
    ]
    found = minimize(
        loss,
        np.zeros(len(names) + 1),
        jac=True,
        bounds=bounds,
        method="L-BFGS-B",
        options={"maxiter": _STEPS, "ftol": 1e-14, "gtol": 1e-8},
    )
    scaled = found.x[1:] / spread
    return Additive(
        weights=dict(zip(names, scaled.tolist(), strict=True)),
        usual=dict(zip(names, mean.tolist(), strict=True)),
        bias=float(found.x[0]),
    )
