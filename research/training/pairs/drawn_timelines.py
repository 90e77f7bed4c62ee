"""Timelines drawn of the stories of a pair set, to learn from."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.data.pair_sets import pair_set
from core.data.pair_sets.sampling import Sampling, draw_pairs
from core.pairs.context import PairContext

SIZES: Final = (40, 1_500)  # headlines of a timeline, drawn evenly on a log scale; HLGD's have 80 to 274
MOST_HEADLINES: Final = 2_000  # of a whole set, so that no set costs minutes
MOST_IN_STORY: Final = 60
REAL_DATES: Final = 0.45  # share of timelines that keep their dates, where the set has any
UNDATED: Final = 0.2
SPANS: Final = (3, 1_500)  # days that invented timelines last, drawn evenly on a log scale
BURST_DAYS: Final = 4  # stories of a burst begin at most so many days beside it: near enough to be negatives
PROMPTNESS: Final = (0.6, 0.75, 0.85)
"""Chance that a headline of a story is of its first day, or else of the next, and so on; drawn for each
timeline. About 60 % of positives are then of one day, and time alone reaches an F1 near 0.6, as in HLGD."""
MOVED: Final = 0.25  # share of headlines that get a day of their own where a set gives all of a story one
BLUR: Final = (0.0, 0.02, 0.05, 0.15, 1.0)  # noise on the cosines that choose the nearest stories
POSITIVES: Final = 200
_DAY_ZERO: Final = 16_000.0
DrawnTimeline = tuple[PairContext, IntArray]
"""Headlines of one timeline, and the number of each one's story, [n]."""


class Pool:
    """Stories of one part of one set; a drawn timeline is None where its pairs are of one kind."""

    def __init__(
        self, pairs: pair_set.PairSet, vectors: Float32Array, rows: IntArray, rng: np.random.Generator
    ) -> None:
        _, stories = np.unique(pairs.groups[rows], return_inverse=True)
        self.stories = stories.astype(np.int64)  # of each headline, [n], from 0
        self.days = pairs.days[rows]
        firsts = np.unique(stories, return_index=True)[1][stories]
        if np.isfinite(self.days).any() and not np.any(self.days != self.days[firsts]):
            moved, steps = rng.random(len(rows)) < MOVED, rng.choice([-2, -1, -1, 1, 1, 2], len(rows))
            self.days = self.days + np.where(moved, steps, 0)
        self.context = PairContext([pairs.texts[row] for row in rows.tolist()], self.days, vectors[rows])
        self.centres = story_centres(vectors[rows], stories)

    def whole(self, rng: np.random.Generator) -> DrawnTimeline | None:
        """All headlines as one timeline, with the dates that they have; of a large set some stories."""
        members: list[int] = []
        for story in rng.permutation(len(self.centres)).tolist():
            own = np.flatnonzero(self.stories == story).tolist()
            if len(members) + len(own) <= MOST_HEADLINES or not members:
                members += own
        rows = np.sort(np.array(members))
        return self._timeline(rows, self.days[rows], rng)

    def draw(self, rng: np.random.Generator) -> DrawnTimeline | None:
        wanted = np.exp(rng.uniform(*np.log(SIZES)))
        nearest = near_first(self.centres, BLUR, rng)
        sizes, members = _story_sizes(len(self.centres), rng), []
        for story, size in zip(nearest, sizes.tolist(), strict=True):
            members.append(rng.permutation(np.flatnonzero(self.stories == story))[:size])
            if sum(map(len, members)) >= wanted:
                break
        rows, kind = np.concatenate(members), rng.random()
        days = np.full(len(rows), np.nan)
        if np.mean(np.isfinite(self.days)) > 0.5 and kind < REAL_DATES:
            days = self.days[rows]
        elif kind < 1 - UNDATED:
            days = _invented(list(map(len, members)), rng)
        return self._timeline(rows, days, rng)

    def _timeline(self, rows: IntArray, days: FloatArray, rng: np.random.Generator) -> DrawnTimeline | None:
        sampling = Sampling(most_positives=POSITIVES, seed=int(rng.integers(2**31)))
        stories = self.stories[rows]
        _, _, labels = draw_pairs(np.zeros(len(rows), np.int64), days, stories, sampling)
        both = len(np.unique(labels)) == 2
        return (replace(self.context.take(rows), days=days), stories) if both else None


def story_centres(vectors: Float32Array, stories: IntArray) -> Float32Array:
    """Unit mean vectors of stories, float32 [stories, d], from those of their headlines."""
    centres = np.zeros((int(stories.max()) + 1, vectors.shape[1]), dtype=np.float32)
    np.add.at(centres, stories, vectors)
    centres /= np.maximum(np.linalg.norm(centres, axis=1, keepdims=True), 1e-9)
    return centres


def near_first(centres: Float32Array, blur: Sequence[float], random: np.random.Generator) -> list[int]:
    """Stories by how near they are to one that is drawn, with noise on their cosines as drawn from `blur`."""
    near = centres @ centres[random.integers(len(centres))]
    near = near + random.normal(0, random.choice(blur), len(near))
    order: list[int] = np.argsort(-near).tolist()
    return order


def _story_sizes(count: int, rng: np.random.Generator) -> IntArray:
    kind = rng.choice(5, p=(0.25, 0.25, 0.2, 0.15, 0.15))
    sizes = np.full(count, np.iinfo(np.int32).max)
    if kind == 0:
        sizes = np.minimum(1 + rng.pareto(1.1, count), MOST_IN_STORY)
    elif kind in (1, 2):
        sizes = rng.geometric(0.5 if kind == 1 else 0.3, count)
    elif kind == 3:
        sizes = np.where(rng.random(count) < 0.6, 1, 1 + rng.geometric(0.4, count))
    return np.asarray(sizes, dtype=np.int64)


def _invented(sizes: list[int], rng: np.random.Generator) -> FloatArray:
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
