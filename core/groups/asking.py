"""Questions that find how wide an event is (docs/decisions/0017-level-of-a-timeline.md, What is left)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import InputError
from core.groups.average_linkage import Dendrogram
from core.groups.granularity import CUTS
from core.groups.grouper import Hierarchy

NARROW: Final = 0.03
WIDE: Final = 0.10
FAR: Final = 0.4
"""How far the best cut lies from the suggested one: by NARROW (a standard deviation), in a share of FAR by
WIDE, as on timelines that nobody tuned on."""
SOFTNESS: Final = 0.04  # over how much height answers turn from "same" to "different"
ERRORS: Final = 0.1  # share of answers that are wrong whatever the level
_NEAR: Final = 0.01  # spread of the heights among which a pair is drawn
_TRIES: Final = 20


class Answer(NamedTuple):
    """What a person said of two headlines."""

    left: int  # rows
    right: int
    same: bool | None  # None for "not sure"


class Asking:
    """What to ask of a timeline, and the level that follows from the answers; deterministic."""

    def __init__(self, tree: Hierarchy, start: float, texts: Sequence[str]) -> None:
        if not isinstance(tree, Dendrogram):
            raise InputError(
                "This grouping method has no tree of events to ask about.",
                hint="Choose the method “average linkage”.",
            )
        self.tree, self._start = tree, start
        self._texts = [" ".join(text.casefold().split()) for text in texts]
        self._place = np.empty(len(tree), dtype=np.int64)
        self._place[tree.leaves] = np.arange(len(tree))
        self._joins = _joins(tree.gaps)

    def height(self, left: int, right: int) -> float:
        """Distance at which the tree joins two headlines, 0 to 1."""
        low, high = sorted((int(self._place[left]), int(self._place[right])))
        if low == high:
            raise InputError("A headline is compared with itself.", hint="Give two different headlines.")
        return float(self.tree.gaps[low:high].max())

    def posterior(self, answers: Sequence[Answer]) -> FloatArray:
        """Probability of each of `CUTS`, float64."""
        away = CUTS - self._start
        logs = np.log(
            (1.0 - FAR) * np.exp(-0.5 * (away / NARROW) ** 2) / NARROW
            + FAR * np.exp(-0.5 * (away / WIDE) ** 2) / WIDE
            + 1e-12
        )
        for answer in answers:
            if answer.same is not None:
                same = _same(self.height(answer.left, answer.right))
                logs += np.log(same if answer.same else 1.0 - same)
        shares = np.exp(logs - logs.max())
        return np.asarray(shares / shares.sum())

    def level(self, answers: Sequence[Answer]) -> float:
        """The median of what is plausible; the suggested level where nothing was answered."""
        if all(answer.same is None for answer in answers):
            return self._start
        below = np.cumsum(self.posterior(answers))
        return float(CUTS[min(int(np.searchsorted(below, 0.5)), len(CUTS) - 1)])

    def question(self, answers: Sequence[Answer]) -> tuple[int, int] | None:
        """Rows of the pair to ask about, joined where an answer tells most; None where none is left."""
        height, pairs = self.tree.gaps, self._joins
        if not len(height):
            return None
        shares, same = self.posterior(answers), _same(CUTS)
        tells = _entropy(shares @ same) - shares @ _entropy(same)
        far = np.abs(height - CUTS[int(tells.argmax())])
        near = np.exp(-0.5 * ((far - far.min()) / _NEAR) ** 2)
        places = np.arange(len(height))
        chance = near * (places - pairs[:, 0] + 1) * (pairs[:, 1] - places)
        random = np.random.default_rng(len(answers))
        asked = {frozenset((answer.left, answer.right)) for answer in answers}
        drawn = random.choice(len(height), _TRIES, p=chance / chance.sum())
        for place in [*drawn.tolist(), *np.argsort(far, kind="stable").tolist()]:
            begin, end = pairs[place].tolist()
            left = int(self.tree.leaves[random.integers(begin, place + 1)])
            right = int(self.tree.leaves[random.integers(place + 1, end + 1)])
            if self._texts[left] != self._texts[right] and frozenset((left, right)) not in asked:
                return left, right
        return None


def _same(heights: FloatArray | float) -> FloatArray:
    """Probability of "same" at each of `CUTS` for pairs that are joined at some heights, [cuts, heights]."""
    away = np.squeeze(CUTS[:, None] - np.atleast_1d(np.asarray(heights))[None, :])
    return np.asarray(ERRORS + (1.0 - 2.0 * ERRORS) / (1.0 + np.exp(-away / SOFTNESS)))


def _entropy(share: FloatArray) -> FloatArray:
    return np.asarray(-share * np.log(share) - (1.0 - share) * np.log(1.0 - share))


def _joins(gaps: FloatArray) -> IntArray:
    """First and last leaf of what each gap between neighbouring leaves joins, int64 [n - 1, 2]."""
    joins = np.empty((len(gaps), 2), dtype=np.int64)
    open_: list[tuple[float, int, int]] = []  # height, place, first leaf
    for place, height in enumerate([*gaps.tolist(), np.inf]):
        first = place
        while open_ and open_[-1][0] <= height:
            _, inner, first = open_.pop()
            joins[inner] = first, place
        open_.append((height, place, first))
    return joins
