"""Timelines like HLGD's, drawn from the stories of a pair set, so that a model sees many contexts.

One set gives one context, and what it learns there (how broad an event is, how dense the days are) it
would carry to others. So stories are drawn together with those nearest to them in meaning, as in a
timeline on one topic; most are thinned to a few headlines; and their dates are as they stand, or else
invented: bursts of stories, headlines of a story on the same and the following days.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from core.data.pair_sets.drawing import Sampling, draw_pairs
from core.data.pair_sets.pair_set import SAME, PairSet
from core.pairs.scorer import PairContext
from core.similarities import Float32Array, IntArray

SIZES: Final = (10, 280)
"""Headlines of a timeline, drawn evenly on a log scale; HLGD's have 80 to 274."""

MOST_IN_STORY: Final = 20
REAL_DATES: Final = 1 / 3
"""Share of timelines that keep their dates, where the set has any."""

SPANS: Final = (15, 1500)
"""Days that invented timelines last, drawn evenly on a log scale."""

BURST_DAYS: Final = 4
"""Stories of one burst begin at most so many days before or after it: near enough to be negatives."""

PROMPTNESS: Final = (0.6, 0.75, 0.85)
"""Chance that a headline of a story is of its first day, or else of the next, and so on; drawn for each
timeline. About 60 % of positives are then of one day, and time alone reaches an F1 of about 0.6, as in HLGD
(0.585 and 0.654, table 3 of the paper); with slower stories a model would trust time too little."""

MOVED: Final = 0.25
"""Share of headlines that get a day of their own where the set gives all of a story one: as above."""

BLUR: Final = (0.02, 0.05, 0.15, 1.0)
"""Noise on the cosines by which the nearest stories are chosen: from a narrow topic to none at all."""

POSITIVES: Final = 200
_DAY_ZERO: Final = 16_000.0


@dataclass(frozen=True, slots=True, eq=False)
class DrawnTimeline:
    """Headlines and labelled pairs of one timeline.

    Attributes:
        context: Its headlines.
        left, right: Rows of each pair, int64 [m].
        labels: 1 or 0, int64 [m].
        far: Negatives that are further apart in time than the paper draws them, bool [m]. Without them
            a model would only know distant pairs that are positives, and grouping compares all pairs.
    """

    context: PairContext
    left: IntArray
    right: IntArray
    labels: IntArray
    far: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Stories of one part of one set.

    Attributes:
        texts: The headlines, n of them.
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
        """The stories among some headlines of a set.

        Args:
            pairs: A set with gold groups.
            vectors: Of all its headlines.
            rows: Those of the pool that have a group.
            rng: For dates that are the story's (see `_unstamped`).
        """
        _, stories = np.unique(pairs.groups[rows], return_inverse=True)
        own = vectors[rows]
        centres = np.zeros((int(stories.max()) + 1, own.shape[1]), dtype=np.float32)
        np.add.at(centres, stories, own)
        centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), 1e-9)
        days = _unstamped(pairs.days[rows], stories, rng)
        return Pool([pairs.texts[row] for row in rows.tolist()], days, stories.astype(np.int64), own, centres)

    def whole(self, rng: np.random.Generator) -> DrawnTimeline:
        """All headlines as one timeline, with the dates that they have."""
        return self._timeline(np.arange(len(self.texts)), self.days, rng)

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
        rows = np.concatenate(kept)
        dated = bool(np.mean(np.isfinite(self.days)) > 0.5)
        if dated and rng.random() < REAL_DATES:
            days = self.days[rows]
        else:
            days = _invented(list(map(len, kept)), rng)
        return self._timeline(rows, days, rng)

    def _timeline(
        self, rows: IntArray, days: npt.NDArray[np.float64], rng: np.random.Generator
    ) -> DrawnTimeline:
        """With pairs drawn as the paper draws them; headlines in no pair are left out, as from its files."""
        sampling = Sampling(most_positives=POSITIVES, seed=int(rng.integers(2**31)))
        one_room, stories = np.zeros(len(rows), np.int64), self.stories[rows]
        near = draw_pairs(one_room, days, stories, sampling)
        used, places = np.unique(np.concatenate(near[:2]), return_inverse=True)
        here, days, one_room = rows[used], days[used], one_room[used]
        everywhere = replace(sampling, window_days=np.inf)
        other = draw_pairs(one_room, days, self.stories[here], everywhere)
        far = np.abs(np.floor(days[other[0]]) - np.floor(days[other[1]])) > sampling.window_days
        far &= other[2] != SAME
        context = PairContext([self.texts[row] for row in here.tolist()], days, self.vectors[here])
        return DrawnTimeline(
            context,
            np.concatenate([places[: len(near[0])], other[0][far]]),
            np.concatenate([places[len(near[0]) :], other[1][far]]),
            np.concatenate([near[2], other[2][far]]),
            np.repeat([False, True], [len(near[0]), int(far.sum())]),
        )


def usable(drawn: DrawnTimeline) -> bool:
    """It has both kinds of pairs among those that the paper would draw."""
    return len(np.unique(drawn.labels[~drawn.far])) == 2


def _story_sizes(count: int, rng: np.random.Generator) -> IntArray:
    """Headlines that each story keeps: mostly one or a few, in some timelines with a long tail."""
    kind = rng.random()
    if kind < 0.25:
        sizes = np.minimum(1 + rng.pareto(1.1, count), MOST_IN_STORY)
    else:
        sizes = rng.geometric(0.5 if kind < 0.6 else 0.3, count)
    return np.asarray(sizes, dtype=np.int64)


def _invented(sizes: list[int], rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Days of the headlines of stories that come in bursts, float64; in some timelines a few are lost."""
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
    """Days that no longer tell the story where all headlines of each story carry the story's own.

    Some then move, most by one day.
    """
    firsts = np.unique(stories, return_index=True)[1][stories]
    if not np.isfinite(days).any() or np.any(days != days[firsts]):
        return days
    return days + np.where(rng.random(len(days)) < MOVED, rng.choice([-2, -1, -1, 1, 1, 2], len(days)), 0)
