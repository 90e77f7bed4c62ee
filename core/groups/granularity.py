"""Where the slider starts: the granularity that the timeline itself suggests, or that people's answers do."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np

from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import InputError
from core.groups.dendrogram import Dendrogram
from core.groups.grouper import Hierarchy
from core.similarities import Similarities

CUTS: Final = np.round(np.arange(0.01, 0.995, 0.01), 2)
COARSE_CUTS: Final = np.round(np.arange(0.10, 0.925, 0.05), 2)  # of methods without a tree

SHARPNESS: Final = 1.5
SHAPE: Final = 0.5
NEARLY: Final = 0.9  # share of the best promise that a cut needs

SIMILARITY_POWER: Final = 2.0
FEWEST_LINKS: Final = 0.5  # linked pairs expected at least; below it every headline is alone

SCORED_ROWS = 2_000
SCORED_CELLS = 24_000_000  # and at most so many similarities; evenly spaced headlines, which bounds time

RowValues = Callable[[IntArray], Float32Array]  # rows to values with every headline, [rows, n]


@dataclass(frozen=True, slots=True)
class GranularityChoice:
    """A granularity and how it was found."""

    granularity: float  # 0 to 1, one of the curve's
    promise: float  # pair F1 that is to be expected there, 0 to 1; 0 where no two headlines are linked
    curve: tuple[tuple[float, float], ...]  # (granularity, promise) of each candidate
    shapeliest: float  # the best shape of the cuts that promise nearly the most: what another rule takes


def choose_granularity(
    hierarchy: Hierarchy,
    similarities: Similarities,
    sampled: IntArray,
    probabilities: Float32Array,
    *,
    fade: RowValues | None = None,
) -> GranularityChoice:
    """The granularity to start with, from the probabilities that each two of the sampled rows are one event.

    `probabilities` are float32 [k, k], symmetric, NaN for those not to decide; `fade` is what time leaves.
    """
    cuts = CUTS if isinstance(hierarchy, Dendrogram) else COARSE_CUTS
    lowest = float(cuts[0])
    alone = GranularityChoice(lowest, 0.0, tuple((float(cut), 0.0) for cut in cuts), lowest)
    if len(similarities) < 2:
        return alone
    asked = ~np.isnan(probabilities)
    np.fill_diagonal(asked, False)
    likely = np.where(asked, probabilities, 0.0).astype(np.float64)
    expected = float(likely.sum())
    if expected / max(int(asked.sum()), 1) * len(similarities) * (len(similarities) - 1) / 2 < FEWEST_LINKS:
        return alone
    groupings = [hierarchy.cut(float(cut)) for cut in cuts]
    promises = []
    for labels in groupings:
        places = labels[sampled]
        together = (places[:, None] == places) & asked
        promises.append(2 * float(likely[together].sum()) / (float(together.sum()) + expected))
    leaves = hierarchy.leaves if isinstance(hierarchy, Dendrogram) else None
    look = _Shapes(similarities, leaves, fade)
    # From the finest cut on: sums over groups that lie inside others are reused.
    least = NEARLY * max(promises)
    shapes = {at: look.of(groupings[at]) for at, promise in enumerate(promises) if promise >= least}
    best = max(shapes, key=lambda place: (promises[place] * shapes[place] ** SHAPE, promises[place], -place))
    shapeliest = max(shapes, key=lambda place: (shapes[place], promises[place], -place))
    curve = tuple((float(cut), promise) for cut, promise in zip(cuts, promises, strict=True))
    return GranularityChoice(*curve[best], curve, curve[shapeliest][0])


class _Shapes:
    """Silhouette (Rousseeuw 1987) x (separation without time x agreement) ** `SHARPNESS`, finest first."""

    def __init__(self, similarities: Similarities, leaves: IntArray | None, fade: RowValues | None) -> None:
        n = len(similarities)
        count = max(2, min(n, SCORED_ROWS, SCORED_CELLS // n))
        self._nested = leaves is not None
        self._order: IntArray = np.arange(n) if leaves is None else leaves
        self._places: IntArray = np.unique(np.linspace(0, n - 1, count).round().astype(np.int64))
        self._at = np.arange(len(self._places))
        self._rows = self._order[self._places]
        near = similarities.matrix[self._rows]
        near = near if isinstance(near, np.ndarray) else near.toarray()
        timeless = near if fade is None else np.clip(near / np.maximum(fade(self._rows), 1e-6), 0.0, 1.0)
        self._blocks: list[Float32Array] = [
            np.asarray(block.take(self._order, axis=1), dtype=np.float32)
            for block in (near, near ** np.float32(SIMILARITY_POWER), timeless)
        ]
        for block in self._blocks:
            block[self._at, self._places] = 0.0
        self._starts: IntArray = np.arange(n)
        squared = self._blocks[1]
        self._pairs = float(len(self._rows)) * (n - 1)
        self._mean = float(squared.sum(dtype=np.float64)) / self._pairs
        spread = float(np.einsum("ij,ij->i", squared, squared).sum(dtype=np.float64))
        self._variance = max(spread / self._pairs - self._mean**2, 1e-12)

    def of(self, labels: IntArray) -> float:
        (near, squared, timeless), own, sizes = self._sums(labels)
        if len(sizes) < 2 or len(sizes) == len(labels):
            return 0.0
        _, silhouette = self._gaps(near, own, sizes)
        separation, _ = self._gaps(timeless, own, sizes)
        linked = float((sizes[own] - 1).sum(dtype=np.float64)) / self._pairs
        agreement = 0.0
        if 0.0 < linked < 1.0:
            together = float(squared[self._at, own].sum(dtype=np.float64)) / self._pairs
            agreement = (together - linked * self._mean) / float(
                np.sqrt(linked * (1 - linked) * self._variance)
            )
        opposed = max(separation, 0.0) * max(agreement, 0.0)
        return float(max(silhouette, 0.0) * opposed**SHARPNESS)

    def _sums(self, labels: IntArray) -> tuple[list[Float32Array], IntArray, IntArray]:
        if self._nested:
            starts = np.flatnonzero(np.diff(labels[self._order], prepend=-1))
            if len(starts) < len(self._starts):
                into = np.searchsorted(self._starts, starts)
                self._blocks = [np.add.reduceat(block, into, axis=1) for block in self._blocks]
                self._starts = starts
            own = np.searchsorted(starts, self._places, side="right") - 1
            return self._blocks, own, np.diff(np.append(starts, len(labels)))
        sizes = np.bincount(labels)
        order = np.argsort(labels, kind="stable")
        starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        sums: list[Float32Array] = [
            np.add.reduceat(block[:, order], starts, axis=1) for block in self._blocks
        ]
        return sums, labels[self._rows], sizes

    def _gaps(self, near: Float32Array, own: IntArray, sizes: IntArray) -> tuple[float, float]:
        others = sizes[own] - 1
        inside = 1.0 - near[self._at, own] / np.maximum(others, 1)
        outside = np.asarray(1.0 - near / sizes[None, :], dtype=np.float32)
        outside[self._at, own] = np.inf
        nearest = outside.min(axis=1)
        gap = np.where(others == 0, 0.0, nearest - inside)
        return float(gap.mean()), float(np.mean(gap / np.maximum(np.maximum(nearest, inside), 1e-9)))


NARROW: Final = 0.03
WIDE: Final = 0.10
FAR: Final = 0.4
"""How far the best cut lies from the suggested one: by NARROW (a deviation), in a share of FAR by WIDE."""
SOFTNESS: Final = 0.04  # over how much height answers turn from "same" to "different"
ERRORS: Final = 0.1  # share of answers that are wrong whatever the level
_NEAR: Final = 0.01  # spread of the heights among which a pair is drawn
_TRIES: Final = 20
_LITTLE: Final = 0.08  # at which distance from the best height an answer tells little


class PairAnswer(NamedTuple):
    """What a person said of two headlines."""

    left: int  # rows
    right: int
    same: bool | None  # None for "not sure"

    def __str__(self) -> str:
        """As it stands in an address: "12s45" for the same event, "d" for another, "n" for not sure."""
        return f"{self.left}{_WORDS[self.same]}{self.right}"

    @classmethod
    def of(cls, written: str) -> Self:
        left, word, right = re.split("([sdn])", written)
        return cls(int(left), int(right), {"s": True, "d": False}.get(word))


_WORDS: Final = {True: "s", False: "d", None: "n"}


class Asking:
    """What to ask of a timeline, and the level that follows from the answers; deterministic."""

    def __init__(self, tree: Hierarchy, start: float, texts: Sequence[str]) -> None:
        if not isinstance(tree, Dendrogram):
            message = "This grouping method has no tree of events to ask about."
            raise InputError(message, hint="Choose the method “average linkage”.")
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

    def posterior(self, answers: Sequence[PairAnswer]) -> FloatArray:
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

    def level(self, answers: Sequence[PairAnswer]) -> float:
        """The median of what is plausible; the suggested level where nothing was answered."""
        if all(answer.same is None for answer in answers):
            return self._start
        below = np.cumsum(self.posterior(answers))
        return float(CUTS[min(int(np.searchsorted(below, 0.5)), len(CUTS) - 1)])

    def question(self, answers: Sequence[PairAnswer]) -> tuple[int, int] | None:
        """Rows of the pair whose answer tells most, of another event than the last or unsure ones; None for
        none.
        """
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
        drawn = random.choice(len(height), _TRIES, p=chance / chance.sum()).tolist()
        asked = {frozenset(answer[:2]) for answer in answers}
        groups = self.tree.cut(self.level(answers)) if answers else np.arange(len(self.tree))
        last, unsure = (
            {int(groups[row]) for answer in said for row in answer[:2]}
            for said in (answers[-1:], [answer for answer in answers if answer.same is None])
        )
        spare: dict[bool, tuple[int, int]] = {}  # first pair of the last event, and where nobody was sure
        for number, place in enumerate([*drawn, *np.argsort(far, kind="stable").tolist()]):
            if number >= _TRIES and (False in spare or (spare and far[place] > _LITTLE)):
                break
            begin, end = pairs[place].tolist()
            left = int(self.tree.leaves[random.integers(begin, place + 1)])
            right = int(self.tree.leaves[random.integers(place + 1, end + 1)])
            if self._texts[left] == self._texts[right] or frozenset((left, right)) in asked:
                continue
            events = {int(groups[left]), int(groups[right])}
            if not events & (last | unsure):
                return left, right
            spare.setdefault(bool(events & unsure), (left, right))
        return spare.get(False, spare.get(True))


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
